"""Concurrent scans of one pane: one succeeds, the others are refused with a reason."""

from collections import Counter
from functools import partial

import pytest

from concurrency import CLIENTS, FEW_ROUNDS, ROUNDS, run_concurrently
from invariants import WorkshopState
from lookups import order_of, pane_actions, pane_of
from scenarios import order_with_panes

pytestmark = [pytest.mark.sized, pytest.mark.slow]


def count_logs(api, pane):
    found = api.get("/api/pane-logs", paneId=pane["_id"], limit=100).data
    return Counter(log["action"] for log in found)


def test_one_of_twenty_concurrent_scan_outs_succeeds(admin, workshop, worker_clients):
    job = order_with_panes(admin, workshop, steps=3, panes=ROUNDS)
    for pane in job.panes:
        number = pane["paneNumber"]
        admin.scan(number, "complete")
        answers = run_concurrently(
            [
                lambda api=api, number=number: api.scan(
                    number, "scan_out", station=job.stations[0]
                )
                for api in worker_clients
            ]
        )
        won = [one for one in answers if one.status == 200]
        lost = [one for one in answers if one.status != 200]
        assert len(won) == 1
        assert {(one.status, one.errors["code"]) for one in lost} == {
            (400, "WRONG_STATION")
        }
        assert count_logs(admin, pane)["scan_out"] == 1
        found = pane_of(admin, number)
        assert (found["routeIndex"], found["currentStation"]) == (1, job.stations[1])
    order = order_of(admin, job.order)
    assert order["stationBreakdown"] == {job.stations[1]: ROUNDS}
    WorkshopState(admin).check()
    print(f"{ROUNDS} rounds of {CLIENTS}: one scan_out each, the others refused")


def test_same_scan_sent_twenty_times_by_one_worker_gets_one_result(
    admin, worker, workshop
):
    job = order_with_panes(admin, workshop, steps=3)
    (number,) = job.numbers
    worker.scan(number, "complete")
    answers = run_concurrently(
        [lambda: worker.scan(number, "scan_out", station=job.stations[0])] * CLIENTS
    )
    assert {one.status for one in answers} == {200}
    assert {one.data["log"]["_id"] for one in answers} == {
        answers[0].data["log"]["_id"]
    }
    assert count_logs(admin, job.panes[0])["scan_out"] == 1


def test_different_concurrent_scans_leave_a_pane_that_matches_its_logs(
    admin, workshop, worker_clients
):
    job = order_with_panes(admin, workshop, steps=2)
    (number,) = job.numbers
    actions = ("scan_in", "start", "complete", "scan_out")
    for round_ in range(ROUNDS):
        answers = run_concurrently(
            [
                lambda api=api, n=n, r=round_: api.scan(
                    number, actions[n % 4], description=f"{r}"
                )
                for n, api in enumerate(worker_clients)
            ]
        )
        assert {one.status for one in answers} <= {200, 400}
    counts = count_logs(admin, job.panes[0])
    found = pane_of(admin, number)
    assert counts["scan_out"] == found["routeIndex"]
    assert (found["currentStatus"] == "completed") == (counts["scan_out"] == 2)


def test_one_of_two_devices_hands_a_pane_on_or_fails_it_before_it_is_done(
    admin, workshop, worker_clients
):
    """Beside a complete, which may be the first of the three; nobody is shown a half."""
    job = order_with_panes(admin, workshop, steps=2, panes=ROUNDS)
    whole = {
        "scan_out": (["scan_in", "complete", "scan_out"], "pending"),
        "qc_fail": (["qc_fail"], "defected"),
    }
    for pane in job.panes:
        number, fields = pane["paneNumber"], {"station": job.stations[0]}
        early = {**fields, "reason": "broken", "beforeComplete": True}
        on, failed, completed = run_concurrently(
            [
                partial(worker_clients[0].scan, number, "scan_out", **early),
                partial(worker_clients[1].scan, number, "qc_fail", **early),
                partial(worker_clients[2].scan, number, "complete", **fields),
            ]
        )
        assert sorted([on.status, failed.status]) == [200, 400]
        won, lost = ("scan_out", failed) if on.status == 200 else ("qc_fail", on)
        assert lost.errors["code"] in ("WRONG_STATION", "ALREADY_DEFECTED")
        logged, state = whole[won]
        if completed.status == 200:
            logged = ["scan_in", "complete", won]
        assert pane_actions(admin, number) == logged
        assert pane_of(admin, number)["currentStatus"] == state
    WorkshopState(admin).check()


