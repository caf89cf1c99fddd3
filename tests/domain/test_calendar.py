"""Days and hours of a time zone, also where its clocks change, and dates that are written."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from glassflow.domain import calendar

BANGKOK, BERLIN = ZoneInfo("Asia/Bangkok"), ZoneInfo("Europe/Berlin")
KOLKATA, APIA = ZoneInfo("Asia/Kolkata"), ZoneInfo("Pacific/Apia")
# in the last two, clocks change at midnight
ZONES = [BANGKOK, BERLIN, KOLKATA, APIA,
         ZoneInfo("America/Sao_Paulo"), ZoneInfo("America/Havana")]  # fmt: skip
DAYS = st.dates(date(1990, 1, 1), date(2045, 12, 31))
MILLISECOND = timedelta(milliseconds=1)
NOW = datetime(2026, 11, 25, 19, 6)  # 02:06 of the next day in Bangkok


def test_a_day_begins_at_midnight_of_the_time_zone():
    begin = datetime(2026, 11, 21, 17)
    for moment in (begin, begin + timedelta(hours=23, minutes=59)):
        assert calendar.day_start(moment, BANGKOK) == begin
    assert calendar.day_start(begin - timedelta(seconds=1), BANGKOK) == (
        begin - timedelta(days=1)
    )
    assert calendar.day_start(begin, BANGKOK, days=1) == begin + timedelta(days=1)


def test_days_follow_the_clocks_where_they_change():
    # the clocks went back at 01:00 UTC on 25 October: that day had 25 hours
    starts = calendar.day_starts(datetime(2026, 10, 26, 12), BERLIN, 3)
    assert starts == [
        datetime(2026, 10, 23, 22),
        datetime(2026, 10, 24, 22),
        datetime(2026, 10, 25, 23),
    ]
    for moment in (datetime(2026, 10, 25, 0, 30), datetime(2026, 10, 25, 1, 30)):
        assert calendar.day_start(moment, BERLIN) == datetime(2026, 10, 24, 22)


def test_hours_begin_where_those_of_the_time_zone_do():
    starts = calendar.hour_starts(datetime(2026, 11, 22, 3, 10), KOLKATA, 2)
    assert starts == [datetime(2026, 11, 22, 1, 30), datetime(2026, 11, 22, 2, 30)]


def test_time_that_a_zone_does_not_have_stays_in_utc():
    shown = calendar.in_zone(datetime(9999, 12, 31, 16, 59), BANGKOK)
    assert shown.isoformat() == "9999-12-31T23:59:00+07:00"
    shown = calendar.in_zone(datetime(9999, 12, 31, 17), BANGKOK)
    assert shown.isoformat() == "9999-12-31T17:00:00+00:00"


@given(DAYS, st.sampled_from(ZONES))
@example(date(2026, 10, 25), BERLIN)  # 25 hours
@example(date(2018, 11, 4), ZONES[4])  # begins at 01:00
@example(date(2026, 11, 1), ZONES[5])  # has midnight twice
@example(date(2011, 12, 30), APIA)  # was left out
def test_date_is_its_whole_day_in_the_time_zone_and_nothing_else(day, zone):
    start, end = calendar.read_span(day.isoformat(), zone)
    for moment in (start - MILLISECOND, start, end - MILLISECOND, end):
        is_of_day = calendar.in_zone(moment, zone).date() == day
        assert is_of_day == (start <= moment < end)
    following = (day + timedelta(days=1)).isoformat()
    assert calendar.read_span(following, zone).start == end


@given(st.datetimes(datetime(1990, 1, 1), datetime(2045, 1, 1)), st.sampled_from(ZONES))
def test_day_that_is_written_is_that_of_the_charts(moment, zone):
    day = calendar.in_zone(moment, zone).date()
    start, end = calendar.read_span(day.isoformat(), zone)
    assert start == calendar.day_start(moment, zone)
    assert start <= moment < end


@given(
    st.datetimes(datetime(1990, 1, 1), datetime(2045, 1, 1)),
    st.sampled_from(ZONES),
    st.integers(-14, 14).map(lambda hours: timezone(timedelta(hours=hours))),
)
def test_time_that_is_written_is_a_millisecond_by_its_offset_or_by_the_clocks(
    moment, zone, clocks
):
    utc = moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    written = utc.replace(tzinfo=UTC).astimezone(clocks)
    expected = (utc, utc + MILLISECOND)
    assert calendar.read_span(written.isoformat(), zone) == expected
    naive = written.replace(tzinfo=None).isoformat()
    assert calendar.read_span(naive, zone, clocks) == expected
    assert calendar.read_span(utc.isoformat(), zone) == expected


@pytest.mark.parametrize("text", ["", "yesterday", "26/11/2026", "2026-13-01", "2569"])
def test_text_that_is_no_date_is_refused(text):
    with pytest.raises(ValueError, match=r"isoformat|month"):
        calendar.read_span(text, BANGKOK)


@pytest.mark.parametrize("zone", [BANGKOK, ZoneInfo("America/Havana")])
def test_days_at_the_ends_of_time_are_cut_off_where_utc_has_none(zone):
    first = calendar.read_span("0001-01-01", zone)
    last = calendar.read_span("9999-12-31", zone)
    assert datetime.min <= first.start < first.end < last.start < last.end
    end = calendar.read_span("9999-12-31T23:59:59-14:00", zone)
    assert end.start == end.end == datetime.max.replace(microsecond=999_000)


@given(st.dates(), st.sampled_from(ZONES))
@example(date(1989, 12, 31), BANGKOK)
@example(date(1990, 1, 1), BANGKOK)
@example(date(2046, 11, 26), BANGKOK)
@example(date(2046, 11, 27), BANGKOK)
@example(date(2500, 1, 1), BANGKOK)  # in 2499 as UTC has it
def test_date_is_likely_from_1990_until_twenty_years_ahead(day, zone):
    moment = calendar.read_span(day.isoformat(), zone).start
    day = calendar.in_zone(moment, zone).date()  # Apia had none on 2011-12-30
    today = calendar.in_zone(NOW, zone).date()
    is_likely = date(1990, 1, 1) <= day <= today.replace(year=2046)
    hint = calendar.unlikely_date(moment, zone, NOW)
    assert (hint is None) == is_likely
    is_buddhist = 2500 <= day.year <= 2600
    assert (calendar.buddhist_year(moment, zone) is not None) == is_buddhist
    if is_buddhist:
        assert hint == calendar.buddhist_year(moment, zone)
        assert str(day.year - 543) in hint


def test_unlikely_date_is_refused_with_a_hint():
    def hint(text, now=NOW):
        moment = calendar.read_span(text, BANGKOK).start
        return calendar.unlikely_date(moment, BANGKOK, now)

    assert hint("2569-11-26") == (
        "The year 2569 seems to be a Buddhist year: was 2026 meant?"
    )
    assert hint("0206-11-26") == "The date 0206-11-26 is before 1990: check the year"
    assert hint("2206-11-26") == (
        "The date 2206-11-26 is more than 20 years ahead: check the year"
    )
    leap_day = datetime(2080, 2, 29)  # 2100 has none
    assert hint("2100-02-28", leap_day) is None
    assert hint("2100-03-01", leap_day) is not None
