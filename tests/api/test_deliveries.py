"""Deliveries: planned with panes, loaded, handed over, in part, by two phones, and undone."""

from datetime import timedelta
from functools import partial

import pytest
import requests

from concurrency import run_concurrently
from glassflow.core.process import clock
from pdf_text import text_of_pdf
from pictures import photo
from scenarios import (
    bring_to_lamination,
    claim_pane,
    order_with_panes,
    order_with_units,
    pass_station,
)

PATH = "/api/deliveries"


def finish(api, job, *numbers):
    """Let panes of an order pass their route."""
    for number in numbers or job.numbers:
        for station in job.stations:
            assert pass_station(api, number, station).status == 200


def ids(*panes):
    return [pane["_id"] for pane in panes]


@pytest.fixture
def job(admin, workshop):
    """An order of three panes, of which two are finished."""
    made = order_with_panes(admin, workshop, steps=1, panes=3)
    finish(admin, made, *made.numbers[:2])
    return made


@pytest.fixture
def plan(admin):
    """Plan a delivery of panes, else of all panes of a job."""

    def create(job, *panes, **values):
        body = {"customer": job.customer, "panes": ids(*(panes or job.panes)), **values}
        made = admin.post(PATH, body)
        assert made.status == 201, made.body
        return made.data

    return create


def act(api, delivery, action, *numbers, **body):
    if numbers:
        body["paneNumbers"] = list(numbers)
    return api.post(f"{PATH}/{delivery['_id']}/{action}", body)


def hand_over(api, delivery, *numbers, **body):
    return act(api, delivery, "hand-over", *numbers, receivedBy="คุณสมชาย", **body)


def read(api, delivery):
    return api.get(f"{PATH}/{delivery['_id']}").data


def pane_of(api, number):
    return api.get(f"/api/panes/{number}").data


def code(reply):
    return reply.body["errors"]["code"]


def reasons(reply):
    """The reasons of a refusal by pane number."""
    assert (reply.status, code(reply)) == (409, "PANES_REFUSED"), reply.body
    return {one["paneNumber"]: one["reason"] for one in reply.body["errors"]["panes"]}


def test_delivery_is_planned_for_today_at_the_place_of_the_request(admin, workshop):
    customer = workshop.customer(
        name="ร้านกระจกใส",
        delivery_addresses=[
            {"name": "ไซต์", "address": "9 ถ.สุขุมวิท", "contact": "ช่างเอก", "phone": "081"}
        ],
    )
    job = order_with_panes(admin, workshop, customer=str(customer.pk))
    body = {"customer": job.customer, "panes": ids(*job.panes)}
    planned = admin.post(PATH, body).data
    assert planned["deliveryNumber"].startswith("DLV-")
    assert planned["plannedFor"][:10] == planned["createdAt"][:10]
    shown = [planned[name] for name in ("recipient", "address", "contact", "phone")]
    assert shown == ["ร้านกระจกใส", "9 ถ.สุขุมวิท", "ช่างเอก", "081"]
    admin.patch(f"/api/requests/{job.request['_id']}", {"deliveryLocation": "คลอง 5"})
    other = order_with_panes(admin, workshop, customer=str(customer.pk))
    admin.patch(f"/api/requests/{other.request['_id']}", {"deliveryLocation": "คลอง 5"})
    body = {"customer": other.customer, "panes": ids(*other.panes)}
    assert admin.post(PATH, body).data["address"] == "คลอง 5"


def test_handed_over_panes_are_delivered_and_the_others_stay_open(
    admin, worker, job, plan
):
    planned = plan(job)
    first, second, unfinished = job.numbers
    done = hand_over(worker, planned, first, second, remark="วางหน้าบ้าน")
    assert done.status == 200, done.body
    delivered = done.data
    assert delivered["status"] == "delivered"
    [recorded] = delivered["handOvers"]
    assert (recorded["receivedBy"], recorded["remark"]) == ("คุณสมชาย", "วางหน้าบ้าน")
    assert (recorded["worker"], recorded["isEarly"]) == (worker.id, False)
    assert delivered["panes"] == ids(*job.panes[:2])
    assert delivered["missingPanes"] == ids(job.panes[2])
    assert pane_of(admin, first)["deliveredAt"] == delivered["deliveredAt"]
    assert pane_of(admin, unfinished)["deliveredAt"] is None
    order = admin.get(f"/api/orders/{job.order['_id']}").data
    assert (order["panesDelivered"], order["paneCount"]) == (2, 3)
    finish(admin, job, unfinished)
    assert ids(*admin.get(PATH, waiting="true").data) == ids(planned)
    rest = plan(job, job.panes[2])
    assert admin.get(PATH, waiting="true").data == []
    assert read(admin, planned)["missingPanes"] == []
    assert hand_over(worker, rest, unfinished).status == 200
    order = admin.get(f"/api/orders/{job.order['_id']}").data
    assert (order["panesDelivered"], order["status"]) == (3, "completed")


