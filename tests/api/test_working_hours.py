"""The working hours: set, changed from now on, and what is counted by them."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest

from concurrency import create_clients, run_concurrently
from figures_recount import assert_figures_are_those_of_the_records
from glassflow.core.process import clock
from glassflow.core.process.json import iso, parse_iso
from glassflow.domain import calendar
from glassflow.domain.stays import bucket_of
from glassflow.domain.working_time import WEEKDAYS
from glassflow.jobs.overdue import Overdue
from glassflow.services import daily_figures, history, working_hours
from scenarios import order_with_panes, pass_station

PATH = "/api/working-hours"
ZONE = ZoneInfo("Asia/Bangkok")
DAY = [{"start": "08:00", "end": "12:00"}, {"start": "13:00", "end": "17:00"}]
OFFICE = {**dict.fromkeys(WEEKDAYS[:6], DAY), "sunday": []}
ALWAYS = {day: [{"start": "00:00", "end": "00:00"}] for day in WEEKDAYS}
HOUR_S, DAY_S = 3600, 86_400


def put(api, **values):
    answer = api.put(PATH, values)
    assert answer.status == 200, answer.body
    return answer.data


def refused(api, **values):
    answer = api.put(PATH, values)
    assert answer.status == 400, answer.body
    return list(answer.faults)


def stays(station):
    history.update()
    counters = [name for day in daily_figures.stored().values() for name in +day]
    of_station = [name for name in counters if name.startswith(f"stays:{station}:")]
    return [int(name.rpartition(":")[2]) for name in of_station]


def test_every_hour_counts_until_hours_are_set_and_once_they_are_taken_back(admin, at):
    at(0, "10:00:30")
    first = admin.get(PATH).data
    assert (first["week"], first["daysOff"], first["since"]) == (None, [], None)
    assert working_hours.for_pages() is None
    made = put(admin, week=dict.fromkeys(WEEKDAYS[:6], DAY))
    assert (made["week"], made["periods"]) == (OFFICE, [])
    in_force = parse_iso(made["since"])
    assert in_force == at(0, "10:03")  # later than any scan that is counted by now
    assert working_hours.for_pages() | {"runs": []} == {
        "since": in_force, "runs": [], "dayMinutes": 8 * 60, "stations": {},
    }  # fmt: skip
    assert working_hours.for_pages()["runs"][:5] == [0, 117, 60, 240, 15 * 60]
    at(0, "17:00")
    ended = put(admin, week=None)
    assert ended["week"] is None
    (period,) = ended["periods"]
    assert (period["since"], period["week"]) == (iso(in_force), OFFICE)
    assert working_hours.for_pages()["dayMinutes"] == 24 * 60
    newest, *_ = admin.get(f"{PATH}/history").data
    assert newest["action"] == "updated"


def test_change_that_is_not_in_force_yet_is_replaced_and_the_same_again_is_none(
    admin, at
):
    at(0, "10:00")
    put(admin, week=ALWAYS)
    at(0, "10:01")
    made = put(admin, week=OFFICE)
    assert (made["periods"], made["since"]) == ([], iso(at(0, "10:04")))
    at(0, "11:00")
    assert put(admin, week=OFFICE, daysOff=[])["version"] == made["version"]


def test_days_off_are_from_today_on_and_a_period_keeps_those_that_lie_in_it(admin, at):
    today = calendar.in_zone(at(0, "10:00"), ZONE).date()
    tomorrow, later = (str(today + timedelta(days)) for days in (1, 30))
    days_off = [{"date": later, "name": "สงกรานต์"}, {"date": tomorrow}]
    made = put(admin, week=OFFICE, daysOff=days_off)
    assert made["daysOff"] == [{"date": tomorrow, "name": ""}, days_off[0]]
    at(3, "10:00")
    yesterday = str(today + timedelta(2))
    wrong = [*made["daysOff"], {"date": yesterday}, {"date": later}]
    assert refused(admin, daysOff=wrong) == ["daysOff.3.date", "daysOff.2.date"]
    # what is stored may stay, and what goes has been a day off
    assert put(admin, daysOff=made["daysOff"])["periods"] == []
    changed = put(admin, daysOff=[])
    (period,) = changed["periods"]
    assert [one["date"] for one in period["daysOff"]] == [tomorrow]
    assert changed["week"] == OFFICE


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"week": {}}, "week"),
        ({"week": {"monday": [{"start": "8:00", "end": "12:00"}]}}, "week.monday.0.start"),
        ({"week": {"monday": [{"start": "08:00", "end": "24:00"}]}}, "week.monday.0.end"),
        ({"week": {"monday": [{"start": "08:00"}]}}, "week.monday.0.end"),
        ({"week": {"monday": [*DAY, {"start": "11:00", "end": "12:30"}]}}, "week.monday"),
        ({"week": {"monday": DAY[:1] * 5}}, "week.monday"),
        ({"week": {**OFFICE, "sunday": [{"start": "22:00", "end": "09:00"}]}}, "week.monday"),
        ({"week": []}, "week"),
        ({"daysOff": [{"date": "13.4.2027"}]}, "daysOff.0.date"),
        ({"daysOff": [{"name": "Songkran"}]}, "daysOff.0.date"),
        ({"stations": [{"station": "x", "week": OFFICE}]}, "stations.0.station"),
        ({"stations": [{"station": "0" * 24, "week": {}}]}, "stations.0.week"),
        ({"stations": [{"station": "0" * 24, "week": OFFICE}]}, None),
    ],
)  # fmt: skip
def test_hours_that_cannot_be_are_refused_and_change_nothing(admin, values, field):
    before = put(admin, week=OFFICE)
    answer = admin.put(PATH, values)
    assert answer.status == 400, answer.body
    if field is None:
        assert answer.body["message"] == "Station not found"
    else:
        assert list(answer.faults) == [field]
    assert admin.get(PATH).data == before


def test_hours_are_seen_with_the_key_for_stations_and_changed_with_that_to_manage_them(
    client_with_keys,
):
    viewer = client_with_keys("stations:view")
    assert viewer.get(PATH).status == viewer.get(f"{PATH}/history").status == 200
    assert viewer.put(PATH, {"week": OFFICE}).status == 403
    assert client_with_keys("panes:view").get(PATH).status == 403


def test_of_two_changes_at_once_one_is_told_that_it_saw_an_older_version(
    admin, server, workshop
):
    version = put(admin, week=OFFICE)["version"]
    one, other = create_clients(server, workshop, "admin", 2)
    weeks = [ALWAYS, {**OFFICE, "sunday": DAY}]
    answers = run_concurrently(
        [
            lambda api=api, week=week: api.put(
                PATH, {"week": week}, headers={"If-Match": f'"{version}"'}
            )
            for api, week in zip((one, other), weeks, strict=True)
        ]
    )
    assert sorted(answer.status for answer in answers) == [200, 412]


def test_stays_and_the_figures_of_a_recount_are_in_working_time_whatever_changes(
    admin, worker, workshop, at
):
    at(5, "16:00")  # a Saturday
    job = order_with_panes(admin, workshop, steps=2, panes=4)
    first, second = job.stations
    at(0, "07:00")
    put(admin, week=OFFICE, stations=[{"station": second, "week": ALWAYS}])
    at(7, "09:00")
    pass_station(worker, job.numbers[0], first)
    assert stays(first) == [bucket_of(2 * HOUR_S)]  # not 41 hours
    # from now on it works on, and what is counted already stays as it is
    put(admin, week=ALWAYS)
    at(8, "09:03")
    pass_station(worker, job.numbers[1], first)
    assert sorted(stays(first)) == [bucket_of(2 * HOUR_S), bucket_of(26 * HOUR_S)]
    at(9, "09:00")
    assert worker.post(f"/api/panes/{job.numbers[1]}/undo").status == 400  # too late
    pass_station(worker, job.numbers[0], second)
    assert stays(second) == [bucket_of(2 * DAY_S)]  # a station that never rests
    pass_station(worker, job.numbers[2], first)
    at(9, "09:00:20")
    assert worker.post(f"/api/panes/{job.numbers[2]}/undo").status == 200
    assert len(stays(first)) == 2
    put(admin, week=None, stations=[])
    assert_figures_are_those_of_the_records()


def test_board_and_stops_are_in_working_time(admin, manager, workshop, at):
    station = str(workshop.station(name="Washing").pk)
    at(0, "07:00")
    put(admin, week=OFFICE)

    def stay():
        (shown,) = admin.get("/api/board").data["stations"]
        return [shown["stay"][name] / HOUR_S for name in ("p50", "p85", "p95")]

    assert stay() == [round(8 * HOUR_S / 3) / HOUR_S, 8, 16]
    at(5, "16:00")  # a Saturday
    assert (
        admin.patch(f"/api/stations/{station}", {"status": "maintenance"}).status == 200
    )
    at(7, "09:00")
    assert admin.patch(f"/api/stations/{station}", {"status": "online"}).status == 200
    (row,) = admin.get("/api/calls/pareto", days=30).data["rows"]
    assert row["stoppedSeconds"] == 2 * HOUR_S


@pytest.mark.parametrize(
    ("called", "lasts_until"),
    [("15:00", "17:00"), ("18:00", "24:00"), ("12:15", "17:00")],
)
def test_a_call_ends_with_the_shift_of_its_station(
    admin, workshop, at, called, lasts_until
):
    station = str(workshop.station(name="Washing").pk)
    at(0, "07:00")
    put(admin, week=OFFICE)
    at(1, called)
    made = admin.post("/api/calls", {"station": station, "kind": "glass"}).data
    end = at(2, "00:00") if lasts_until == "24:00" else at(1, lasts_until)
    Overdue(is_holder=lambda: True).look()
    ended = admin.get(f"/api/calls/{made['_id']}").data
    assert (ended["ending"], ended["endedAt"]) == ("shift", iso(end))


def test_thailands_holidays_are_listed_from_today_on(admin):
    found = admin.get(f"{PATH}/holidays").data
    days = [one["date"] for one in found["holidays"]]
    assert days == sorted(days)
    assert days[0] >= calendar.local_date(clock.now(), ZONE)
    assert days[-1] <= found["until"]
    assert date.fromisoformat(found["until"]).year > date.fromisoformat(days[0]).year
    assert all(one["name"].keys() == {"th", "en"} for one in found["holidays"])


def test_pages_are_told_the_minutes_of_two_years(admin, at):
    at(0, "07:00")
    put(admin, week=OFFICE)
    at(1_000, "07:00")
    put(admin, week=ALWAYS)
    found = working_hours.for_pages()
    assert found["since"] == at(270, "00:00")
    assert sum(found["runs"]) > 780 * 24 * 60
