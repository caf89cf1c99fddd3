"""Many at one pane at once, over real HTTP: one wins, the others are told why."""

from collections import Counter

import pytest

from crowd import CLIENTS, ROUNDS, at_once
from invariants import Floor
from stories import line

pytestmark = pytest.mark.slow

FEWER = 8  # rounds of what is no proof by itself


def logged(api, pane):
    found = api.get("/api/pane-logs", paneId=pane["_id"], limit=100).data
    return Counter(log["action"] for log in found)


def test_twenty_workers_scan_one_pane_out_and_it_leaves_once(admin, workshop, crowd):
    day = line(admin, workshop, steps=3, panes=ROUNDS)
    for pane in day.panes:
        number = pane["paneNumber"]
        admin.scan(number, "complete")
        answers = at_once(
            [
                lambda api=api, number=number: api.scan(
                    number, "scan_out", station=day.stations[0]
                )
                for api in crowd
            ]
        )
        won = [one for one in answers if one.status == 200]
        lost = [one for one in answers if one.status != 200]
        assert len(won) == 1
        assert {(one.status, one.errors["code"]) for one in lost} == {
            (400, "WRONG_STATION")
        }
        assert logged(admin, pane)["scan_out"] == 1
        found = admin.get(f"/api/panes/{number}").data
        assert (found["routeIndex"], found["currentStation"]) == (1, day.stations[1])
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert order["stationBreakdown"] == {day.stations[1]: ROUNDS}
    Floor(admin).check()
    print(f"{ROUNDS} rounds of {CLIENTS}: one scan_out each, the others refused")


def test_one_worker_whose_phone_sends_twenty_times_is_answered_alike(
    admin, worker, workshop
):
    day = line(admin, workshop, steps=3)
    (number,) = day.numbers
    worker.scan(number, "complete")
    answers = at_once(
        [lambda: worker.scan(number, "scan_out", station=day.stations[0])] * CLIENTS
    )
    assert {one.status for one in answers} == {200}
    assert {one.data["log"]["_id"] for one in answers} == {
        answers[0].data["log"]["_id"]
    }
    assert logged(admin, day.panes[0])["scan_out"] == 1


def test_different_scans_at_once_leave_a_pane_that_its_logs_explain(
    admin, workshop, crowd
):
    day = line(admin, workshop, steps=2)
    (number,) = day.numbers
    actions = ("scan_in", "start", "complete", "scan_out")
    for round_ in range(FEWER):
        answers = at_once(
            [
                lambda api=api, n=n, r=round_: api.scan(
                    number, actions[n % 4], description=f"{r}"
                )
                for n, api in enumerate(crowd)
            ]
        )
        assert {one.status for one in answers} <= {200, 400}
    counts = logged(admin, day.panes[0])
    found = admin.get(f"/api/panes/{number}").data
    assert counts["scan_out"] == found["routeIndex"]
    assert (found["currentStatus"] == "completed") == (counts["scan_out"] == 2)


@pytest.mark.parametrize("who", ["many workers", "one worker"])
def test_scans_in_and_out_at_once_are_applied_once_each_and_logged(
    admin, workshop, crowd, who
):
    day = line(admin, workshop, steps=2, panes=FEWER // 2)
    first, second = day.stations
    for pane in day.panes:
        number = pane["paneNumber"]
        admin.scan(number, "complete")
        calls = []
        for n, api in enumerate(crowd if who == "many workers" else crowd[:1] * 20):
            action, station = (("scan_out", first), ("scan_in", second))[n % 2]
            said = {"station": station, "description": f"{n}"}  # none is a repeat
            calls.append(
                lambda api=api, number=number, action=action, said=said: api.scan(
                    number, action, **said
                )
            )
        answers = at_once(calls)
        applied = [one.data["log"] for one in answers if one.status == 200]
        refused = {
            (one.status, one.errors["code"]) for one in answers if one.status != 200
        }
        assert refused == {(400, "WRONG_STATION")}
        counts = logged(admin, pane)
        assert counts["scan_out"] == 1
        assert len({log["_id"] for log in applied}) == len(applied)
        before = 2  # the complete and the scan_in that it implied
        assert sum(counts.values()) == before + len(applied)


def test_panes_of_one_order_finished_at_once_are_all_counted(admin, workshop, crowd):
    day = line(admin, workshop, steps=1, panes=CLIENTS)
    at_once([lambda n=n: admin.scan(n, "complete") for n in day.numbers])
    answers = at_once(
        [
            lambda api=api, number=number: api.scan(number, "scan_out")
            for api, number in zip(crowd, day.numbers, strict=True)
        ]
    )
    for api, number, answer in zip(crowd, day.numbers, answers, strict=True):
        if answer.status == 409:  # gave up under the crowd, and changed nothing
            answer = api.scan(number, "scan_out")
        assert answer.status == 200, answer
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert (order["panesCompleted"], order["status"]) == (CLIENTS, "completed")
    assert order["stationBreakdown"] == {}


def test_a_batch_and_single_scans_at_once_never_half_apply(admin, workshop, crowd):
    day = line(admin, workshop, steps=2, panes=10)
    body = {"paneNumbers": day.numbers, "action": "complete"}
    calls = [lambda: admin.post("/api/panes/batch-scan", body)]
    calls += [
        lambda api=api, n=n: api.scan(n, "scan_in", station=day.stations[0])
        for api, n in zip(crowd, day.numbers, strict=False)
    ]
    answers = at_once(calls)
    assert {one.status for one in answers} <= {200, 400, 409}
    found = admin.get("/api/panes", request=day.request["_id"], limit=100).data
    if answers[0].status == 200:
        assert {pane["currentStatus"] for pane in found} == {"awaiting_scan_out"}
    for pane, answer in zip(day.panes, answers[1:], strict=True):
        assert (logged(admin, pane)["scan_in"] >= 1) or answer.status != 200


def test_of_two_orders_at_once_only_one_adopts_the_panes(admin, workshop):
    day = line(admin, workshop, panes=1)
    request = admin.post(
        "/api/requests",
        {
            "customer": day.customer,
            "details": {"type": "a", "quantity": 5},
            "panes": [{}] * 5,
        },
    ).data
    body = {
        "customer": day.customer,
        "material": day.material,
        "quantity": 5,
        "request": request["_id"],
    }
    made = at_once([lambda: admin.post("/api/orders", body)] * 6)
    orders = [one.data["_id"] for one in made if one.status == 201]
    panes = admin.get("/api/panes", request=request["_id"]).data
    owners = {pane["order"] for pane in panes}
    assert len(owners) == 1
    counts = [
        admin.get("/api/panes", order=one).body["pagination"]["total"] for one in orders
    ]
    assert sorted(counts)[-1] == 5
    assert sum(counts) == 5