def test_pane_that_cannot_be_handed_over_is_named_with_its_reason(
    admin, workshop, job, plan
):
    other = order_with_panes(admin, workshop, steps=1, panes=1)
    finish(admin, other)
    planned = plan(job)
    claimed, ready, unfinished = job.numbers
    claim_pane(admin, claimed)
    refused = hand_over(admin, planned, *job.numbers, other.numbers[0], "PNE-9999")
    assert reasons(refused) == {
        claimed: "claimed",
        unfinished: "unfinished",
        other.numbers[0]: "other_customer",
        "PNE-9999": "not_planned",
    }
    assert f"{unfinished} is not finished" in refused.body["message"]
    assert read(admin, planned)["status"] == "planned"
    assert pane_of(admin, ready)["deliveredAt"] is None


def test_pane_is_on_one_planned_delivery_only(admin, workshop, job, plan):
    planned = plan(job, job.panes[0])
    body = {"customer": job.customer, "panes": ids(*job.panes)}
    refused = admin.post(PATH, body)
    assert reasons(refused) == {job.numbers[0]: "other_delivery"}
    [named] = refused.body["errors"]["panes"]
    assert named["delivery"] == planned["deliveryNumber"]
    admin.patch(f"{PATH}/{planned['_id']}", {"panes": []})
    assert admin.post(PATH, body).status == 201


def test_sheets_lost_panes_and_those_of_other_customers_are_not_planned(
    admin, workshop, job
):
    units = order_with_units(admin, workshop, customer=job.customer)
    admin.patch(f"/api/panes/{job.panes[0]['_id']}", {"currentStatus": "cancelled"})
    admin.patch(
        f"/api/panes/{job.panes[1]['_id']}", {"deliveredAt": "2026-11-01T00:00:00Z"}
    )
    other = order_with_panes(admin, workshop)
    sheet = pane_of(admin, units.sheets[0][0])
    panes = [*job.panes[:2], *other.panes, sheet]
    refused = admin.post(PATH, {"customer": job.customer, "panes": ids(*panes)})
    assert reasons(refused) == {
        job.numbers[0]: "lost",
        job.numbers[1]: "delivered",
        other.numbers[0]: "other_customer",
        sheet["paneNumber"]: "sheet",
    }


def test_of_two_deliveries_that_take_one_pane_at_once_one_gets_it(admin, job):
    body = {"customer": job.customer, "panes": ids(job.panes[0])}
    replies = run_concurrently([partial(admin.post, PATH, body)] * 2)
    assert sorted(one.status for one in replies) == [201, 409]


def test_delivery_is_handed_over_once(admin, worker, job, plan):
    planned = plan(job)
    calls = [
        partial(hand_over, one, planned, job.numbers[0]) for one in (admin, worker)
    ]
    replies = run_concurrently(calls)
    assert sorted(one.status for one in replies) == [200, 409]
    [refused] = [one for one in replies if one.status == 409]
    assert code(refused) == "ALREADY_DELIVERED"
    assert code(admin.patch(f"{PATH}/{planned['_id']}", {"notes": "x"})) == code(
        refused
    )
    assert reasons(act(admin, planned, "load", job.numbers[0])) == {
        job.numbers[0]: "delivered"
    }
    assert admin.delete(f"{PATH}/{planned['_id']}").status == 409


def test_pane_that_left_with_a_delivery_is_on_it_though_the_office_took_it_off(
    admin, worker, job, plan
):
    planned = plan(job)
    admin.patch(f"{PATH}/{planned['_id']}", {"panes": ids(job.panes[1])})
    first, second, _ = job.numbers
    delivered = hand_over(worker, planned, first, second).data
    assert delivered["panes"] == ids(*job.panes[:2])
    assert delivered["missingPanes"] == []


