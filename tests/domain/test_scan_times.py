"""Which times a device may name for a scan that it has kept."""

from datetime import datetime, timedelta

import pytest

from glassflow.domain.panes.scan_times import ScanTimeRefused, require_plausible

NOW = datetime(2026, 3, 5, 8, 0)


@pytest.mark.parametrize(
    "age", [timedelta(hours=72), timedelta(minutes=1), -timedelta(minutes=2)]
)
def test_scan_of_the_last_three_days_is_accepted_with_a_clock_that_is_a_little_fast(
    age,
):
    require_plausible(NOW - age, NOW)


def test_scan_without_a_time_is_accepted():
    require_plausible(None, NOW)


@pytest.mark.parametrize(
    ("age", "code"),
    [
        (timedelta(hours=72, milliseconds=1), "SCAN_TOO_OLD"),
        (-timedelta(minutes=2, milliseconds=1), "SCAN_IN_FUTURE"),
    ],
)
def test_other_times_are_refused_with_the_time_of_the_service(age, code):
    with pytest.raises(ScanTimeRefused) as caught:
        require_plausible(NOW - age, NOW)
    assert caught.value.code == code
    assert caught.value.details == {"occurredAt": NOW - age, "serverTime": NOW}
