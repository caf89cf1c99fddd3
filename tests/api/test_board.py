"""The wall board in one read, compared with the store."""

import random
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from glassflow.core.events import event_log
from glassflow.core.process import clock
from glassflow.core.process.json import iso, parse_iso
from glassflow.domain import calendar
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import history
from scenarios import (
    bring_to_lamination,
    order_with_panes,
    order_with_units,
    pass_station,
)

PATH = "/api/board"
OPEN = ("pending", "in_progress", "awaiting_scan_out")
MINUTE_S, DAY_S = 60, 86400
TURNS = 200  # of a random day


@pytest.fixture(autouse=True)
def publish(app):
    """Publishes the events of what has been stored: `publish()`."""
    return app.extensions["realtime"].flush


@pytest.fixture
def board_of(publish):
    """Reads the board, with its panes as objects, when all events are published."""

    def read(api):
        assert publish()
        data = api.get(PATH).data
        fields, rows = data["panes"]["fields"], data["panes"]["rows"]
        data["panes"] = [dict(zip(fields, row, strict=True)) for row in rows]
        return data

    return read


@pytest.fixture
def out_today(board_of):
    """Reads how many panes left each station today, by its id."""
    return lambda api: {
        one["_id"]: one["outToday"] for one in board_of(api)["stations"]
    }


def recount(api, zone="Asia/Bangkok"):
    """What the board should show, from the lists of the API."""
    panes = [
        {
            **{name: pane[name] for name in ("_id", "paneNumber", "currentStation",
               "currentStatus", "order", "request", "arrivedAt", "version")},
            "width": pane["dimensions"]["width"],
            "height": pane["dimensions"]["height"],
        }
        for pane in api.get("/api/panes", limit=100).data
        if pane["currentStatus"] in OPEN and pane["currentStation"]
    ]  # fmt: skip
    midnight = calendar.day_start(clock.now(), ZoneInfo(zone))
    logs = PaneLog.objects(action__in=["scan_out", "qc_pass"], created_at__gte=midnight)
    out = [str(log.station) for log in logs]
    stations = {
        one["_id"]: out.count(one["_id"]) for one in api.get("/api/stations").data
    }
    return panes, stations


def by_id(rows):
    return sorted(rows, key=lambda row: row["_id"])


def test_board_equals_a_recount_after_a_random_day(
    admin, worker, workshop, clock_at, board_of, out_today
):
    chosen = random.Random(12)
    midnight = calendar.day_start(clock.now(), ZoneInfo("Asia/Bangkok"))
    evening = (midnight - clock.now()).total_seconds() + 18 * 3600
    clock_at(evening - DAY_S)
    jobs = [order_with_panes(admin, workshop, steps=3, panes=4) for _ in range(3)]
    numbers = [number for job in jobs for number in job.numbers]
    for turn in range(TURNS):
        clock_at(evening - DAY_S + turn * DAY_S / TURNS)
        action = chosen.choice(
            ["scan_in", "complete", "complete", "scan_out", "scan_out", "qc_pass"]
        )
        if chosen.random() < 0.03:
            worker.scan(chosen.choice(numbers), "qc_fail", reason="broken")
        worker.scan(chosen.choice(numbers), action)
        if turn in (50, 120):
            history.update()  # the rest is counted from the newest events
    found = board_of(admin)
    panes, stations = recount(admin)
    assert by_id(found["panes"]) == by_id(panes)
    shown = {one["_id"]: one["outToday"] for one in found["stations"]}
    assert shown == stations
    assert sum(stations.values()) > 5
    history.update()
    assert out_today(admin) == stations


def test_number_of_the_last_event_is_taken_before_anything_is_read(
    admin, workshop, monkeypatch, publish
):
    order_with_panes(admin, workshop)
    publish()
    first = admin.get(PATH).data["seq"]
    assert first == event_log.last() > 0
    find = Pane.collection().__class__.find

    def change_first(collection, *args, **kwargs):
        if collection.name == "panes" and "currentStatus" in (args or ({},))[0]:
            monkeypatch.undo()
            admin.post("/api/materials", {"name": "x", "unit": "s", "reorderPoint": 0})
            publish()
        return find(collection, *args, **kwargs)

    monkeypatch.setattr(Pane.collection().__class__, "find", change_first)
    assert admin.get(PATH).data["seq"] == first
    assert admin.get(PATH).data["seq"] > first


