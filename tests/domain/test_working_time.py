"""Working time: which hours count, by the week, the days off and what changed when."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.working_time import (
    WEEK_MIN,
    WEEKDAYS,
    Period,
    WorkingTime,
    day_minutes,
    overlapping,
    read_week,
)

BANGKOK = ZoneInfo("Asia/Bangkok")
ZONES = st.sampled_from([BANGKOK, ZoneInfo("UTC"), ZoneInfo("Europe/Berlin")])
HOUR_S = 3600
DAY = [{"start": "08:00", "end": "12:00"}, {"start": "13:00", "end": "17:00"}]
OFFICE = dict.fromkeys(WEEKDAYS[:6], DAY)
NIGHTS = {day: [{"start": "20:00", "end": "04:00"}] for day in WEEKDAYS[:5]}
ALWAYS = {day: [{"start": "00:00", "end": "00:00"}] for day in WEEKDAYS}
# of a year with both changes of clocks, to the minute
MINUTES = st.integers(0, 365 * 24 * 60)
START = datetime(2026, 1, 1)
MOMENTS = MINUTES.map(lambda minute: START + timedelta(minutes=minute))
WEEKS = st.sampled_from([None, OFFICE, NIGHTS, ALWAYS])
DAYS_OFF = st.frozensets(
    MOMENTS.map(lambda moment: moment.date().isoformat()), max_size=20
)


@st.composite
def times(draw):
    since = sorted(draw(st.sets(MOMENTS, max_size=4)))
    periods = [
        Period(one, (week := draw(WEEKS)) and read_week(week), draw(DAYS_OFF))
        for one in since
    ]
    return WorkingTime(draw(ZONES), periods)


def utc(text):
    return datetime.fromisoformat(text).astimezone(UTC).replace(tzinfo=None)


def hours(time, start, end):
    return time.seconds(utc(f"{start}+07:00"), utc(f"{end}+07:00")) / HOUR_S


def working(week, *days_off):
    period = Period(START, read_week(week), frozenset(days_off))
    return WorkingTime(BANGKOK, [period])


def test_a_night_a_lunch_and_a_sunday_count_nothing():
    time = working(OFFICE)
    assert (
        hours(time, "2026-11-28T16:00", "2026-11-30T09:00") == 2
    )  # Saturday to Monday
    assert hours(time, "2026-11-30T11:30", "2026-11-30T13:30") == 1
    assert hours(time, "2026-11-29T00:00", "2026-11-30T00:00") == 0
    assert hours(time, "2026-11-23T00:00", "2026-11-30T00:00") == 48
    assert hours(time, "2026-11-30T09:00", "2026-11-30T08:00") == 0  # clocks differ


def test_no_shift_begins_on_a_day_off():
    time = working(OFFICE, "2026-12-05")
    assert hours(time, "2026-12-05T00:00", "2026-12-06T00:00") == 0
    nights = working(NIGHTS, "2026-12-01")  # a Tuesday
    assert hours(nights, "2026-12-01T00:00", "2026-12-02T12:00") == 4  # that of Monday
    assert hours(nights, "2026-12-03T00:00", "2026-12-03T04:00") == 4


def test_a_change_counts_from_its_moment_on():
    moment = utc("2026-11-30T10:00+07:00")
    time = WorkingTime(BANGKOK, [Period(moment, read_week(OFFICE))])
    assert hours(time, "2026-11-29T10:00", "2026-12-01T09:00") == 24 + 6 + 1
    before = WorkingTime(BANGKOK, [Period(START, read_week(NIGHTS)), *time.periods])
    assert (
        hours(before, "2026-11-30T00:00", "2026-11-30T11:00") == 1
    )  # no night on Sunday
    taken_back = WorkingTime(
        BANGKOK, [Period(START, read_week(OFFICE)), Period(moment)]
    )
    assert hours(taken_back, "2026-11-30T08:00", "2026-12-01T00:00") == 2 + 14


@given(times(), st.lists(MOMENTS, min_size=3, max_size=3))
def test_parts_add_up_and_none_is_longer_than_it_lasts(time, moments):
    first, middle, last = sorted(moments)
    parts = time.seconds(first, middle) + time.seconds(middle, last)
    assert parts == time.seconds(first, last)
    assert 0 <= parts <= (last - first).total_seconds()
    spans = list(time.spans(first, last))
    assert all(start < end for start, end in spans)
    assert spans == sorted(spans)


@given(times(), MOMENTS, MOMENTS)
def test_runs_are_the_minutes_that_do_not_count_and_that_do(time, one, other):
    start, end = sorted((one, other))
    runs = time.runs(start, end)
    assert 60 * sum(runs[1::2]) == time.seconds(start, end)
    assert sum(runs) <= (end - start) / timedelta(minutes=1)
    assert all(runs[1:])


@given(times(), MOMENTS)
def test_the_shift_of_a_moment_ends_where_its_work_ends(time, moment):
    end = time.shift_end(moment)
    if end is not None:
        assert moment < end <= moment + timedelta(hours=34)


@pytest.mark.parametrize(
    ("week", "at", "end"),
    [
        (OFFICE, "2026-11-30T09:00", "2026-11-30T17:00"),
        (OFFICE, "2026-11-30T12:30", "2026-11-30T17:00"),  # at lunch
        (OFFICE, "2026-11-30T07:00", "2026-11-30T17:00"),  # before it begins
        (OFFICE, "2026-11-30T17:00", None),
        (OFFICE, "2026-11-29T09:00", None),
        (OFFICE, "2026-12-05T09:00", None),  # a day off
        (NIGHTS, "2026-12-01T03:00", "2026-12-01T04:00"),
        (NIGHTS, "2026-12-01T04:00", "2026-12-02T04:00"),
        (NIGHTS, "2026-12-05T05:00", None),
    ],
)
def test_shift_ends_with_the_last_hours_of_its_day(week, at, end):
    found = working(week, "2026-12-05").shift_end(utc(f"{at}+07:00"))
    assert found == (end and utc(f"{end}+07:00"))
    assert WorkingTime(BANGKOK).shift_end(utc(f"{at}+07:00")) is None


def test_a_usual_working_day_is_the_mean_of_the_days_with_hours():
    assert day_minutes(read_week(OFFICE)) == 8 * 60
    assert day_minutes(read_week({**OFFICE, "saturday": DAY[:1]})) == round(44 * 60 / 6)
    assert day_minutes(None) == 24 * 60
    assert working(NIGHTS).day_s == 8 * HOUR_S


@pytest.mark.parametrize(
    ("week", "day"),
    [
        (OFFICE, None),
        (ALWAYS, None),
        (NIGHTS, None),
        ({"monday": [*DAY, {"start": "11:59", "end": "12:30"}]}, "monday"),
        ({"monday": DAY[:1] * 2}, "monday"),
        ({**NIGHTS, "tuesday": [{"start": "03:59", "end": "08:00"}]}, "tuesday"),
        ({**OFFICE, "sunday": [{"start": "20:00", "end": "08:01"}]}, "monday"),
        ({"sunday": [{"start": "08:00", "end": "08:00"}]}, None),
    ],
)
def test_shifts_overlap_also_over_midnight_and_the_end_of_the_week(week, day):
    assert overlapping(read_week(week)) == day


def test_hours_are_those_of_clocks_that_change():
    berlin = WorkingTime(ZoneInfo("Europe/Berlin"), [Period(START, read_week(ALWAYS))])
    spring = datetime(2026, 3, 28, 23), datetime(2026, 3, 29, 22)  # a day of 23 hours
    assert berlin.seconds(*spring) == 23 * HOUR_S
    assert sum(berlin.runs(*spring)) == WEEK_MIN / 7 - 60