def test_of_two_deliveries_that_hand_over_one_pane_at_once_one_does(admin, job, plan):
    """A pane that the office took off both: it has left the workshop once."""
    both = [plan(job, one) for one in job.panes[:2]]
    for one in both:
        admin.patch(f"{PATH}/{one['_id']}", {"panes": []})
    calls = [partial(hand_over, admin, one, job.numbers[0]) for one in both]
    replies = run_concurrently(calls)
    assert sorted(one.status for one in replies) == [200, 409]
    [refused] = [one for one in replies if one.status == 409]
    assert reasons(refused) == {job.numbers[0]: "delivered"}


def test_panes_are_loaded_once_and_unloaded(admin, worker, job, plan):
    planned = plan(job, *job.panes[1:])
    other, ready, unfinished = job.numbers
    refused = act(worker, planned, "load", other, ready, unfinished)
    assert reasons(refused) == {other: "not_planned", unfinished: "unfinished"}
    for _ in range(2):
        loaded = act(worker, planned, "load", f"STDPLUS:{ready}").data
        assert loaded["loadedPanes"] == ids(job.panes[1])
    assert loaded["version"] == planned["version"] + 1
    taken_off = admin.patch(f"{PATH}/{planned['_id']}", {"panes": ids(job.panes[2])})
    assert taken_off.data["loadedPanes"] == []
    admin.patch(f"{PATH}/{planned['_id']}", {"panes": ids(job.panes[1])})
    act(worker, planned, "load", ready)
    assert act(worker, planned, "unload", ready).data["loadedPanes"] == []


@pytest.mark.parametrize("cancelled", ["pane", "delivery"])
def test_what_is_claimed_or_deleted_while_it_is_loaded_does_not_leave(
    admin, worker, job, plan, cancelled
):
    planned = plan(job)
    first, second = job.numbers[:2]
    cancel = {
        "pane": partial(claim_pane, admin, first),
        "delivery": partial(admin.delete, f"{PATH}/{planned['_id']}"),
    }
    loaded, done = run_concurrently(
        [partial(act, worker, planned, "load", first, second), cancel[cancelled]]
    )
    assert done.status in (200, 201), done.body
    if cancelled == "delivery":
        assert loaded.status in (200, 404), loaded.body
        assert plan(job)["loadedPanes"] == []
        return
    assert loaded.status == 200 or reasons(loaded) == {first: "claimed"}
    assert reasons(hand_over(worker, planned, first, second)) == {first: "claimed"}
    assert hand_over(worker, planned, second).data["panes"] == ids(job.panes[1])
    assert pane_of(admin, first)["deliveredAt"] is None


def test_signature_and_photos_are_shown_by_signed_links(admin, worker, job, plan):
    planned = plan(job)
    attached = [
        worker.post("/api/attachments", {"photo": photo(kind)}).data["_id"]
        for kind in ("image/png", "image/jpeg")
    ]
    refused = hand_over(admin, planned, job.numbers[0], signature=attached[0])
    assert code(refused) == "UNKNOWN_ATTACHMENT"
    delivered = hand_over(
        worker, planned, job.numbers[0], signature=attached[0], photos=attached[1:]
    ).data
    [recorded] = delivered["handOvers"]
    [shown] = recorded["photos"]
    for link in (recorded["signature"], shown):
        assert admin.get(link).status == 200
        assert admin.get(link.partition("?")[0]).status == 403
    assert act(worker, planned, "undo").status == 200
    assert admin.get(shown).status == 200
    assert admin.delete(f"{PATH}/{planned['_id']}").status == 200
    assert admin.get(shown).status == 404


def test_hand_over_is_undone_within_the_hour(admin, manager, worker, job, plan):
    planned = plan(job)
    hand_over(admin, planned, job.numbers[0])
    assert code(act(worker, planned, "undo")) == "NOT_OWN_HAND_OVER"
    undone = act(manager, planned, "undo")
    assert undone.status == 200, undone.body
    assert undone.data["status"] == "planned"
    assert undone.data["panes"] == ids(*job.panes)
    assert undone.data["deliveredAt"] is None
    assert pane_of(admin, job.numbers[0])["deliveredAt"] is None
    order = admin.get(f"/api/orders/{job.order['_id']}").data
    assert order["panesDelivered"] == 0
    assert code(act(manager, planned, "undo")) == "NOT_DELIVERED"


