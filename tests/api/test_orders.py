"""Orders: adopting panes, moving along stations, and figures that follow the panes."""

import random

import pytest

from screens import Screen
from stories import line, through

MOMENT = "2026-11-20T08:00:00.000Z"


def order_of(api, day):
    return api.get(f"/api/orders/{day.order['_id']}").data


def test_an_order_adopts_the_panes_that_have_none(admin, workshop):
    day = line(admin, workshop, panes=3)
    assert {pane["order"] for pane in day.panes} == {day.order["_id"]}
    assert {pane["material"] for pane in day.panes} == {day.material}
    assert (day.order["paneCount"], day.order["progressPercent"]) == (3, 0)
    body = {
        "customer": day.customer,
        "material": day.material,
        "quantity": 7,
        "request": day.request["_id"],
    }
    second = admin.post("/api/orders", body).data
    assert second["paneCount"] == 7  # without panes, its quantity
    assert admin.get("/api/panes", order=second["_id"]).data == []


def test_figures_sent_by_a_client_are_ignored_without_a_word(admin, workshop):
    day = line(admin, workshop)
    figures = {"paneCount": 99, "panesCompleted": 99, "progressPercent": 99}
    answer = admin.patch(f"/api/orders/{day.order['_id']}", figures)
    assert "warnings" not in answer.body
    assert (answer.data["paneCount"], answer.data["panesCompleted"]) == (1, 0)


def test_one_finished_pane_does_not_complete_the_order(admin, worker, workshop):
    day = line(admin, workshop, steps=1, panes=3)
    percents = []
    for number in day.numbers:
        through(worker, number, day.stations[0])
        found = order_of(admin, day)
        percents.append((found["progressPercent"], found["status"]))
    assert percents == [(33, "in_progress"), (66, "in_progress"), (100, "completed")]


@pytest.mark.slow
def test_a_random_day_keeps_the_figures_equal_to_a_fresh_count(admin, worker, workshop):
    day = line(admin, workshop, steps=3, panes=5)
    path = f"/api/orders/{day.order['_id']}"
    chance = random.Random(7)
    live = dict(zip(day.numbers, day.panes, strict=True))
    for _ in range(60):
        number = chance.choice(day.numbers)
        deed = chance.choice(["scan_in", "complete", "scan_out", "correct", "delete"])
        if deed == "correct":
            station = chance.choice(day.stations)
            body = {"currentStation": station, "currentStatus": "pending"}
            admin.patch(f"/api/panes/{live[number]['_id']}", body)
        elif deed == "delete":
            if len(live) > 3 and chance.random() < 0.3:
                gone = live.pop(day.numbers.pop())
                assert admin.delete(f"/api/panes/{gone['_id']}").status == 200
        else:
            worker.scan(number, deed)
        panes = admin.get("/api/panes", order=day.order["_id"]).data
        done = [p for p in panes if p["currentStatus"] == "completed"]
        stand = {}
        for pane in panes:
            if pane["currentStation"]:
                stand[pane["currentStation"]] = stand.get(pane["currentStation"], 0) + 1
        found = admin.get(path).data
        assert found["paneCount"] == len(panes)
        assert found["panesCompleted"] == len(done)
        assert found["stationBreakdown"] == stand
        assert found["progressPercent"] == len(done) * 100 // len(panes)
        assert (found["status"] == "completed") == (len(done) == len(panes))


def test_the_status_follows_the_panes(admin, workshop):
    day = line(admin, workshop)
    path = f"/api/orders/{day.order['_id']}"
    answer = admin.patch(path, {"status": "completed"})
    assert (answer.status, answer.errors["code"]) == (400, "STATUS_FOLLOWS_PANES")
    assert order_of(admin, day)["status"] == "pending"
    assert admin.patch(path, {"status": "cancelled"}).data["status"] == "cancelled"
    assert admin.patch(path, {"status": "pending"}).data["status"] == "pending"
    bare = {"customer": day.customer, "material": day.material, "quantity": 4}
    made = admin.post("/api/orders", bare).data
    done = admin.patch(f"/api/orders/{made['_id']}", {"status": "completed"}).data
    assert (done["panesCompleted"], done["progressPercent"]) == (4, 100)


@pytest.mark.parametrize("index", [2, 50])
def test_an_index_outside_the_route_is_refused(admin, workshop, index):
    stations = [str(one.pk) for one in workshop.stations(2)]
    body = {
        "customer": str(workshop.customer().pk),
        "material": str(workshop.material().pk),
        "quantity": 1,
        "stations": stations,
    }
    refused = admin.post("/api/orders", {**body, "currentStationIndex": index})
    assert refused.status == 400
    assert refused.errors["code"] == "INDEX_OUTSIDE_ROUTE"
    path = f"/api/orders/{admin.post('/api/orders', body).data['_id']}"
    assert admin.patch(path, {"currentStationIndex": index}).status == 400
    assert admin.patch(path, {"currentStationIndex": 1}).status == 200
    assert admin.patch(path, {"stations": stations[:1]}).status == 400
    assert set(admin.patch(path, {"currentStationIndex": -1}).faults) == {
        "currentStationIndex"
    }


def test_unknown_references_are_named(admin, workshop):
    day = line(admin, workshop)
    good = {"customer": day.customer, "material": day.material, "quantity": 1}
    nobody = "0" * 24
    wrong = {
        "Customer not found": {"customer": nobody},
        "Material not found": {"material": nobody},
        "Request not found": {"request": nobody},
        "Station not found": {"stations": [nobody]},
        "Worker (assignedTo) not found": {"assignedTo": nobody},
        "Station (stationHistory.station) not found": {
            "stationHistory": [{"station": nobody}]
        },
    }
    for message, change in wrong.items():
        for answer in (
            admin.post("/api/orders", {**good, **change}),
            admin.patch(f"/api/orders/{day.order['_id']}", change),
        ):
            assert (answer.status, answer.message) == (400, message)
    assert order_of(admin, day) == day.order


@pytest.mark.slow
def test_history_opened_and_closed_tells_the_stations_once_each(
    admin, workshop, server
):
    one, two = (str(station.pk) for station in workshop.stations(2))
    body = {
        "customer": str(workshop.customer().pk),
        "material": str(workshop.material().pk),
        "quantity": 1,
        "stations": [one, two],
    }
    order = admin.post("/api/orders", body).data
    path = f"/api/orders/{order['_id']}"
    screen = Screen(admin).join_station(one).join_station(two)

    def check_ins(change):
        heard = screen.during(admin, lambda: admin.patch(path, change))
        return [
            (said["stationId"] == two, said["action"])
            for event, said in heard
            if event == "station:check_in"
        ]

    opened = [{"station": one, "enteredAt": MOMENT}]
    closed = [{"station": one, "enteredAt": MOMENT, "exitedAt": MOMENT}]
    onward = [*closed, {"station": two, "enteredAt": MOMENT}]
    assert check_ins({"stationHistory": opened}) == [(False, "entered")]
    assert check_ins({"stationHistory": opened, "notes": "same"}) == []
    assert check_ins({"stationHistory": closed}) == [(False, "exited")]
    both = {"stationHistory": onward, "currentStationIndex": 1}
    assert check_ins(both) == [(False, "exited"), (True, "entered")]
    assert check_ins({"notes": "nothing moved"}) == []
    screen.close()
