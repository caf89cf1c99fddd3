"""What changes of records add to the figures of days."""

from datetime import datetime, timedelta
from statistics import median_low
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain import calendar
from glassflow.domain.daily_figures import LEAST_DAYS, hour_of, usual
from glassflow.domain.daily_figures import count as count_by
from glassflow.domain.stays import bucket_of
from glassflow.domain.working_time import (
    Period,
    WorkingTime,
    WorkingTimes,
    all_hours,
    read_week,
)

BANGKOK = ZoneInfo("Asia/Bangkok")
STATION = "a" * 24
MOMENT = datetime(2026, 3, 1, 18)  # one o'clock of the next day in Bangkok
ANYTHING = st.recursive(
    st.none() | st.integers() | st.text() | st.datetimes(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
FIELDS = ("createdAt", "completedAt", "arrivedAt", "occurredAt", "currentStation", "station",
          "movedTo", "action", "undone", "parentPane", "startedAt", "takenInAt")  # fmt: skip


HOURS = st.dictionaries(st.integers(0, 24), st.integers(0, 50))
DAYS = st.lists(HOURS.filter(lambda hours: any(hours.values())), min_size=LEAST_DAYS)


def count(changes, zone):
    return count_by(changes, zone, all_hours(zone))


def created(kind, **fields):
    return {"kind": kind, "action": "created", "was": {}, "now": fields}


def log(**fields):
    return created("PaneLog", station=STATION, createdAt=MOMENT, **fields)


def test_a_check_that_was_passed_counts_as_left_passed_and_as_a_stay():
    arrived = MOMENT - timedelta(hours=1)
    found = count([log(action="qc_pass", arrivedAt=arrived)], BANGKOK)
    assert found == {
        "2026-03-02": {f"left:{STATION}": 1, f"passed:{STATION}": 1,
                       f"stays:{STATION}:167": 1}
    }  # fmt: skip


def test_a_stay_is_counted_in_the_working_time_of_its_station():
    """From Saturday 16:00 to Monday 09:00: two hours, and three where somebody starts at 07:00."""
    saturday, monday = datetime(2026, 2, 28, 9), datetime(2026, 3, 2, 2)  # UTC

    def time(start):
        day = [{"start": start, "end": "17:00"}]
        week = read_week({"saturday": day, "monday": day})
        return WorkingTime(BANGKOK, [Period(datetime(2026, 1, 1), week)])

    times = WorkingTimes(time("08:00"), {"b" * 24: time("07:00")})
    for station, hours in ((STATION, 2), ("b" * 24, 3)):
        scan = {"station": station, "action": "scan_out", "arrivedAt": saturday}
        row = created("PaneLog", createdAt=monday, **scan)
        (counts,) = count_by([row], BANGKOK, times).values()
        assert counts[f"stays:{station}:{bucket_of(hours * 3600)}"] == 1


def test_panes_that_come_to_a_station_and_go_are_added_after_so_many_working_seconds():
    week = read_week({"monday": [{"start": "00:30", "end": "17:00"}]})
    time = WorkingTime(BANGKOK, [Period(datetime(2026, 1, 1), week)])
    moved = {"kind": "Pane", "action": "updated", "at": MOMENT,  # a Monday
             "was": {"currentStation": "b" * 24}, "now": {"currentStation": STATION}}  # fmt: skip
    assert count_by([moved], BANGKOK, WorkingTimes(time)) == {
        "2026-03-02": {
            f"added:{STATION}": 1, f"addedAfter:{STATION}": 1800,
            f"added:{'b' * 24}": -1, f"addedAfter:{'b' * 24}": -1800,
        }
    }  # fmt: skip


def test_an_undone_scan_takes_back_what_it_counted():
    scan = log(action="qc_fail")
    undone = [{**scan["now"], "_id": 1}]
    correction = log(action="correction", undone=undone)
    counts = count([scan, correction], BANGKOK)
    assert counts == {"2026-03-02": {f"failed:{STATION}": 0}}


def test_a_pane_that_is_no_longer_finished_is_taken_back_on_the_day_it_was_finished():
    reopened = {
        "kind": "Pane",
        "action": "updated",
        "was": {"completedAt": MOMENT - timedelta(days=3)},
        "now": {},
        "at": MOMENT,
    }
    assert count([reopened], BANGKOK) == {"2026-02-27": {"finished:1": -1}}


@pytest.mark.parametrize(
    ("zone", "moment"),
    [
        ("Europe/Berlin", datetime(2026, 10, 25)),  # a day of 25 hours
        ("Europe/Berlin", datetime(2026, 3, 29)),  # and of 23
        ("Asia/Kathmandu", datetime(2026, 5, 5)),
    ],
)
def test_hours_of_a_day_are_those_of_the_chart_wherever_clocks_change(zone, moment):
    place = ZoneInfo(zone)
    last = calendar.day_start(moment, place, 1) - timedelta(minutes=1)
    steps = calendar.hour_starts(last, place, 30)
    today = [one for one in steps if one >= calendar.day_start(last, place)]
    assert [hour_of(one, place) for one in today] == list(range(len(today)))
    ends = [hour_of(one + timedelta(minutes=59), place) for one in today]
    assert ends == list(range(len(today)))


@given(
    kind=st.sampled_from(["Pane", "PaneLog", "Request"]),
    action=st.sampled_from(["created", "updated", "deleted"]),
    was=st.dictionaries(st.sampled_from(FIELDS), ANYTHING),
    now=st.dictionaries(st.sampled_from(FIELDS), ANYTHING),
)
def test_a_change_of_another_program_is_counted_or_left_out_whatever_it_has(
    kind, action, was, now
):
    change = {"kind": kind, "action": action, "was": was, "now": now, "at": MOMENT}
    found = count([change], BANGKOK)
    for day, counts in found.items():
        datetime.fromisoformat(day)
        assert not any(set("$.") & set(name) for name in counts)


def stored(hours):
    """The numbers of hours as a document has them."""
    return {str(hour): n for hour, n in hours.items()}


@given(days=DAYS, idle=st.integers(0, 9), order=st.randoms())
def test_the_usual_rises_from_hour_to_hour_to_the_median_of_the_days_that_had_any(
    days, idle, order
):
    shown = [stored(hours) for hours in (*days, *[{}] * idle)]
    found = usual(shown)
    assert found == sorted(found)
    assert len(found) == 24
    assert found[0] == median_low(hours.get(0, 0) for hours in days)
    assert found[-1] == median_low(sum(hours.values()) for hours in days)
    order.shuffle(shown)
    assert usual(shown) == found


@given(days=st.lists(HOURS, max_size=LEAST_DAYS - 1), idle=st.integers(0, 9))
def test_too_few_days_say_nothing_about_a_usual_day(days, idle):
    assert usual(map(stored, (*days, *[{}] * idle))) is None
