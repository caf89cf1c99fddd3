"""The flow of panes over some weeks, and the orders that were on time in them."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest
from mongoengine.connection import get_db

from glassflow.core.process import clock
from glassflow.domain import calendar
from glassflow.domain.stays import bucket_of, seconds_of
from glassflow.domain.working_time import WEEKDAYS
from glassflow.models.request import Request
from glassflow.services import daily_figures, history
from scenarios import order_with_panes, pass_station

ZONE = ZoneInfo("Asia/Bangkok")
HOUR_S = 3600
OFFICE = {
    **{day: [{"start": "08:00", "end": "17:00"}] for day in WEEKDAYS[:6]},
    "sunday": [],
}


@pytest.fixture
def opened(admin, at):
    """The workshop works Monday to Saturday, 8 to 17; it is Monday, 9 o'clock."""
    at(0, "07:00")
    assert admin.put("/api/working-hours", {"week": OFFICE}).status == 200
    return at(0, "09:00")


def flow(api, days=30):
    """Read the flow once all that has happened is counted, half a second later."""
    history.update()
    answer = api.get("/api/dashboard/flow", days=days)
    assert answer.status == 200, answer
    return answer.data


def about(hours):
    """Return a length in seconds as a histogram has it."""
    return seconds_of(bucket_of(hours * HOUR_S))


def local_day(moment):
    return date.fromisoformat(calendar.local_date(moment, ZONE))


def test_panes_are_counted_in_the_week_in_which_they_were_finished_by_working_time(
    admin, worker, workshop, at, opened
):
    monday = local_day(opened)
    job = order_with_panes(admin, workshop, steps=1, panes=3)
    for days, time, number in ((0, "12:00", 0), (5, "17:00", 1), (7, "10:00", 2)):
        at(days, time)
        pass_station(worker, job.numbers[number], job.stations[0])
    at(8, "08:00")
    found = flow(admin, days=7)
    assert (found["days"], found["from"]) == (7, str(monday + timedelta(days=2)))
    first, second = found["lead"]["weeks"]
    # on Monday 9 to 12 three hours count, until Saturday 17 another 50
    assert first == {
        "week": str(monday), "panes": 2,
        "p50": about(3), "p85": about(53), "p95": about(53),
    }  # fmt: skip
    assert (second["week"], second["panes"]) == (str(monday + timedelta(days=7)), 1)
    # without those of Monday, that are before the seven days; from Sunday none counts
    lead = {name: found["lead"][name] for name in ("panes", "p50", "p95")}
    assert lead == {"panes": 2, "p50": about(53), "p95": about(55)}
    assert len(flow(admin, days=90)["lead"]["weeks"]) in (13, 14)


def test_a_station_says_how_long_panes_wait_and_are_worked_on_and_how_old_the_rest_is(
    admin, worker, workshop, at, opened
):
    job = order_with_panes(admin, workshop, steps=2, panes=4)
    cut, wash = job.stations
    first, second, third, _ = job.numbers
    for time, number, action in (
        ("10:00", first, "scan_in"), ("11:00", first, "complete"),
        ("11:00", second, "scan_in"), ("13:00", second, "complete"),
        ("13:00", first, "scan_out"), ("13:00", second, "scan_out"),
    ):  # fmt: skip
        at(0, time)
        assert worker.scan(number, action).status == 200
    at(1, "10:00")
    worker.scan(third, "qc_fail", reason="scratch", beforeComplete=True)
    at(3, "09:00")
    found = {row["station"]: row for row in flow(admin)["stations"]}
    row = found[cut]
    # four, and the remake of the one that failed
    counts = ("arrived", "left", "failed", "added")
    assert [row[name] for name in counts] == [5, 2, 1, 2]
    assert row["queue"] == {
        "p50": about(1), "p85": about(2), "p95": about(2), "count": 2,
    }  # fmt: skip
    assert (row["touch"]["p50"], row["touch"]["p95"]) == (about(1), about(2))
    assert row["effectiveSeconds"] == pytest.approx(1.5 * HOUR_S, rel=0.03)
    assert row["load"] is row["atOnce"] is None  # nobody knows it of so few panes
    waiting = row["waiting"]
    # the oldest since Monday, 9; with few stays two working days are too long
    assert waiting["ages"] == [27 * HOUR_S, 17 * HOUR_S]
    assert waiting["oldest"]["paneNumber"] == job.numbers[3]
    assert (waiting["over85"], waiting["over95"]) == (2, 1)
    assert found[wash]["waiting"]["ages"] == [23 * HOUR_S] * 2
    assert found[wash]["queue"] == {
        "p50": None, "p85": None, "p95": None, "count": 0,
    }  # fmt: skip


def store_days(station, days, **counters):
    """Store counters of a station for each of the last days: `stays_167` is that bucket."""
    for n in range(days):
        day = str(local_day(clock.now()) - timedelta(days=n))
        paths = {}
        for name, value in counters.items():
            counter, *bucket = name.split("_")
            paths[".".join([counter, station, *bucket])] = value
        get_db()[daily_figures.COLLECTION].update_one(
            {"_id": day}, {"$inc": paths}, upsert=True
        )


