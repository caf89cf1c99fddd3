"""Orders: adopting panes, moving along stations, and figures that follow the panes."""

import random

import pytest

from glassflow.services.orders.recount import recount_stored
from lookups import order_of
from scenarios import claim_pane, order_with_panes, pass_station
from screens import Screen

MOMENT = "2026-11-20T08:00:00.000Z"


def test_order_adopts_the_panes_without_an_order(admin, workshop):
    job = order_with_panes(admin, workshop, panes=3)
    assert {pane["order"] for pane in job.panes} == {job.order["_id"]}
    assert {pane["material"] for pane in job.panes} == {job.material}
    assert (job.order["paneCount"], job.order["progressPercent"]) == (3, 0)


def test_figures_sent_by_a_client_are_ignored_without_a_warning(admin, workshop):
    job = order_with_panes(admin, workshop)
    figures = {"paneCount": 99, "panesCompleted": 99, "progressPercent": 99}
    answer = admin.patch(f"/api/orders/{job.order['_id']}", figures)
    assert "warnings" not in answer.body
    assert (answer.data["paneCount"], answer.data["panesCompleted"]) == (1, 0)


def test_one_finished_pane_does_not_complete_the_order(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1, panes=3)
    percents = []
    for number in job.numbers:
        pass_station(worker, number, job.stations[0])
        found = order_of(admin, job.order)
        percents.append((found["progressPercent"], found["status"]))
    assert percents == [(33, "in_progress"), (66, "in_progress"), (100, "completed")]


@pytest.mark.slow
def test_random_changes_keep_the_figures_equal_to_a_new_count(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=3, panes=5)
    path = f"/api/orders/{job.order['_id']}"
    rng = random.Random(7)
    live = dict(zip(job.numbers, job.panes, strict=True))
    for _ in range(60):
        number = rng.choice(job.numbers)
        action = rng.choice(["scan_in", "complete", "scan_out", "correct", "delete"])
        if action == "correct":
            station = rng.choice(job.stations)
            body = {"currentStation": station, "currentStatus": "pending"}
            admin.patch(f"/api/panes/{live[number]['_id']}", body)
        elif action == "delete":
            if len(live) > 3 and rng.random() < 0.3:
                gone = live.pop(job.numbers.pop())
                assert admin.delete(f"/api/panes/{gone['_id']}").status == 200
        else:
            worker.scan(number, action)
        panes = admin.get("/api/panes", order=job.order["_id"]).data
        done = [p for p in panes if p["currentStatus"] == "completed"]
        breakdown = {}
        for pane in panes:
            if pane["currentStation"]:
                breakdown[pane["currentStation"]] = (
                    breakdown.get(pane["currentStation"], 0) + 1
                )
        found = admin.get(path).data
        assert found["paneCount"] == 5  # the quantity, also after panes are deleted
        assert found["panesCompleted"] == len(done)
        assert found["stationBreakdown"] == breakdown
        assert found["progressPercent"] == len(done) * 100 // 5
        assert (found["status"] == "completed") == (len(done) == 5)


def test_status_follows_the_panes(admin, workshop):
    job = order_with_panes(admin, workshop)
    path = f"/api/orders/{job.order['_id']}"
    answer = admin.patch(path, {"status": "completed"})
    assert (answer.status, answer.errors["code"]) == (400, "STATUS_FOLLOWS_PANES")
    assert order_of(admin, job.order)["status"] == "pending"
    assert admin.patch(path, {"status": "in_progress"}).data["status"] == "in_progress"
    assert admin.patch(path, {"status": "pending"}).data["status"] == "pending"
    assert admin.patch(path, {"status": "cancelled"}).data["status"] == "cancelled"
    assert (
        admin.patch(path, {"status": "completed"}).errors["code"] == "ORDER_CANCELLED"
    )
    assert admin.patch(path, {"status": "pending"}).data["status"] == "pending"
    bare = {"customer": job.customer, "material": job.material, "quantity": 4}
    made = admin.post("/api/orders", bare).data
    done = admin.patch(f"/api/orders/{made['_id']}", {"status": "completed"}).data
    assert (done["panesCompleted"], done["progressPercent"]) == (4, 100)


def scrapped_order(admin, worker, workshop):
    """An order whose only pane was finished, claimed and scrapped; nothing is due."""
    job = order_with_panes(admin, workshop, steps=1)
    pass_station(worker, job.numbers[0], job.stations[0])
    claim = claim_pane(worker, job.numbers[0], source="customer").data
    decision = {"status": "approved", "decision": "destroy", "remake": False}
    assert admin.patch(f"/api/claims/{claim['_id']}", decision).status == 200
    return order_of(admin, job.order)


def test_order_in_which_nothing_is_due_is_completed_by_people(admin, worker, workshop):
    order = scrapped_order(admin, worker, workshop)
    assert (order["status"], order["paneCount"]) == ("in_progress", 0)
    path = f"/api/orders/{order['_id']}"
    done = admin.patch(path, {"status": "completed"})
    assert (done.status, done.data["status"]) == (200, "completed")
    assert done.data["completedAt"] == done.data["updatedAt"]
    figures = ("paneCount", "panesCompleted", "progressPercent")
    assert [done.data[name] for name in figures] == [0, 0, 0]
    # another count leaves it as people left it
    assert admin.patch(path, {"notes": "x"}).data["status"] == "completed"
    assert recount_stored().changed == 0
    # more is due again
    again = admin.patch(path, {"quantity": 2}).data
    assert (again["status"], again["completedAt"]) == ("in_progress", None)
    refused = admin.patch(path, {"status": "completed"})
    assert refused.errors["code"] == "STATUS_FOLLOWS_PANES"
    closed = admin.patch(path, {"quantity": 1, "status": "completed"})
    assert closed.data["status"] == "completed"
    assert admin.patch(path, {"status": "in_progress"}).data["status"] == "in_progress"
    admin.patch(path, {"status": "completed"})
    admin.post("/api/panes", {"order": order["_id"]})
    assert order_of(admin, order)["status"] == "in_progress"


