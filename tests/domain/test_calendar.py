"""Days and hours of a time zone, also where its clocks change."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from glassflow.domain import calendar

BANGKOK, BERLIN = ZoneInfo("Asia/Bangkok"), ZoneInfo("Europe/Berlin")
KOLKATA = ZoneInfo("Asia/Kolkata")


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