def test_undone_delivery_has_what_no_other_one_took_meanwhile(admin, job, plan):
    planned = plan(job)
    hand_over(admin, planned, job.numbers[0])
    plan(job, job.panes[1])
    undone = act(admin, planned, "undo").data
    assert undone["panes"] == ids(job.panes[0], job.panes[2])


def test_hand_over_is_undone_after_an_hour_by_an_order_manager_with_a_reason(
    admin, worker, job, plan, monkeypatch
):
    planned = plan(job)
    signature, picture = (
        worker.post("/api/attachments", {"photo": photo("image/png")}).data["_id"]
        for _ in range(2)
    )
    proof = {"signature": signature, "photos": [picture], "remark": "ที่ประตู"}
    done = hand_over(worker, planned, job.numbers[0], **proof).data
    later = clock.now() + timedelta(minutes=61)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert code(act(worker, planned, "undo", reason="wrong")) == "HAND_OVER_FINAL"
    refused = act(admin, planned, "undo")
    assert (refused.status, refused.errors[0]["field"]) == (400, "reason")
    undone = act(admin, planned, "undo", reason="wrong address").data
    assert (undone["status"], undone["deliveredAt"]) == ("planned", None)
    assert pane_of(admin, job.numbers[0])["deliveredAt"] is None
    [kept] = read(admin, planned)["handOvers"]
    assert kept["at"] == done["deliveredAt"]
    assert [kept[one] for one in ("deliveredBy", "receivedBy", "remark")] == [
        worker.worker.name,
        "คุณสมชาย",
        "ที่ประตู",
    ]
    assert kept["undone"]["by"] == admin.worker.name
    assert kept["undone"]["reason"] == "wrong address"
    for link in (kept["signature"], *kept["photos"]):
        assert requests.get(f"{admin.url}{link}", timeout=60).status_code == 200
    again = hand_over(worker, planned, job.numbers[0]).data
    assert [one["number"] for one in again["handOvers"]] == [1, 2]


def left(number, reason, **more):
    return {"paneNumber": number, "reason": reason, **more}


def unread(api):
    """What a worker was notified of deliveries."""
    found = api.get("/api/notifications", type="delivery_incomplete", limit=100).data
    return [one["message"] for one in found if one["recipient"] == api.id]


def test_two_phones_hand_over_their_parts_of_one_delivery(
    admin, manager, worker, workshop, plan
):
    job = order_with_panes(admin, workshop, steps=1, panes=4)
    finish(admin, job)
    one, two, three, four = job.numbers
    planned = plan(job)
    assert act(worker, planned, "load", one, two, three, four).status == 200
    before = len(unread(manager))
    first = hand_over(
        worker, planned, one, two, left=[left(three, "later"), left(four, "later")]
    ).data
    assert first["missingPanes"] == ids(*job.panes[2:])
    assert first["loadedPanes"] == ids(*job.panes)
    assert len(unread(manager)) == before  # the other vehicle has them
    assert code(hand_over(manager, planned, one)) == "ALREADY_DELIVERED"
    # the office plans a pane again before the second phone has network
    again = plan(job, job.panes[3])
    assert read(admin, planned)["missingPanes"] == ids(job.panes[2])
    signature = manager.post("/api/attachments", {"photo": photo("image/png")}).data
    stayed = [left(one, "forgotten")]
    body = {"paneNumbers": [two, three, four], "receivedBy": "คุณมาลี"}
    second = act(
        manager, planned, "hand-over", **body, left=stayed, signature=signature["_id"]
    )
    assert second.status == 200, second.body
    assert second.data["panes"] == ids(*job.panes)
    assert (second.data["missingPanes"], read(admin, again)["panes"]) == ([], [])
    here, there = second.data["handOvers"]
    assert (here["receivedBy"], there["receivedBy"]) == ("คุณสมชาย", "คุณมาลี")
    assert here["signature"] is None
    assert admin.get(there["signature"]).status == 200
    assert (there["left"], there["repeated"]) == ([], ids(job.panes[1]))
    assert "คุณมาลี" in note(admin, planned, handOver=2)
    assert "คุณมาลี" not in note(admin, planned, handOver=1)
    path = f"{PATH}/{planned['_id']}/pdf"
    assert admin.get(path, handOver=3).status == 404
    assert admin.get(path, handOver="x").status == 400
    undone = act(manager, planned, "undo", handOver=2).data
    assert (undone["status"], undone["panes"]) == ("delivered", ids(*job.panes[:2]))
    assert undone["missingPanes"] == ids(*job.panes[2:])
    assert [bool(row["undone"]) for row in undone["handOvers"]] == [False, True]
    assert code(act(manager, planned, "undo", handOver=2)) == "NOT_DELIVERED"
    assert act(admin, planned, "undo").data["status"] == "planned"
    assert read(admin, planned)["panes"] == ids(*job.panes)


