"""What was handed over stays as it was signed for: its panes, its note, its customer."""

from functools import partial

import pytest
from test_deliveries import (
    PATH,
    act,
    code,
    finish,
    hand_over,
    ids,
    note,
    pane_of,
    plan,
    read,
)

from concurrency import FEW_ROUNDS, run_concurrently, successes
from scenarios import bring_to_lamination, order_with_panes, order_with_units

__all__ = ["plan"]
SIZE = {"dimensions": {"width": 500}}


@pytest.fixture
def job(admin, workshop):
    """An order of two finished panes."""
    made = order_with_panes(admin, workshop, steps=1, panes=2)
    finish(admin, made)
    return made


def change(api, number, **values):
    return api.patch(f"/api/panes/{number}", values)


def delivery_named_by(reply):
    """The delivery that a refusal names for its one pane."""
    assert (reply.status, code(reply)) == (409, "PANE_DELIVERED"), reply.body
    [named] = reply.errors["panes"]
    assert str(named["delivery"]) in reply.body["message"] or not named["delivery"]
    return named["delivery"]


def test_pane_that_was_handed_over_does_not_change_before_that_is_undone(
    admin, workshop, job, plan
):
    number, delivery = job.numbers[0], plan(job, job.panes[0])
    other = order_with_panes(admin, workshop, customer=job.customer)
    changes = [
        SIZE,
        {"currentStatus": "cancelled"},
        {"currentStation": job.stations[0], "currentStatus": "in_progress"},
        {"rawGlass": {"glassType": "Mirror"}},
        {"holes": [{"id": "1", "x": 1, "y": 1, "diameter": 5}]},
        {"order": other.order["_id"]},
        {"request": other.request["_id"]},
        {"routing": []},
        {"deliveredAt": None},
        {"notes": "x", **SIZE},
    ]
    assert hand_over(admin, delivery, number).status == 200
    before = pane_of(admin, number)
    for values in changes:
        refused = change(admin, number, **values)
        assert delivery_named_by(refused) == delivery["deliveryNumber"], values
    gone = [
        admin.delete(f"/api/panes/{before['_id']}"),
        admin.delete("/api/panes", {"ids": ids(*job.panes)}),
        admin.delete(f"/api/orders/{job.order['_id']}"),
        admin.delete(f"/api/requests/{job.request['_id']}"),
    ]
    for refused in gone:
        assert delivery_named_by(refused) == delivery["deliveryNumber"]
    moved = {"request": other.request["_id"]}
    refused = admin.patch(f"/api/orders/{job.order['_id']}", moved)
    assert delivery_named_by(refused) == delivery["deliveryNumber"]
    assert pane_of(admin, number) == before
    assert change(admin, number, notes="โทรแล้ว").status == 200
    assert change(admin, number, **before).status == 200  # sent back as it was read
    assert act(admin, delivery, "undo").status == 200
    assert change(admin, number, **SIZE).status == 200
    assert change(admin, number, currentStatus="cancelled").status == 200


def test_pane_that_is_noted_as_delivered_by_hand_does_not_change_before_the_note(
    admin, workshop
):
    job = order_with_panes(admin, workshop, steps=1, panes=1)
    [number] = job.numbers
    assert change(admin, number, deliveredAt="2026-11-01T03:00:00Z").status == 200
    assert delivery_named_by(change(admin, number, **SIZE)) is None
    assert delivery_named_by(admin.delete(f"/api/panes/{number}")) is None
    assert change(admin, number, deliveredAt="2026-11-02T03:00:00Z").status == 200
    cancelled = admin.patch(f"/api/orders/{job.order['_id']}", {"status": "cancelled"})
    assert cancelled.status == 200
    assert pane_of(admin, number)["currentStatus"] == "pending"
    assert change(admin, number, deliveredAt=None, **SIZE).status == 200
    assert change(admin, number, currentStatus="cancelled").status == 200


def test_unit_of_a_laminated_pane_that_was_handed_over_does_not_move(
    admin, workshop, plan
):
    job = order_with_units(admin, workshop, before=0, after=0)
    survivor, *others = job.sheets[0]
    for number in job.sheets[0]:
        bring_to_lamination(admin, number, job)
    admin.scan(survivor, "laminate", station=job.lamination_station)
    assert admin.scan(survivor, "scan_out").data["pane"]["currentStatus"] == "completed"
    delivery = plan(job, pane_of(admin, survivor))
    assert hand_over(admin, delivery, survivor).status == 200
    for number in (job.parents[0], others[0]):
        refused = change(admin, number, order=None)
        assert delivery_named_by(refused) == delivery["deliveryNumber"]


def test_cascade_deletes_a_pane_that_was_handed_over_with_its_delivery_only(
    admin, job, plan, set_policy
):
    set_policy(delete_policy="cascade")
    delivery = plan(job, job.panes[0])
    hand_over(admin, delivery, job.numbers[0])
    refused = admin.delete(f"/api/requests/{job.request['_id']}")
    assert delivery_named_by(refused) == delivery["deliveryNumber"]
    assert admin.delete(f"/api/customers/{job.customer}").status == 200
    assert admin.get(f"/api/panes/{job.numbers[0]}").status == 404