def ask(api, tag):
    return api.call("GET", PATH, headers={"If-None-Match": tag})


def test_unchanged_board_is_not_sent_again(admin, workshop, worker, clock_at, publish):
    moment = clock_at(0)
    job = order_with_panes(admin, workshop)
    publish()
    first = admin.get(PATH)
    tag = first.headers["ETag"]
    again = ask(admin, tag)
    assert (again.status, again.headers["ETag"]) == (304, tag)
    for answer in (first, again):  # otherwise browsers keep neither body nor tag
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert "Authorization" in answer.headers["Vary"]
    worker.scan(job.numbers[0], "scan_in")
    publish()
    answer = ask(admin, tag)
    assert answer.status == 200
    tag = answer.headers["ETag"]
    tomorrow = calendar.day_start(moment, ZoneInfo("Asia/Bangkok"), days=1)
    clock_at((tomorrow - moment).total_seconds())
    # figures of "today" have changed, although nothing has happened
    assert ask(admin, tag).status == 200


def test_tag_of_a_board_is_current_for_callers_with_the_same_keys_only(
    admin, workshop, client_with_keys, publish
):
    order_with_panes(admin, workshop)
    publish()
    tag = admin.get(PATH).headers["ETag"]
    seen = ("stations:view", "panes:view", "orders:view")
    answer = ask(client_with_keys(*seen), tag)  # of an account before in one browser
    assert (answer.status, answer.data["finished"]) == (200, None)
    own = answer.headers["ETag"]
    assert ask(client_with_keys(*seen), own).status == 304


def test_today_begins_at_midnight_of_the_time_zone(
    admin, worker, workshop, clock_at, set_policy, out_today
):
    set_policy(timezone=ZoneInfo("Pacific/Kiritimati"))
    now = clock_at(0)
    midnight = calendar.day_start(now, ZoneInfo("Pacific/Kiritimati"), days=1)
    before = (midnight - now).total_seconds() - 1
    clock_at(before)
    job = order_with_panes(admin, workshop, steps=2)
    pass_station(worker, job.numbers[0], job.stations[0])
    assert out_today(admin) == {job.stations[0]: 1, job.stations[1]: 0}
    clock_at(before + 2)
    assert out_today(admin) == {job.stations[0]: 0, job.stations[1]: 0}
    pass_station(worker, job.numbers[0], job.stations[1])
    assert out_today(admin) == {job.stations[0]: 0, job.stations[1]: 1}


def test_stay_has_its_percentiles_once_there_are_fifty(
    admin, worker, workshop, clock_at, board_of, client_with_keys
):
    job = order_with_panes(admin, workshop, steps=1, panes=50)
    (station,) = job.stations
    (shown,) = board_of(admin)["stations"]
    assert shown["stay"] == {
        "p50": DAY_S / 3, "p85": DAY_S, "p95": 2 * DAY_S, "count": 0,
    }  # fmt: skip
    assert Pane.objects.update(set__arrived_at=clock_at(0)) == 50
    for minutes, number in enumerate(job.numbers, 1):
        clock_at(minutes * MINUTE_S)
        pass_station(worker, number, station)
    (shown,) = board_of(admin)["stations"]
    expected = {"p50": 25 * 60.0, "p85": 43 * 60.0, "p95": 48 * 60.0, "count": 50}
    assert shown["stay"] == pytest.approx(expected, rel=0.025)
    (shown,) = client_with_keys("stations:view").get(PATH).data["stations"]
    assert shown["stay"]["count"] == 0  # without the key of the logs
    clock_at(31 * DAY_S)
    assert board_of(admin)["stations"][0]["stay"]["count"] == 0


def test_pane_that_came_back_by_an_undo_has_not_left(
    admin, worker, workshop, clock_at, out_today
):
    midnight = calendar.day_start(clock.now(), ZoneInfo("Asia/Bangkok"), days=1)
    noon = (midnight - clock.now()).total_seconds() + DAY_S / 2
    clock_at(noon)
    job = order_with_panes(admin, workshop, panes=2, steps=2)
    first, second = job.stations
    for number in job.numbers:
        pass_station(worker, number, first)
    assert out_today(admin) == {first: 2, second: 0}
    assert worker.post(f"/api/panes/{job.numbers[0]}/undo", {}).status == 200
    assert out_today(admin) == {first: 1, second: 0}
    history.update()
    assert out_today(admin) == {first: 1, second: 0}


