"""Orders and requests that are cancelled, and taken back: what happens to the work."""

import pytest

from glassflow.models.withdrawal import Withdrawal
from invariants import WorkshopState
from lookups import order_of, pane_of
from scenarios import (
    bring_to_lamination,
    claim_pane,
    claim_under_order,
    order_with_panes,
    order_with_units,
    pass_station,
)
from stock_api import (
    assert_stock_matches_ledger,
    create_lot,
    quantities_of,
    withdraw,
)

PLACE = ("currentStatus", "currentStation", "routeIndex")


def places(api, job):
    """The places of all panes of a request, by number."""
    found = api.get(
        "/api/panes", request=job.request["_id"], includeMerged="true", limit=100
    )
    return {pane["paneNumber"]: [pane[name] for name in PLACE] for pane in found.data}


def record_of(job, kind):
    """The path of the order or the request of a job."""
    record = {"orders": job.order, "requests": job.request}[kind]
    return f"/api/{kind}/{record['_id']}"


def set_status(api, path, status):
    answer = api.patch(path, {"status": status})
    assert answer.status == 200, answer
    return answer.data


@pytest.fixture(params=["orders", "requests"])
def kind(request):
    """Whether an order is cancelled or its request."""
    return request.param


def test_taking_a_cancellation_back_restores_what_it_cancelled(
    admin, worker, workshop, kind
):
    job = order_with_panes(admin, workshop, steps=2, panes=5)
    path, (done, working, moved, fresh, lost) = record_of(job, kind), job.numbers
    for station in job.stations:
        pass_station(worker, done, station)
    worker.scan(working, "complete")
    pass_station(worker, moved, job.stations[0])
    gone = {"currentStatus": "cancelled"}
    admin.patch(f"/api/panes/{pane_of(admin, lost)['_id']}", gone)
    before, figures = places(admin, job), order_of(admin, job.order)
    assert figures["paneCount"] == 4

    set_status(admin, path, "cancelled")
    after = places(admin, job)
    assert (after.pop(done), after.pop(lost)) == (before[done], before[lost])
    assert {(status, station) for status, station, _ in after.values()} == {
        ("cancelled", None)
    }
    cancelled = order_of(admin, job.order)
    assert (cancelled["status"], cancelled["stationBreakdown"]) == ("cancelled", {})
    assert (cancelled["paneCount"], cancelled["panesCompleted"]) == (4, 1)

    set_status(admin, path, "pending")
    assert places(admin, job) == before
    now = order_of(admin, job.order)
    assert now["status"] == "in_progress"  # work had begun
    for name in ("paneCount", "panesCompleted", "stationBreakdown"):
        assert now[name] == figures[name]
    pass_station(worker, fresh, job.stations[0])
    assert worker.scan(working, "scan_out").status == 200


def test_untouched_order_is_pending_after_it_is_taken_back(admin, workshop, kind):
    job = order_with_panes(admin, workshop)
    path = record_of(job, kind)
    set_status(admin, path, "cancelled")
    set_status(admin, path, "in_progress")
    assert order_of(admin, job.order)["status"] == "pending"


def test_cancelled_unit_is_restored_with_its_sheets(admin, worker, workshop, kind):
    job = order_with_units(admin, workshop)
    path, (first, second) = record_of(job, kind), job.sheets[0]
    bring_to_lamination(worker, first, job)
    before = places(admin, job)
    set_status(admin, path, "cancelled")
    assert {status for status, _, _ in places(admin, job).values()} == {"cancelled"}
    set_status(admin, path, "pending")
    assert places(admin, job) == before
    bring_to_lamination(worker, second, job)
    assert worker.scan(first, "laminate").status == 200


def test_order_cancelled_before_its_request_stays_cancelled(admin, workshop):
    job = order_with_panes(admin, workshop)
    set_status(admin, record_of(job, "orders"), "cancelled")
    set_status(admin, record_of(job, "requests"), "cancelled")
    set_status(admin, record_of(job, "requests"), "in_progress")
    assert order_of(admin, job.order)["status"] == "cancelled"
    assert pane_of(admin, job.numbers[0])["currentStatus"] == "cancelled"
    set_status(admin, record_of(job, "orders"), "pending")
    assert pane_of(admin, job.numbers[0])["currentStatus"] == "pending"