@pytest.mark.parametrize("who", ["many workers", "one worker"])
def test_concurrent_scan_in_and_scan_out_are_applied_and_logged(
    admin, workshop, worker_clients, who
):
    job = order_with_panes(admin, workshop, steps=2, panes=FEW_ROUNDS)
    first, second = job.stations
    for pane in job.panes:
        number = pane["paneNumber"]
        admin.scan(number, "complete")
        calls = []
        for n, api in enumerate(
            worker_clients if who == "many workers" else worker_clients[:1] * 20
        ):
            action, station = (("scan_out", first), ("scan_in", second))[n % 2]
            fields = {"station": station, "description": f"{n}"}  # none is a repeat
            calls.append(
                lambda api=api, number=number, action=action, fields=fields: api.scan(
                    number, action, **fields
                )
            )
        answers = run_concurrently(calls)
        applied = [one.data["log"] for one in answers if one.status == 200]
        refused = {
            (one.status, one.errors["code"]) for one in answers if one.status != 200
        }
        assert refused == {(400, "WRONG_STATION")}
        counts = count_logs(admin, pane)
        assert counts["scan_out"] == 1
        assert len({log["_id"] for log in applied}) == len(applied)
        before = 2  # the complete and the scan_in that it implied
        assert sum(counts.values()) == before + len(applied)


def test_concurrently_completed_panes_of_an_order_are_all_counted(
    admin, workshop, worker_clients
):
    job = order_with_panes(admin, workshop, steps=1, panes=CLIENTS)
    run_concurrently([lambda n=n: admin.scan(n, "complete") for n in job.numbers])
    answers = run_concurrently(
        [
            lambda api=api, number=number: api.scan(number, "scan_out")
            for api, number in zip(worker_clients, job.numbers, strict=True)
        ]
    )
    for api, number, answer in zip(worker_clients, job.numbers, answers, strict=True):
        if (
            answer.status == 409
        ):  # gave up under the worker_clients, and changed nothing
            answer = api.scan(number, "scan_out")
        assert answer.status == 200, answer
    order = order_of(admin, job.order)
    assert (order["panesCompleted"], order["status"]) == (CLIENTS, "completed")
    assert order["stationBreakdown"] == {}


def test_batch_is_applied_completely_or_not_beside_concurrent_scans(
    admin, workshop, worker_clients
):
    job = order_with_panes(admin, workshop, steps=2, panes=10)
    body = {"paneNumbers": job.numbers, "action": "complete"}
    calls = [lambda: admin.post("/api/panes/batch-scan", body)]
    calls += [
        lambda api=api, n=n: api.scan(n, "scan_in", station=job.stations[0])
        for api, n in zip(worker_clients, job.numbers, strict=False)
    ]
    answers = run_concurrently(calls)
    assert {one.status for one in answers} <= {200, 400, 409}
    found = admin.get("/api/panes", request=job.request["_id"], limit=100).data
    if answers[0].status == 200:
        assert {pane["currentStatus"] for pane in found} == {"awaiting_scan_out"}
    for pane, answer in zip(job.panes, answers[1:], strict=True):
        assert (count_logs(admin, pane)["scan_in"] >= 1) or answer.status != 200


def test_load_is_lost_whole_or_not_beside_the_scan_of_one_of_its_panes(
    admin, workshop, worker_clients
):
    """A pane that was handed on saves the others; else it is lost with them, and once."""
    won = set()
    for n in range(FEW_ROUNDS):
        job = order_with_panes(admin, workshop, steps=2, panes=4)
        body = {"paneNumbers": job.numbers, "station": job.stations[0]}
        body["reason"] = "broken"
        scan = {"station": job.stations[0], "beforeComplete": True}
        lose = partial(worker_clients[0].post, "/api/panes/batch-fail", body)
        hand_on = partial(worker_clients[1].scan, job.numbers[1], "scan_out", **scan)
        again = partial(worker_clients[2].post, "/api/panes/batch-fail", body)
        calls = [lose, again, hand_on] if n % 2 else [hand_on, lose, again]
        answers = run_concurrently(calls)
        assert {one.status for one in answers} <= {200, 400, 409}
        assert sum(one.status == 200 for one in answers) == 1
        lost = [pane_of(admin, one)["currentStatus"] for one in job.numbers]
        is_lost = set(lost) == {"defected"}
        assert is_lost or "defected" not in lost
        made = admin.get("/api/panes", request=job.request["_id"]).body["pagination"]
        assert made["total"] == (8 if is_lost else 4)
        won.add(is_lost)
    assert won
    WorkshopState(admin).check()


def test_one_of_several_concurrent_orders_adopts_the_panes(admin, workshop):
    job = order_with_panes(admin, workshop, panes=1)
    request = admin.post(
        "/api/requests",
        {
            "customer": job.customer,
            "details": {"type": "a", "quantity": 5},
            "panes": [{}] * 5,
        },
    ).data
    body = {
        "customer": job.customer,
        "material": job.material,
        "quantity": 5,
        "request": request["_id"],
    }
    made = run_concurrently([lambda: admin.post("/api/orders", body)] * 6)
    orders = [one.data["_id"] for one in made if one.status == 201]
    panes = admin.get("/api/panes", request=request["_id"]).data
    owners = {pane["order"] for pane in panes}
    assert len(owners) == 1
    counts = [
        admin.get("/api/panes", order=one).body["pagination"]["total"] for one in orders
    ]
    assert sorted(counts)[-1] == 5
    assert sum(counts) == 5
