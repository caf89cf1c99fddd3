"""A request is cancelled while its panes are scanned and work is added to it."""

from collections import Counter
from functools import partial

import pytest

from concurrency import (
    CLIENTS,
    ROUNDS,
    count_refusals,
    run_concurrently,
    successes,
)
from invariants import WorkshopState
from lookups import order_of, pane_of
from scenarios import order_with_panes, order_with_units

ACTIONS = ("scan_in", "start", "complete")
pytestmark = [pytest.mark.sized, pytest.mark.slow, pytest.mark.timeout(400)]


def test_request_is_cancelled_while_its_panes_are_scanned(
    admin, worker_clients, workshop
):
    applied, refused = Counter(), Counter()
    for _ in range(ROUNDS):
        job = order_with_panes(admin, workshop, steps=2, panes=4)
        path = f"/api/requests/{job.request['_id']}"
        calls = [
            lambda api=api, n=n, job=job: api.scan(
                job.numbers[n % 4], ACTIONS[n % 3], station=job.stations[0]
            )
            for n, api in enumerate(worker_clients[:-1])
        ]
        cancel = lambda path=path: admin.patch(path, {"status": "cancelled"})  # noqa: E731
        middle = len(calls) // 2
        answers = run_concurrently([*calls[:middle], cancel, *calls[middle:]])
        assert answers[middle].status == 200, answers[middle]
        del answers[middle]
        applied.update(
            one.data["log"]["action"] for one in answers if one.status == 200
        )
        refused += count_refusals(answers)
        panes = admin.get("/api/panes", request=job.request["_id"]).data
        assert {pane["currentStatus"] for pane in panes} == {"cancelled"}
        order = order_of(admin, job.order)
        assert (order["status"], order["stationBreakdown"]) == ("cancelled", {})
    # a scan that came too late meets the pane that is cancelled now
    assert {code for _, code in refused} <= {"ALREADY_CANCELLED", "AWAITING_SCAN_OUT"}
    assert {status for status, _ in refused} == {400}
    WorkshopState(admin).check()
    print(f"{ROUNDS} requests cancelled under {CLIENTS - 1} scans each: "
          f"{dict(applied)} applied before, {dict(refused)} refused after")  # fmt: skip


def test_no_order_and_no_pane_stays_open_in_a_request_that_is_cancelled(
    admin, admin_clients, workshop
):
    made, refused = Counter(), Counter()
    for _ in range(ROUNDS):
        job = order_with_panes(admin, workshop)
        link = {"request": job.request["_id"]}
        assert admin.post("/api/panes", link).status == 201  # for one of the orders
        order = {"customer": job.customer, "material": job.material, "quantity": 1}
        bodies = [
            ("/api/orders", {**order, **link}),
            ("/api/panes", link),
            ("/api/panes", {"order": job.order["_id"]}),
        ]
        calls = [
            lambda api=api, one=bodies[n % 3]: api.post(*one)
            for n, api in enumerate(admin_clients[:9])
        ]
        path = f"/api/requests/{job.request['_id']}"
        cancel = lambda path=path: admin.patch(path, {"status": "cancelled"})  # noqa: E731
        answers = run_concurrently([*calls[:4], cancel, *calls[4:]])
        assert answers.pop(4).status == 200
        refused += count_refusals(answers)
        made.update(one.data.keys() >= {"orderNumber"} for one in successes(answers))
        orders = admin.get("/api/orders", **link).data
        ids = ",".join(one["_id"] for one in orders)
        panes = [
            *admin.get("/api/panes", **link).data,
            *admin.get("/api/panes", order=ids).data,
        ]
        assert {one["status"] for one in orders} == {"cancelled"}
        assert {one["currentStatus"] for one in panes} == {"cancelled"}
        assert order_of(admin, job.order)["stationBreakdown"] == {}
    assert {status for status, _ in refused} <= {400}
    codes = {"ORDER_CANCELLED", "REQUEST_CANCELLED", "NO_PANES_LEFT"}
    assert {code for _, code in refused} <= codes
    WorkshopState(admin).check()
    print(f"{ROUNDS} rounds: {dict(made)} made (True: orders), {dict(refused)} refused")


def test_request_is_cancelled_while_finished_orders_of_it_are_opened_again(
    admin, admin_clients, workshop
):
    """The pane is lost before or after the cancellation; the order is cancelled either way."""
    for _ in range(ROUNDS):
        job = order_with_panes(admin, workshop, steps=1)
        for action in ("complete", "scan_out"):
            assert admin.scan(job.numbers[0], action).status == 200
        lose = partial(
            admin_clients[0].patch,
            f"/api/panes/{job.panes[0]['_id']}",
            {"currentStatus": "defected"},
        )
        cancel = partial(
            admin_clients[1].patch,
            f"/api/requests/{job.request['_id']}",
            {"status": "cancelled"},
        )
        answers = run_concurrently([lose, cancel])
        assert [one.status for one in answers] == [200, 200]
        assert order_of(admin, job.order)["status"] == "cancelled"
    WorkshopState(admin).check_cancelled_work()


def test_unit_is_cancelled_while_one_of_its_sheets_is_begun(
    admin, worker_clients, workshop
):
    """Exactly one of the two happens."""
    won = Counter()
    for _ in range(ROUNDS):
        job = order_with_units(admin, workshop)
        parent, sheets = pane_of(admin, job.parents[0]), job.sheets[0]
        path = f"/api/panes/{parent['_id']}"
        cancel = partial(admin.patch, path, {"currentStatus": "cancelled"})
        begin = partial(worker_clients[0].scan, sheets[1], "start")
        answers = run_concurrently([cancel, begin])
        codes = [one.status == 200 or one.errors["code"] for one in answers]
        assert codes in ([True, "ALREADY_CANCELLED"], ["UNIT_BEGUN", True]), codes
        statuses = {pane_of(admin, one)["currentStatus"] for one in sheets}
        gone = codes[0] is True
        assert statuses == ({"cancelled"} if gone else {"pending", "in_progress"})
        assert order_of(admin, job.order)["paneCount"] == (0 if gone else 1)
        won["cancelled" if gone else "begun"] += 1
    print(f"{ROUNDS} units: {dict(won)}")