def test_finished_panes_are_shown_with_the_usual_number_of_the_days_before(
    admin, worker, workshop, clock_at, board_of, client_with_keys
):
    midnight = calendar.day_start(clock.now(), ZoneInfo("Asia/Bangkok"), days=1)
    morning = (midnight - clock.now()).total_seconds() + 9.5 * 3600
    clock_at(morning)
    job = order_with_panes(admin, workshop, steps=1, panes=7)
    (station,) = job.stations
    finished = lambda: board_of(admin)["finished"]  # noqa: E731
    for day, number in enumerate(job.numbers[:5]):
        clock_at(morning + day * DAY_S)
        assert finished() == {"today": 0, "usual": None}
        pass_station(worker, number, station)
        assert finished()["today"] == 1
    clock_at(morning + 5 * DAY_S)
    usual = [0] * 9 + [1] * 15
    assert finished() == {"today": 0, "usual": usual}
    for number in job.numbers[5:]:
        pass_station(worker, number, station)
    assert finished() == {"today": 2, "usual": usual}
    assert worker.post(f"/api/panes/{job.numbers[5]}/undo", {}).status == 200
    assert finished()["today"] == 1
    history.update()
    assert finished() == {"today": 1, "usual": usual}
    # an idle day does not count
    clock_at(morning + 9 * DAY_S)
    assert finished() == {"today": 0, "usual": usual}
    assert client_with_keys("stations:view").get(PATH).data["finished"] is None


def test_stations_are_listed_by_their_position(admin, workshop, board_of):
    made = [workshop.station(name=name, position=9) for name in "abc"]
    last, first, none = (f"/api/stations/{one.pk}" for one in made)
    admin.patch(last, {"position": 7})
    admin.patch(first, {"position": 2, "status": "maintenance"})
    shown = board_of(admin)["stations"]
    assert [one["name"] for one in shown] == ["b", "a", "c"]
    assert [one["maintenance"] for one in shown] == [True, False, False]
    assert admin.patch(none, {"position": -1}).status == 400


def test_orders_have_their_customer_deadline_and_figures(admin, workshop, board_of):
    job = order_with_panes(admin, workshop, panes=2)
    deadline = iso(clock.now() - timedelta(days=2))
    path = f"/api/requests/{job.request['_id']}"
    changed = {"deadline": deadline, "deadlineChangeReason": "x"}
    assert admin.patch(path, changed).status == 200
    (order,) = board_of(admin)["orders"]
    assert order["orderNumber"] == job.order["orderNumber"]
    assert order["deadline"] == deadline
    assert (
        order["customerName"]
        == admin.get(f"/api/customers/{job.customer}").data["name"]
    )
    assert (order["paneCount"], order["panesCompleted"]) == (2, 0)
    admin.patch(f"/api/orders/{job.order['_id']}", {"status": "cancelled"})
    assert board_of(admin)["orders"] == []


def test_deadlines_are_those_of_all_panes_and_orders_also_without_an_order(
    admin, workshop, board_of, client_with_keys
):
    ordered = order_with_panes(admin, workshop)
    asked = {
        "customer": ordered.customer,
        "details": {"type": "window", "quantity": 1},
        "panes": [{"routing": ordered.stations}],
    }
    with_deadline = ordered.request["_id"]
    without = admin.post("/api/requests", asked).data["_id"]
    deadline = iso(clock.now() - timedelta(days=2))
    changed = {"deadline": deadline, "deadlineChangeReason": "x"}
    assert admin.patch(f"/api/requests/{with_deadline}", changed).status == 200
    board = board_of(admin)
    assert board["deadlines"] == {with_deadline: deadline, without: None}
    assert {row["request"] for row in board["panes"]} == {with_deadline, without}
    assert client_with_keys("orders:view").get(PATH).data["deadlines"] == {}