@pytest.mark.sized
@pytest.mark.parametrize("n", range(FEW_ROUNDS))
def test_pane_is_handed_over_or_changed_but_not_both(admin, workshop, plan, n):
    job = order_with_panes(admin, workshop, steps=1, panes=3)
    finish(admin, job)
    changes = [
        partial(change, admin, job.numbers[0], currentStatus="cancelled"),
        partial(change, admin, job.numbers[1], **SIZE),
        partial(admin.delete, f"/api/panes/{job.panes[2]['_id']}"),
    ]
    for pane, changed in zip(job.panes, changes, strict=True):
        delivery = plan(job, pane)
        number = pane["paneNumber"]
        calls = [partial(hand_over, admin, delivery, number), changed]
        replies = run_concurrently(calls)
        handed_over, other = replies
        # a pane of another size is handed over after that
        both = handed_over.status == 200 and pane is job.panes[1]
        assert len(successes(replies)) == 1 or both, [one.body for one in replies]
        assert {one.status for one in replies} <= {200, 409}
        panes = read(admin, delivery)["panes"]
        assert panes == (ids(pane) if other.status == 409 or both else panes)


def test_note_stays_as_it_was_signed(admin, worker, workshop, plan):
    kind = workshop.make("JobType", code="TMP", name="กระจกเทมเปอร์")
    pane = {"dimensions": {"width": 1000, "height": 2000}, "jobType": "TMP"}
    job = order_with_panes(admin, workshop, steps=1, panes=2, pane=pane)
    finish(admin, job, job.numbers[0])
    delivery = plan(job, driver=str(worker.worker.pk))
    hand_over(admin, delivery, job.numbers[0])
    languages = ("th", "en")
    signed = [note(admin, delivery, language=one) for one in languages]
    assert "กระจกเทมเปอร์" in signed[0]
    later = [
        admin.patch(
            f"/api/customers/{job.customer}", {"name": "ใหม่", "address": "ใหม่"}
        ),
        admin.patch(f"/api/requests/{job.request['_id']}", {"referenceId": "PO-NEW"}),
        admin.patch(f"/api/workers/{worker.worker.pk}", {"name": "คนใหม่"}),
        admin.patch(f"/api/job-types/{kind.pk}", {"name": "ชื่อใหม่"}),
        admin.put("/api/workshop", {"name": "ร้านใหม่", "address": "ที่อยู่ใหม่"}),
        change(admin, job.numbers[1], dimensions={"width": 777}),
    ]
    assert [one.status for one in later] == [200] * len(later)
    assert [note(admin, delivery, language=one) for one in languages] == signed
    assert "noteFacts" not in read(admin, delivery)
    assert act(admin, delivery, "undo").status == 200
    assert "ร้านใหม่" in note(admin, delivery)


def test_customer_of_planned_delivered_or_charged_work_does_not_change(
    admin, workshop, plan
):
    body = {"panes": [{"routing": []}], "details": {"type": "x", "quantity": 1}}
    mine, other = (str(workshop.customer().pk) for _ in range(2))
    made = admin.post("/api/requests", {"customer": mine, **body}).data
    path = f"/api/requests/{made['_id']}"
    planned = admin.post(PATH, {"customer": mine, "panes": ids(*made["panes"])}).data
    refused = admin.patch(path, {"customer": other})
    assert (refused.status, code(refused)) == (400, "CUSTOMER_FIXED")
    assert refused.errors["deliveries"] == [planned["deliveryNumber"]]
    hand_over(admin, planned, made["panes"][0]["paneNumber"])
    refused = admin.patch(path, {"customer": other})
    assert len(refused.errors["billingEntries"]) == 1
    act(admin, planned, "undo")
    admin.patch(f"{PATH}/{planned['_id']}", {"panes": []})
    assert admin.patch(path, {"customer": other}).status == 200


def test_customer_of_an_order_of_planned_panes_does_not_change(admin, workshop, plan):
    job = order_with_panes(admin, workshop, panes=1)
    planned = plan(job)
    other = order_with_panes(admin, workshop)
    moved = {"customer": other.customer, "request": other.request["_id"]}
    refused = admin.patch(f"/api/orders/{job.order['_id']}", moved)
    assert (refused.status, code(refused)) == (400, "CUSTOMER_FIXED")
    assert refused.errors["deliveries"] == [planned["deliveryNumber"]]


@pytest.mark.sized
@pytest.mark.parametrize("n", range(FEW_ROUNDS))
def test_pane_is_planned_or_its_request_moves_but_not_both(admin, workshop, n):
    body = {"panes": [{"routing": []}], "details": {"type": "x", "quantity": 1}}
    mine, other = (str(workshop.customer().pk) for _ in range(2))
    made = admin.post("/api/requests", {"customer": mine, **body}).data
    delivery = {"customer": mine, "panes": ids(*made["panes"])}
    calls = [
        partial(admin.post, PATH, delivery),
        partial(admin.patch, f"/api/requests/{made['_id']}", {"customer": other}),
    ]
    assert len(successes(run_concurrently(calls))) == 1
