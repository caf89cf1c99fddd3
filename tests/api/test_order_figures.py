"""What an order has to finish: its figures when panes are missing, lost or remade."""

import pytest

from lookups import order_of, remakes_of
from scenarios import claim_pane, order_with_panes, pass_station


def figures(api, order):
    found = order_of(api, order)
    return found["paneCount"], found["panesCompleted"], found["status"]


def decide(api, claim, **fields):
    body = {"status": "approved", **fields}
    assert api.patch(f"/api/claims/{claim['_id']}", body).status == 200


def test_order_for_ten_is_not_completed_by_its_only_pane(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1, quantity=10)
    assert (job.order["paneCount"], job.order["progressPercent"]) == (10, 0)
    pass_station(worker, job.numbers[0], job.stations[0])
    assert figures(admin, job.order) == (10, 1, "in_progress")
    assert order_of(admin, job.order)["progressPercent"] == 10
    path = f"/api/orders/{job.order['_id']}"
    assert admin.patch(path, {"quantity": 1}).data["status"] == "completed"
    assert admin.patch(path, {"quantity": 2}).data["status"] == "in_progress"


def test_panes_cancelled_on_their_own_are_not_due(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1, panes=3)
    lost = {"currentStatus": "cancelled"}
    admin.patch(f"/api/panes/{job.panes[0]['_id']}", lost)
    assert figures(admin, job.order) == (2, 0, "pending")
    for number in job.numbers[1:]:
        pass_station(worker, number, job.stations[0])
    assert figures(admin, job.order) == (2, 2, "completed")
    for pane in job.panes:
        admin.patch(f"/api/panes/{pane['_id']}", lost)
    assert figures(admin, job.order) == (0, 0, "in_progress")


def test_order_that_loses_its_finished_panes_has_completed_none(
    admin, worker, workshop
):
    job = order_with_panes(admin, workshop, steps=1, panes=2)
    other = order_with_panes(admin, workshop, customer=job.customer)
    for number in job.numbers:
        pass_station(worker, number, job.stations[0])
    assert figures(admin, job.order) == (2, 2, "completed")
    for pane in job.panes:
        answer = admin.patch(f"/api/panes/{pane['_id']}", {"order": other.order["_id"]})
        assert answer.status == 200
    assert figures(admin, job.order) == (2, 0, "in_progress")


@pytest.mark.parametrize("remake", [True, False])
def test_pane_lost_by_a_claim_is_due_if_it_is_made_again(
    admin, worker, workshop, remake
):
    job = order_with_panes(admin, workshop, steps=1, panes=2, quantity=3)
    claim = claim_pane(worker, job.numbers[0]).data
    decide(admin, claim, decision="destroy", remake=remake)
    due = 3 if remake else 2
    assert figures(admin, job.order) == (due, 0, "pending")
    made = [pane["paneNumber"] for pane in remakes_of(admin, job.numbers[0])]
    assert len(made) == remake
    for number in (*made, job.numbers[1]):
        pass_station(worker, number, job.stations[0])
    assert figures(admin, job.order) == (due, due - 1, "in_progress")


def test_finished_pane_that_is_kept_still_counts(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1)
    pass_station(worker, job.numbers[0], job.stations[0])
    decide(
        admin, claim_pane(worker, job.numbers[0]).data, decision="keep", remake=False
    )
    assert figures(admin, job.order) == (1, 1, "completed")


def test_deleted_pane_of_a_quantity_is_due_again(admin, workshop):
    job = order_with_panes(admin, workshop, panes=2, quantity=2)
    admin.delete(f"/api/panes/{job.panes[0]['_id']}")
    assert figures(admin, job.order) == (2, 0, "pending")


def in_work(admin, pane):
    return admin.patch(f"/api/panes/{pane['_id']}", {"currentStatus": "in_progress"})


def at_its_second_station(admin, pane):
    place = {"currentStation": pane["routing"][1]}
    return admin.patch(f"/api/panes/{pane['_id']}", place)


def completed(admin, pane):
    return admin.patch(f"/api/panes/{pane['_id']}", {"currentStatus": "completed"})


def scanned_in(admin, pane):
    return admin.scan(pane["paneNumber"], "scan_in", station=pane["routing"][0])


@pytest.mark.parametrize(
    "begin", [in_work, at_its_second_station, completed, scanned_in]
)
@pytest.mark.parametrize("is_made_first", [True, False])
def test_order_is_in_progress_as_soon_as_one_of_its_panes_has_begun(
    admin, workshop, begin, is_made_first
):
    customer, material = str(workshop.customer().pk), str(workshop.material().pk)
    panes = [{"routing": [str(one.pk) for one in workshop.stations(2)]}] * 2
    details = {"type": "window", "quantity": 2}
    asked = {"customer": customer, "details": details, "panes": panes}
    request = admin.post("/api/requests", asked).data
    body = {"customer": customer, "material": material, "quantity": 2}
    steps = [
        lambda: admin.post("/api/orders", {**body, "request": request["_id"]}),
        lambda: begin(admin, request["panes"][0]),
    ]
    for step in steps if is_made_first else reversed(steps):
        assert step().status in (200, 201)
    (order,) = admin.get("/api/orders", request=request["_id"]).data
    assert order["status"] == "in_progress"
    back = admin.patch(f"/api/orders/{order['_id']}", {"status": "pending"})
    assert (back.status, back.errors["code"]) == (400, "STATUS_FOLLOWS_PANES")