def test_alerts_are_what_needs_somebody(admin, worker, workshop, board_of):
    def kinds(api):
        return [one["kind"] for one in board_of(api)["alerts"]]

    job = order_with_units(admin, workshop)
    for number in job.sheets[0]:
        assert "laminate_ready" not in kinds(admin)
        bring_to_lamination(worker, number, job)
    ready, *_ = board_of(admin)["alerts"]
    assert (ready["kind"], ready["paneNumbers"]) == ("laminate_ready", job.sheets[0])
    worker.scan(job.sheets[0][0], "laminate")
    assert "laminate_ready" not in kinds(admin)
    worker.scan(job.sheets[0][0], "qc_fail", reason="scratch")
    failed = next(one for one in board_of(admin)["alerts"] if one["kind"] == "failed")
    assert (failed["paneNumber"], failed["reason"]) == (job.sheets[0][0], "scratch")
    undone = worker.post(f"/api/panes/{job.sheets[0][0]}/undo")
    assert undone.status == 200
    assert "failed" not in kinds(admin)
    workshop.material(name="ใส", reorder_point=5)
    (low,) = (one for one in board_of(admin)["alerts"] if one["kind"] == "low_stock")
    assert (low["name"], low["quantity"]) == ("ใส", 0)


def test_caller_gets_only_the_parts_of_own_keys(admin, workshop, client_with_keys):
    job = order_with_panes(admin, workshop)
    workshop.material(reorder_point=5)
    for key, part in (
        ("stations:view", "stations"),
        ("panes:view", "panes"),
        ("orders:view", "orders"),
    ):
        data = client_with_keys(key).get(PATH).data
        shown = {
            name for name in ("stations", "panes", "orders") if data[name] is not None
        }
        assert shown == {part}
        assert data["alerts"] == []
    (order,) = client_with_keys("orders:view").get(PATH).data["orders"]
    assert (order["customerName"], order["deadline"]) == (None, None)
    assert order["customerShortName"] is None
    name = {"name": "บริษัท กระจกใส จำกัด"}
    assert admin.patch(f"/api/customers/{job.customer}", name).status == 200
    named = client_with_keys("orders:view", "customers:names").get(PATH).data["orders"]
    assert [(one["customerName"], one["customerShortName"]) for one in named] == [
        (None, "กระจกใส")
    ]
    assert order["customer"] == job.customer
    shown = client_with_keys("stations:view").get(PATH).data["stations"]
    assert {one["outToday"] for one in shown} == {None}
    assert client_with_keys("materials:view").get(PATH).status == 403


def test_time_of_an_event_is_read_as_it_was_written():
    now = clock.now()
    assert parse_iso(iso(now)) == now


def test_deliveries_of_today_show_what_they_lack(
    admin, workshop, client_with_keys, board_of
):
    job = order_with_panes(admin, workshop, steps=1, panes=3)
    for number in job.numbers[:2]:
        pass_station(admin, number, job.stations[0])
    panes = [one["_id"] for one in job.panes]
    extra = order_with_panes(admin, workshop)

    def plan(*of, **values):
        body = {"customer": job.customer, "panes": list(of), **values}
        return admin.post("/api/deliveries", body).data

    delivered, planned = plan(panes[0]), plan(*panes[1:], recipient="คลอง 5")
    admin.post(
        f"/api/deliveries/{delivered['_id']}/hand-over",
        {"paneNumbers": job.numbers[:1], "receivedBy": "สมชาย"},
    )
    admin.post(
        f"/api/deliveries/{planned['_id']}/load", {"paneNumbers": job.numbers[1:2]}
    )
    plan(plannedFor=f"{(clock.now() + timedelta(days=2)).date()}")
    returned = plan(extra.panes[0]["_id"], customer=extra.customer)
    absent = [{"paneNumber": extra.numbers[0], "reason": "absent"}]
    path = f"/api/deliveries/{returned['_id']}/hand-over"
    assert admin.post(path, {"paneNumbers": [], "left": absent}).status == 200
    shown = {one["_id"]: one for one in board_of(admin)["deliveries"]}
    assert shown.keys() == {one["_id"] for one in (delivered, planned, returned)}
    back = shown[returned["_id"]]
    assert (back["status"], back["paneCount"], back["missing"]) == ("returned", 0, 1)
    done, open_one = shown[delivered["_id"]], shown[planned["_id"]]
    assert (done["status"], done["paneCount"], done["lacking"]) == ("delivered", 1, [])
    assert done["missing"] == 0
    assert (open_one["recipient"], open_one["paneCount"]) == ("คลอง 5", 2)
    assert (open_one["loaded"], open_one["lacking"]) == (1, [panes[2]])
    assert board_of(client_with_keys("panes:view"))["deliveries"] is None