@pytest.mark.parametrize("way", ["deleted", "moved"])
def test_order_that_has_lost_its_panes_is_not_completed_by_people(admin, workshop, way):
    job = order_with_panes(admin, workshop)
    other = order_with_panes(admin, workshop, customer=job.customer)
    pane, path = f"/api/panes/{job.panes[0]['_id']}", f"/api/orders/{job.order['_id']}"
    if way == "deleted":
        assert admin.delete(pane).status == 200
    else:
        assert admin.patch(pane, {"order": other.order["_id"]}).status == 200
    lost = order_of(admin, job.order)
    refused = admin.patch(path, {"status": "completed"})
    assert (refused.status, refused.errors["code"]) == (400, "STATUS_FOLLOWS_PANES")
    assert order_of(admin, job.order) == lost
    assert (lost["paneCount"], lost["panesCompleted"]) == (1, 0)
    made = admin.post("/api/panes", {"order": job.order["_id"]}).data
    finished = {"currentStatus": "completed"}
    assert admin.patch(f"/api/panes/{made['_id']}", finished).status == 200
    assert order_of(admin, job.order)["status"] == "completed"


def test_order_in_work_is_not_reset_to_pending(admin, worker, workshop):
    job = order_with_panes(admin, workshop)
    worker.scan(job.numbers[0], "scan_in")
    path = f"/api/orders/{job.order['_id']}"
    refused = admin.patch(path, {"status": "pending"})
    assert (refused.status, refused.errors["code"]) == (400, "STATUS_FOLLOWS_PANES")
    for unset in ({"status": None}, {"status": None, "notes": "x"}):
        assert admin.patch(path, unset).data["status"] == "in_progress"


@pytest.mark.parametrize("index", [2, 50])
def test_index_outside_the_route_is_refused(admin, workshop, index):
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
    job = order_with_panes(admin, workshop)
    good = {"customer": job.customer, "material": job.material, "quantity": 1}
    unknown = "0" * 24
    wrong = {
        "Customer not found": {"customer": unknown},
        "Material not found": {"material": unknown},
        "Request not found": {"request": unknown},
        "Station not found": {"stations": [unknown]},
        "Worker (assignedTo) not found": {"assignedTo": unknown},
        "Station (stationHistory.station) not found": {
            "stationHistory": [{"station": unknown}]
        },
    }
    for message, change in wrong.items():
        for answer in (
            admin.post("/api/orders", {**good, **change}),
            admin.patch(f"/api/orders/{job.order['_id']}", change),
        ):
            assert (answer.status, answer.message) == (400, message)
    assert order_of(admin, job.order) == job.order


@pytest.mark.slow
def test_history_entries_send_one_check_in_to_each_station(admin, workshop, server):
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
        events = screen.events_during(admin, lambda: admin.patch(path, change))
        return [
            (payload["stationId"] == two, payload["action"])
            for event, payload in events
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


def test_no_stay_in_the_station_history_ends_before_it_begins(admin, workshop):
    station = str(workshop.station().pk)
    stay = {"station": station, "enteredAt": MOMENT, "exitedAt": MOMENT}
    body = {
        "customer": str(workshop.customer().pk),
        "material": str(workshop.material().pk),
        "quantity": 1,
    }
    made = admin.post("/api/orders", {**body, "stationHistory": [stay]}).data
    wrong = {"stationHistory": [stay, {**stay, "exitedAt": "2026-11-20T07:59:59.999Z"}]}
    path = f"/api/orders/{made['_id']}"
    for refused in (
        admin.post("/api/orders", {**body, **wrong}),
        admin.patch(path, wrong),
    ):
        assert refused.status == 400
        assert list(refused.faults) == ["stationHistory.1.exitedAt"]
    assert admin.get(path).data == made


def test_order_without_panes_counts_its_quantity(admin, workshop):
    job = order_with_panes(admin, workshop, panes=2)
    for pane in job.panes:
        admin.delete(f"/api/panes/{pane['_id']}")
    found = order_of(admin, job.order)
    assert (found["paneCount"], found["progressPercent"]) == (2, 0)
    assert found["status"] == "pending"


def test_customer_of_an_order_is_that_of_its_request(admin, workshop):
    job, other = order_with_panes(admin, workshop), order_with_panes(admin, workshop)
    glass = {"material": job.material, "quantity": 1}
    body = {**glass, "customer": other.customer, "request": job.request["_id"]}
    path = f"/api/orders/{job.order['_id']}"
    for answer in (
        admin.post("/api/orders", body),
        admin.patch(path, {"customer": other.customer}),
        admin.patch(path, {"request": other.request["_id"]}),
    ):
        assert (answer.status, answer.errors["code"]) == (400, "OTHER_CUSTOMER")
    assert order_of(admin, job.order) == job.order
    both = {"customer": other.customer, "request": other.request["_id"]}
    assert admin.patch(path, both).data["customer"] == other.customer
    alone = admin.post("/api/orders", {**glass, "customer": job.customer}).data
    moved = admin.patch(f"/api/orders/{alone['_id']}", {"customer": other.customer})
    assert moved.status == 200