def test_order_of_a_cancelled_request_is_not_taken_back_on_its_own(
    admin, worker, workshop
):
    job, other = order_with_panes(admin, workshop), order_with_panes(admin, workshop)
    set_status(admin, record_of(job, "requests"), "cancelled")
    path = record_of(job, "orders")
    elsewhere = {"request": other.request["_id"], "customer": other.customer}
    for change in ({"status": "pending"}, {"status": "in_progress"}, elsewhere):
        answer = admin.patch(path, change)
        assert (answer.status, answer.errors["code"]) == (400, "REQUEST_CANCELLED")
    assert admin.patch(path, {"status": None, "notes": "x"}).status == 200
    assert worker.scan(job.numbers[0], "scan_in").status == 400
    assert order_of(admin, job.order)["status"] == "cancelled"
    assert pane_of(admin, job.numbers[0])["currentStatus"] == "cancelled"


def test_finished_order_of_a_cancelled_request_is_not_revived(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1)
    pass_station(worker, job.numbers[0], job.stations[0])
    set_status(admin, record_of(job, "requests"), "cancelled")
    assert order_of(admin, job.order)["status"] == "completed"
    path = record_of(job, "orders")
    assert admin.patch(path, {"quantity": 2}).errors["code"] == "REQUEST_CANCELLED"
    claim = claim_pane(worker, job.numbers[0])  # a finished pane can be claimed
    decision = {"status": "approved"}
    remade = admin.patch(f"/api/claims/{claim.data['_id']}", decision)
    assert (remade.status, remade.errors["code"]) == (400, "REQUEST_CANCELLED")
    back = {"currentStatus": "pending", "currentStation": job.stations[0]}
    reopened = admin.patch(f"/api/panes/{job.panes[0]['_id']}", back)
    assert (reopened.status, reopened.errors["code"]) == (400, "REQUEST_CANCELLED")
    assert order_of(admin, job.order)["status"] == "completed"


def scrapped_by_its_claim(admin, job, elsewhere):
    claim = claim_pane(admin, job.numbers[0]).data
    decision = {"status": "approved", "decision": "destroy", "remake": False}
    return admin.patch(f"/api/claims/{claim['_id']}", decision)


def corrected_to_defected(admin, job, elsewhere):
    return correct_first_pane(admin, job, currentStatus="defected")


def corrected_to_cancelled(admin, job, elsewhere):
    return correct_first_pane(admin, job, currentStatus="cancelled")


def moved_to_another_order(admin, job, elsewhere):
    return correct_first_pane(admin, job, order=elsewhere.order["_id"])


def deleted_with_what_depends_on_it(admin, job, elsewhere):
    return admin.delete(f"/api/panes/{job.panes[0]['_id']}")


def correct_first_pane(admin, job, **change):
    return admin.patch(f"/api/panes/{job.panes[0]['_id']}", change)


LOSSES = {
    scrapped_by_its_claim: 0,
    corrected_to_defected: 1,
    corrected_to_cancelled: 0,
    moved_to_another_order: 1,
    deleted_with_what_depends_on_it: 1,
}


@pytest.mark.parametrize(("lose", "due"), LOSSES.items())
def test_finished_order_that_loses_its_pane_is_cancelled_with_its_request(
    admin, worker, workshop, set_policy, lose, due
):
    set_policy(delete_policy="cascade")
    job = order_with_panes(admin, workshop, steps=1)
    other = order_with_panes(admin, workshop, customer=job.customer)
    pass_station(worker, job.numbers[0], job.stations[0])
    request = record_of(job, "requests")
    set_status(admin, request, "cancelled")
    assert order_of(admin, job.order)["status"] == "completed"
    assert lose(admin, job, other).status == 200
    lost = order_of(admin, job.order)
    figures = (lost["paneCount"], lost["panesCompleted"], lost["stationBreakdown"])
    assert (lost["status"], *figures) == ("cancelled", due, 0, {})
    WorkshopState(admin).check_cancelled_work()
    alone = admin.patch(record_of(job, "orders"), {"status": "in_progress"})
    assert (alone.status, alone.errors["code"]) == (400, "REQUEST_CANCELLED")

    set_status(admin, request, "pending")
    restored = order_of(admin, job.order)
    assert restored["status"] == "in_progress"
    assert (restored["paneCount"], restored["panesCompleted"]) == (due, 0)
    assert admin.post("/api/panes", {"order": job.order["_id"]}).status == 201