def test_of_two_phones_at_once_each_hands_over_what_the_other_did_not(
    admin, worker, manager, job, plan
):
    planned = plan(job, *job.panes[:2])
    shared, own = job.numbers[:2]
    calls = [
        partial(hand_over, worker, planned, shared),
        partial(hand_over, manager, planned, shared, own),
    ]
    replies = run_concurrently(calls)
    done = read(admin, planned)
    assert sorted(one.status for one in replies) in ([200, 200], [200, 409])
    assert done["panes"] == ids(*job.panes[:2]), replies
    given = [pane for row in done["handOvers"] for pane in row["panes"]]
    assert sorted(given) == sorted(done["panes"])  # each once
    if len(done["handOvers"]) == 2:
        assert done["handOvers"][1]["repeated"] == ids(job.panes[0])


def test_panes_come_back_with_reasons_and_a_broken_one_is_claimed(
    admin, manager, worker, workshop, plan
):
    job = order_with_panes(admin, workshop, steps=1, panes=3)
    finish(admin, job)
    given, broken, refused = job.numbers
    planned = plan(job)
    pictures = [
        worker.post("/api/attachments", {"photo": photo("image/png")}).data["_id"]
        for _ in range(2)
    ]
    before = len(unread(manager))
    rows = [
        left(broken, "broken", note="มุมซ้าย", photos=pictures[:1]),
        left(refused, "refused", photos=pictures[1:]),
    ]
    both = hand_over(worker, planned, given, broken, left=rows)
    assert both.faults == {"left": f"{broken} is both handed over and left"}
    done = hand_over(worker, planned, given, left=rows).data
    [recorded] = done["handOvers"]
    shown = {row["paneNumber"]: row for row in recorded["left"]}
    assert {number: row["reason"] for number, row in shown.items()} == {
        broken: "broken",
        refused: "refused",
    }
    assert all(admin.get(row["photos"][0]).status == 200 for row in shown.values())
    assert done["missingPanes"] == ids(*job.panes[1:])
    [told] = unread(manager)[: len(unread(manager)) - before]
    assert "แตก 1, ลูกค้าไม่รับ 1" in told
    claim = admin.get(f"/api/claims/{shown[broken]['claim']}").data
    assert (claim["status"], claim["defectCode"]) == ("pending", "broken")
    assert "มุมซ้าย" in claim["description"]
    assert admin.get(claim["photos"][0]).status == 200
    checklist = admin.get(f"{PATH}/{planned['_id']}/checklist").data
    waiting = {one["paneNumber"]: one for one in checklist["missingPanes"]}
    assert waiting[broken]["state"] == "claimed"
    assert (waiting[refused]["state"], waiting[refused]["reason"]) == (
        "ready",
        "refused",
    )
    # the remake waits in the place of the broken pane
    decision = {"status": "approved", "decision": "destroy"}
    assert manager.patch(f"/api/claims/{claim['_id']}", decision).status == 200
    remade = admin.get(f"/api/claims/{claim['_id']}").data["remadePane"]
    assert read(admin, planned)["missingPanes"] == [remade, job.panes[2]["_id"]]
    rest = plan(job, {"_id": remade}, job.panes[2])
    assert read(admin, planned)["missingPanes"] == []
    assert rest["panes"] == [remade, job.panes[2]["_id"]]