def test_load_is_what_arrives_of_what_a_station_can_do_unless_scans_are_missing(
    admin, workshop, at, opened
):
    job = order_with_panes(admin, workshop, steps=2, panes=2)
    cut, wash = job.stations
    at(27, "17:00")  # a Sunday: 24 working days have passed
    history.update()
    half, day = bucket_of(HOUR_S / 2), bucket_of(9 * HOUR_S)
    # at one, two panes are there all the time, and the work on ten a day takes half an hour each
    stay = bucket_of(2 * 9 * HOUR_S / 10 * 6 / 7)
    usual = {f"touch_{half}": 10, f"stays_{stay}": 10, "arrived": 10, "left": 10}
    store_days(cut, 28, added=0, addedAfter=0, **usual)
    # at the other, ten panes are there a day each, and nine of ten are never scanned out
    store_days(wash, 28, added=9, addedAfter=9 * 4 * HOUR_S, arrived=10,
               left=1, **{f"stays_{day}": 2})  # fmt: skip
    found = {row["station"]: row for row in flow(admin)["stations"]}
    # counted on each of seven days, of which six are worked
    expected = 10 * 7 / 6 * seconds_of(half) / (9 * HOUR_S)
    assert found[cut]["load"] == pytest.approx(expected, rel=0.02)
    assert found[cut]["atOnce"] == 1
    assert not found[cut]["scansMissing"]
    assert found[wash]["load"] is None
    assert found[wash]["scansMissing"]


def test_days_before_panes_were_counted_that_are_added_say_nothing_of_missing_scans(
    admin, workshop, at, opened
):
    job = order_with_panes(admin, workshop, steps=1, panes=1)
    (cut,) = job.stations
    at(27, "17:00")
    history.update()
    get_db()[daily_figures.COLLECTION].delete_many({})
    hour = {f"stays_{bucket_of(HOUR_S)}": 10}
    store_days(cut, 28, arrived=10, left=1, **hour)
    store_days(cut, 2, added=9, addedAfter=0)
    (row,) = flow(admin)["stations"]
    assert not row["scansMissing"]
    store_days(cut, 20, added=9, addedAfter=0)
    (row,) = flow(admin)["stations"]
    assert row["scansMissing"]


def test_panes_that_wait_where_nothing_leaves_have_missed_no_scan_unless_overtaken(
    admin, workshop, at, opened
):
    hour = {f"stays_{bucket_of(HOUR_S)}": 10, "addedAfter": -10 * HOUR_S}
    usual = {"arrived": 10, "left": 10, "added": 0, **hour}
    at(23, "08:00")
    job = order_with_panes(admin, workshop, steps=1, panes=20)
    (cut,) = job.stations
    history.update()
    at(22, "17:00")
    store_days(cut, 22, **usual)
    at(26, "17:00")  # since Wednesday, 8 o'clock, no pane has left
    (row,) = flow(admin)["stations"]
    assert row["waiting"]["over95"] == 20
    assert not row["scansMissing"]
    store_days(cut, 1, **usual)  # those that left today had come after the twenty
    (row,) = flow(admin)["stations"]
    assert row["scansMissing"]


def test_deleted_station_keeps_its_figures_without_a_name(
    admin, worker, workshop, opened, set_policy
):
    job = order_with_panes(admin, workshop, steps=1)
    pass_station(worker, job.numbers[0], job.stations[0])
    set_policy(delete_policy="cascade")
    path = f"/api/stations/{job.stations[0]}"
    assert admin.call("DELETE", path).status == 200
    (row,) = flow(admin)["stations"]
    assert (row["stationName"], row["left"], row["added"]) == (None, 1, 0)


def test_flow_needs_the_keys_of_panes_and_of_their_logs(client_with_keys):
    path = "/api/dashboard/flow"
    assert client_with_keys("pane_logs:view").get(path).status == 403
    found = flow(client_with_keys("panes:view"))
    assert found["lead"] is found["stations"] is None
    found = flow(client_with_keys("panes:view", "pane_logs:view"))
    assert found["lead"]["panes"] == 0
    answer = client_with_keys("panes:view").get(path, days=14)
    assert set(answer.faults) == {"days"}


def due(order, moment):
    Request.objects(pk=order["request"]).update(set__deadline=moment)


def test_orders_are_on_time_by_the_week_of_their_deadlines_as_these_are_now(
    admin, worker, workshop, at, opened, client_with_keys
):
    monday = local_day(opened)
    jobs = [order_with_panes(admin, workshop, steps=1, panes=1) for _ in range(4)]
    good, late, open_one, old = jobs
    done = at(2, "10:00")
    for job in (good, late):
        pass_station(worker, job.numbers[0], job.stations[0])
    due(good.order, done)
    due(late.order, done - timedelta(hours=1))
    due(open_one.order, done + timedelta(days=5))
    due(old.order, done - timedelta(days=7))
    at(8, "08:00")
    found = admin.get("/api/dashboard/on-time", days=7).data
    assert (found["orders"], found["onTime"]) == (3, 1)
    assert found["weeks"] == [
        {"week": str(monday), "orders": 2, "onTime": 1},
        {"week": str(monday + timedelta(days=7)), "orders": 1, "onTime": 0},
    ]
    assert admin.get("/api/dashboard/on-time", days=30).data["orders"] == 4
    due(late.order, done)  # a later date was agreed
    assert admin.get("/api/dashboard/on-time", days=7).data["onTime"] == 2
    refused = client_with_keys("panes:view").get("/api/dashboard/on-time")
    assert refused.status == 403