def test_finished_order_that_keeps_a_pane_is_cancelled_with_its_request(
    admin, worker, workshop
):
    """The pane that is left stays finished; taking the request back leaves it so."""
    job = order_with_panes(admin, workshop, steps=1, panes=2)
    for number in job.numbers:
        pass_station(worker, number, job.stations[0])
    request = record_of(job, "requests")
    set_status(admin, request, "cancelled")
    assert corrected_to_defected(admin, job, None).status == 200
    lost = order_of(admin, job.order)
    assert (lost["status"], lost["panesCompleted"]) == ("cancelled", 1)
    set_status(admin, request, "pending")
    restored = order_of(admin, job.order)
    assert (restored["status"], restored["panesCompleted"]) == ("in_progress", 1)
    assert pane_of(admin, job.numbers[1])["currentStatus"] == "completed"


def test_finished_order_of_an_open_request_is_in_progress_without_its_pane(
    admin, worker, workshop
):
    job = order_with_panes(admin, workshop, steps=1)
    pass_station(worker, job.numbers[0], job.stations[0])
    assert corrected_to_defected(admin, job, None).status == 200
    assert order_of(admin, job.order)["status"] == "in_progress"


def test_nothing_is_added_to_cancelled_work(admin, worker, workshop, kind):
    job, other = order_with_panes(admin, workshop), order_with_panes(admin, workshop)
    set_status(admin, record_of(job, kind), "cancelled")
    code = {"orders": "ORDER_CANCELLED", "requests": "REQUEST_CANCELLED"}[kind]
    order, request = {"order": job.order["_id"]}, {"request": job.request["_id"]}
    link = order if kind == "orders" else request
    taken = {"material": job.material, "quantity": 1, "stockType": "Raw"}
    lot = {"material": job.material, "stockType": "Raw", "location": "A"}
    admin.post("/api/inventories", {**lot, "quantity": 9})
    claim = {
        "source": "worker",
        "material": job.material,
        "description": "แตก",
        "reportedBy": admin.id,
    }
    refused = [
        admin.post("/api/panes", link),
        admin.patch(f"/api/panes/{other.panes[0]['_id']}", link),
        admin.post("/api/withdrawals", {**taken, **order}),
        admin.post("/api/withdrawals", {**taken, "panes": [job.panes[0]["_id"]]}),
        admin.post(f"/api/orders/{job.order['_id']}/claims", claim),
    ]
    if kind == "requests":
        moved = {**request, "customer": job.customer}
        body = {"customer": job.customer, "material": job.material, "quantity": 1}
        refused += [
            admin.post("/api/orders", {**body, **request}),
            admin.patch(f"/api/orders/{other.order['_id']}", moved),
        ]
    codes = [(one.status, one.errors["code"]) for one in refused]
    assert {status for status, _ in codes} == {400}
    assert {found for _, found in codes} <= {code, "ORDER_CANCELLED"}
    assert order_of(admin, other.order) == other.order
    assert pane_of(admin, other.numbers[0]) == other.panes[0]


def test_withdrawal_is_not_moved_into_cancelled_work(admin, workshop):
    job = order_with_panes(admin, workshop)
    lot = {"material": job.material, "stockType": "Raw", "location": "A"}
    admin.post("/api/inventories", {**lot, "quantity": 9})
    taken = {"material": job.material, "quantity": 1, "stockType": "Raw"}
    made = admin.post("/api/withdrawals", taken).data
    path = f"/api/withdrawals/{made['_id']}"
    set_status(admin, record_of(job, "orders"), "cancelled")
    moved = admin.patch(path, {"order": job.order["_id"]})
    assert (moved.status, moved.errors["code"]) == (400, "ORDER_CANCELLED")
    # one that is there can still be changed, also by sending it back whole, and not raised
    Withdrawal.objects(pk=made["_id"]).update(order=job.order["_id"])
    assert admin.patch(path, {**admin.get(path).data, "notes": "x"}).status == 200
    raised = admin.patch(path, {"quantity": 2})
    assert (raised.status, raised.errors["code"]) == (400, "ORDER_CANCELLED")
    assert admin.patch(path, {"status": "rejected"}).status == 200


def test_request_is_not_created_cancelled_with_panes(admin, workshop):
    body = {
        "customer": str(workshop.customer().pk),
        "details": {"type": "a", "quantity": 1},
        "status": "cancelled",
    }
    assert admin.post("/api/requests", {**body, "panes": [{}]}).status == 400
    assert admin.post("/api/requests", body).status == 201