def test_delivery_that_nobody_received_comes_back_whole_and_claims_end_with_the_undo(
    admin, worker, job, plan
):
    planned = plan(job, *job.panes[:2])
    broken, absent = job.numbers[:2]
    nothing = act(worker, planned, "hand-over", paneNumbers=[])
    assert list(nothing.faults) == ["paneNumbers"]
    nameless = act(worker, planned, "hand-over", paneNumbers=[broken])
    assert list(nameless.faults) == ["receivedBy"]
    foreign = act(
        worker, planned, "hand-over", paneNumbers=[], left=[left("PNE-9999", "absent")]
    )
    assert reasons(foreign) == {"PNE-9999": "not_planned"}
    rows = [left(broken, "broken"), left(absent, "absent")]
    back = act(worker, planned, "hand-over", paneNumbers=[], left=rows)
    assert back.status == 200, back.body
    assert (back.data["status"], back.data["deliveredAt"]) == ("returned", None)
    assert back.data["missingPanes"] == ids(*job.panes[:2])
    assert admin.delete(f"{PATH}/{planned['_id']}").status == 409
    open_ids = [one["_id"] for one in worker.get(f"{PATH}/open").data]
    assert planned["_id"] in open_ids
    claim = back.data["handOvers"][0]["left"][0]["claim"]
    undone = act(worker, planned, "undo").data
    assert (undone["status"], undone["panes"]) == ("planned", ids(*job.panes[:2]))
    rejected = admin.get(f"/api/claims/{claim}").data
    assert (rejected["status"], rejected["rejectedWith"]) == (
        "rejected",
        planned["deliveryNumber"],
    )
    assert hand_over(worker, planned, broken, absent).status == 200


def test_hand_over_without_network_happened_when_the_device_says(admin, job, plan):
    planned = plan(job)
    occurred = clock.now() - timedelta(hours=5)
    done = hand_over(
        admin, planned, job.numbers[0], occurredAt=f"{occurred.isoformat()}Z"
    ).data
    assert done["deliveredAt"][:19] == occurred.isoformat()[:19]
    assert done["undoableUntil"] > done["updatedAt"]
    assert done["handOvers"][0]["isEarly"]  # the panes were finished just now
    too_old = clock.now() - timedelta(hours=73)
    refused = hand_over(
        admin,
        plan(job, job.panes[1]),
        job.numbers[1],
        occurredAt=f"{too_old.isoformat()}Z",
    )
    assert code(refused) == "SCAN_TOO_OLD"


def test_remake_takes_the_place_of_the_pane_on_its_delivery(admin, workshop, plan):
    job = order_with_panes(admin, workshop, steps=1, panes=1)
    planned, station, number = plan(job), job.stations[0], job.numbers[0]
    for action in ("scan_in", "complete"):
        admin.scan(number, action, station=station)
    failed = admin.scan(number, "qc_fail", station=station, reason="chipped")
    assert failed.status == 200, failed.body
    remake = failed.data["remadePane"]
    assert read(admin, planned)["panes"] == [remake["_id"]]
    assert admin.post(f"/api/panes/{number}/undo", {}).status == 200
    assert read(admin, planned)["panes"] == ids(job.panes[0])


def test_laminated_pane_takes_the_place_of_its_unit(admin, workshop, plan):
    job = order_with_units(admin, workshop, before=0, after=0)
    parent = pane_of(admin, job.parents[0])
    planned = plan(job, parent)
    for number in job.sheets[0]:
        bring_to_lamination(admin, number, job)
    survivor = job.sheets[0][0]
    done = admin.scan(survivor, "laminate", station=job.lamination_station)
    assert done.status == 200, done.body
    assert read(admin, planned)["panes"] == [pane_of(admin, survivor)["_id"]]