def test_order_created_cancelled_adopts_nothing(admin, workshop):
    customer, glass = str(workshop.customer().pk), str(workshop.material().pk)
    details = {"type": "a", "quantity": 1}
    made = admin.post(
        "/api/requests", {"customer": customer, "details": details, "panes": [{}]}
    ).data
    body = {"customer": customer, "material": glass, "quantity": 1}
    link = {"request": made["_id"], "status": "cancelled"}
    assert admin.post("/api/orders", {**body, **link}).data["paneCount"] == 1
    assert pane_of(admin, made["panes"][0]["_id"])["order"] is None


def test_pane_cancelled_with_its_work_stays_there_until_it_is_corrected(
    admin, workshop
):
    job = order_with_panes(admin, workshop)
    other = order_with_panes(admin, workshop, customer=job.customer)
    path = f"/api/panes/{job.panes[0]['_id']}"
    set_status(admin, record_of(job, "orders"), "cancelled")
    move = {"order": other.order["_id"]}
    refused = admin.patch(path, move)
    assert (refused.status, refused.errors["code"]) == (400, "WORK_CANCELLED")
    open_again = {"currentStatus": "pending", "currentStation": job.stations[0]}
    refused = admin.patch(path, open_again)
    assert (refused.status, refused.errors["code"]) == (400, "ORDER_CANCELLED")
    moved = admin.patch(path, {**move, **open_again})
    assert moved.data["currentStatus"] == "pending"
    set_status(admin, record_of(job, "orders"), "pending")
    assert pane_of(admin, job.numbers[0]) == moved.data


def test_only_pending_and_in_progress_take_a_cancellation_back(admin, workshop):
    job = order_with_panes(admin, workshop)
    path = record_of(job, "requests")
    reason = {"status": "cancelled", "cancelReason": "ลูกค้าเปลี่ยนใจ"}
    assert admin.patch(path, reason).status == 200
    for status in ("draft", "completed"):
        answer = admin.patch(path, {"status": status})
        assert (answer.status, answer.errors["code"]) == (400, "REQUEST_CANCELLED")
    assert admin.patch(path, {"status": None}).data["status"] == "cancelled"
    back = set_status(admin, path, "in_progress")
    assert (back["status"], back["cancelledBy"]) == ("in_progress", None)
    assert not back["cancelReason"]


def test_claim_without_a_pane_stays_pending_when_its_order_is_cancelled(
    admin, workshop
):
    job = order_with_panes(admin, workshop)
    claim = claim_under_order(admin, job, pane=None)
    set_status(admin, record_of(job, "orders"), "cancelled")
    assert admin.get(f"/api/claims/{claim['_id']}").data["status"] == "pending"


def test_pane_of_two_cancelled_works_waits_for_both(admin, workshop):
    job = order_with_panes(admin, workshop)
    other = order_with_panes(admin, workshop, customer=job.customer)
    work = {"order": other.order["_id"], "request": job.request["_id"]}
    path = f"/api/panes/{job.panes[0]['_id']}"
    assert admin.patch(path, work).status == 200
    set_status(admin, record_of(job, "requests"), "cancelled")
    set_status(admin, record_of(other, "requests"), "cancelled")
    set_status(admin, record_of(job, "requests"), "pending")
    assert admin.get(path).data["currentStatus"] == "cancelled"
    set_status(admin, record_of(other, "requests"), "pending")
    assert admin.get(path).data["currentStatus"] == "pending"
    assert order_of(admin, other.order)["paneCount"] == 2


def test_restored_work_leaves_out_stations_that_are_gone_and_says_so(
    admin, worker, workshop, kind
):
    job = order_with_panes(admin, workshop, steps=3, panes=3)
    one, two, three = job.stations
    order = f"/api/orders/{job.order['_id']}"
    admin.patch(order, {"stations": job.stations, "currentStationIndex": 2})
    pass_station(worker, job.numbers[1], one)
    for station in (one, two):
        pass_station(worker, job.numbers[2], station)
    set_status(admin, record_of(job, kind), "cancelled")
    name = admin.get(f"/api/stations/{two}").data["name"]
    assert admin.delete(f"/api/stations/{two}").status == 200
    admin.get(f"/api/stations/{two}/history")  # which has its last name then
    answer = admin.patch(record_of(job, kind), {"status": "pending"})
    (warning,) = answer.body["warnings"]
    assert answer.status == 200
    assert name in warning["message"]
    # in place, moved on from the station that is gone, in place behind it
    assert [place for _, place in sorted(places(admin, job).items())] == [
        ["pending", one, 0],
        ["pending", three, 1],
        ["pending", three, 1],
    ]
    assert {tuple(pane_of(admin, one)["routing"]) for one in job.numbers} == {
        (one, three)
    }
    restored = admin.get(order).data
    assert (restored["stations"], restored["currentStationIndex"]) == ([one, three], 1)
    for number in job.numbers[1:]:
        assert worker.scan(number, "scan_in", station=three).status == 200


def test_units_that_no_station_laminates_any_more_stay_cancelled(admin, workshop, kind):
    job = order_with_units(admin, workshop)
    plain = {"order": job.order["_id"], "routing": job.stations[:1]}
    number = admin.post("/api/panes", plain).data["paneNumber"]
    set_status(admin, record_of(job, kind), "cancelled")
    assert admin.delete(f"/api/stations/{job.lamination_station}").status == 200
    answer = admin.patch(record_of(job, kind), {"status": "pending"})
    assert "1" in answer.body["warnings"][1]["message"]
    assert pane_of(admin, number)["currentStatus"] == "pending"
    for one in (*job.parents, *job.sheets[0]):
        assert pane_of(admin, one)["currentStatus"] == "cancelled"
    assert order_of(admin, job.order)["paneCount"] == 1  # the unit is not due any more


@pytest.mark.parametrize("by_pane", [True, False])
def test_cancellation_rejects_pending_withdrawals_and_says_so_before(
    admin, worker, workshop, client_with_keys, kind, by_pane
):
    job = order_with_panes(admin, workshop, panes=3)
    lot = create_lot(admin, job.material, 20)
    work = {"order": job.order["_id"]}
    named = {"panes": [job.panes[0]["_id"]]} if by_pane else work
    pending = withdraw(admin, lot, 3, **named).data
    approved = withdraw(admin, lot, 5, status="approved", **work).data
    claim = claim_pane(worker, job.numbers[1]).data
    done = job.numbers[2]
    for station in job.stations:
        pass_station(worker, done, station)
    path = record_of(job, kind)
    said = admin.get(f"{path}/cancellation").data
    counts = {"orders": 1, "panes": 2, "claims": 1, "withdrawals": 1}
    assert said == {**counts, "price": "0.00"}
    bare = client_with_keys(f"{kind}:view").get(f"{path}/cancellation").data
    assert {name for name, count in bare.items() if count is not None} == (
        {"orders"} if kind == "orders" else set()
    )
    assert quantities_of(admin, lot) == [12]

    set_status(admin, path, "cancelled")
    found = [
        admin.get(f"/api/withdrawals/{one['_id']}").data for one in (pending, approved)
    ]
    assert [one["status"] for one in found] == ["rejected", "approved"]
    number = job.order["orderNumber"]
    if kind == "requests":
        number = job.request["requestNumber"]
    assert [one["rejectedWith"] for one in found] == [number, ""]
    assert (found[0]["approvedBy"], found[0]["allocations"]) == (admin.id, [])
    rejected = admin.get(f"/api/claims/{claim['_id']}").data
    assert (rejected["status"], rejected["rejectedWith"]) == ("rejected", number)
    assert quantities_of(admin, lot) == [15]
    if by_pane:
        assert pane_of(admin, job.numbers[0])["isWithdrawn"] is False
    none = {"panes": 0, "claims": 0, "withdrawals": 0}
    assert admin.get(f"{path}/cancellation").data.items() >= none.items()

    set_status(admin, path, "pending")  # which does not take the rejections back
    again = admin.get(f"/api/withdrawals/{pending['_id']}").data
    assert again["status"] == "rejected"
    assert admin.get(f"/api/claims/{claim['_id']}").data["rejectedWith"] == number
    assert quantities_of(admin, lot) == [15]
    assert_stock_matches_ledger()


def test_pane_whose_route_was_corrected_is_restored_on_the_new_one(admin, workshop):
    job = order_with_panes(admin, workshop, steps=3, panes=2)
    path, (one, two, three) = record_of(job, "orders"), job.stations
    places_before = [{"currentStation": two}, {"currentStation": three}]
    for pane, place in zip(job.panes, places_before, strict=True):
        admin.patch(f"/api/panes/{pane['_id']}", place)
    set_status(admin, path, "cancelled")
    for pane in job.panes:
        changed = admin.patch(f"/api/panes/{pane['_id']}", {"routing": [two, one]})
        assert changed.status == 200
    set_status(admin, path, "pending")
    # the station of the first is on the new route, that of the second is not
    assert list(places(admin, job).values()) == [["pending", two, 0]] * 2
    assert order_of(admin, job.order)["stationBreakdown"] == {two: 2}