def test_open_deliveries_show_the_floor_what_is_ready(admin, worker, job, plan):
    tomorrow = clock.now() + timedelta(days=1)
    planned = plan(job, plannedFor=f"{tomorrow.date()}", notes="โทรก่อน")
    plan_of_next_week = clock.now() + timedelta(days=7)
    act(worker, planned, "load", job.numbers[0])
    [shown] = [
        one for one in worker.get(f"{PATH}/open").data if one["_id"] == planned["_id"]
    ]
    assert shown["notes"] == "โทรก่อน"
    states = {
        one["paneNumber"]: (one["state"], one["isLoaded"]) for one in shown["panes"]
    }
    assert list(states.values()) == [
        ("ready", True), ("ready", False), ("unfinished", False),
    ]  # fmt: skip
    assert {one["orderNumber"] for one in shown["panes"]} == {job.order["orderNumber"]}
    assert worker.get(f"{PATH}/{planned['_id']}/checklist").data == shown
    admin.patch(
        f"{PATH}/{planned['_id']}", {"plannedFor": f"{plan_of_next_week.date()}"}
    )
    open_ids = [one["_id"] for one in worker.get(f"{PATH}/open").data]
    assert planned["_id"] not in open_ids


def test_deliveries_of_an_order_are_those_with_panes_of_it(admin, workshop, job, plan):
    other = order_with_panes(admin, workshop, customer=job.customer)
    first = plan(job, job.panes[0], *other.panes)
    plan(job, job.panes[1])
    of_other = admin.get(PATH, order=other.order["_id"]).data
    assert ids(*of_other) == ids(first)
    assert len(admin.get(PATH, order=job.order["_id"]).data) == 2
    assert admin.get(PATH, order="x").faults == {"order": "Not a valid id"}
    hand_over(admin, first, job.numbers[0])
    shown = admin.get(f"{PATH}/{first['_id']}/checklist").data
    for name, panes in (("panes", [job.panes[0]]), ("missingPanes", other.panes)):
        assert ids(*shown[name]) == ids(*panes)
    assert shown["missingPanes"][0]["order"] == other.order["_id"]


def test_deleted_delivery_frees_its_panes_and_is_restored_with_what_is_free(
    admin, job, plan
):
    planned = plan(job)
    path = f"{PATH}/{planned['_id']}"
    assert admin.delete(path).status == 200
    other = plan(job, *job.panes[:2])
    assert hand_over(admin, other, job.numbers[0]).data["missingPanes"]
    restored = admin.post(f"{path}/restore", {})
    assert restored.status == 201, restored.body
    assert restored.data["panes"] == ids(*job.panes[1:])
    assert read(admin, other)["missingPanes"] == []  # it is planned again


def note(api, delivery, **query):
    """The text of the delivery note."""
    return text_of_pdf(api, f"{PATH}/{delivery['_id']}/pdf", **query)


def test_delivery_note_shows_what_was_handed_over_and_what_was_not(
    admin, worker, workshop, plan
):
    size = {"width": 1000, "height": 2000, "thickness": 6}
    glass = {"glassType": "Clear", "thickness": 6}
    job = order_with_panes(
        admin, workshop, steps=1, panes=3, pane={"dimensions": size, "rawGlass": glass}
    )
    finish(admin, job, *job.numbers[:2])
    planned = plan(job, recipient="ไซต์งานคลอง 5", vehicle="กข 1234", language="en")
    text = note(admin, planned)
    assert "Delivery note" in text
    assert planned["deliveryNumber"] in text
    assert "ไซต์งานคลอง 5" in text
    assert "กข 1234" in text
    assert "90.0" in text  # kg: three panes of 2 m² and 6 mm
    signature = worker.post("/api/attachments", {"photo": photo("image/png")}).data[
        "_id"
    ]
    hand_over(worker, planned, *job.numbers[:2], signature=signature)
    text = note(admin, planned)
    assert "60.0" in text
    assert "คุณสมชาย" in text
    handed_over, _, missing = text.partition("Not handed over")
    assert job.order["orderNumber"] in handed_over
    assert job.numbers[2] in missing
    assert "ค้างส่ง" in note(admin, planned, language="th")


def test_note_shows_the_customer_to_those_who_may_read_customers(
    admin, workshop, client_with_keys, plan
):
    customer = workshop.customer(name="บริษัท กระจกใส จำกัด", tax_id="0105536000315")
    mine = order_with_panes(admin, workshop, customer=str(customer.pk))
    planned = plan(mine, recipient="หน้างาน")
    assert "0105536000315" in note(admin, planned)
    driver = client_with_keys("orders:view", "panes:scan")
    for reader, shows_recipient in (
        (driver, True),
        (client_with_keys("orders:view"), False),
    ):
        text = note(reader, planned)
        assert "0105536000315" not in text
        assert ("หน้างาน" in text) == shows_recipient
