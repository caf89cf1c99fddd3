"""The histogram of stays: its percentiles are near those of the stays themselves."""

from collections import Counter
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.stays import (
    LEAST_COUNT,
    PERCENTILES,
    bucket_of,
    seconds_of,
    summarize,
)

DAY_S = 86_400
STAYS = st.lists(st.floats(20, 90 * 86_400), min_size=LEAST_COUNT, max_size=300)


def histogram(stays):
    return Counter(map(bucket_of, stays))


@given(STAYS)
def test_percentiles_are_within_three_percent_of_the_nearest_rank(stays):
    found, ordered = summarize(histogram(stays), DAY_S), sorted(stays)
    assert found.count == len(stays)
    for share, shown in zip(
        PERCENTILES, (found.p50, found.p85, found.p95), strict=True
    ):
        exact = ordered[ceil(share * len(stays)) - 1]
        assert shown == pytest.approx(exact, rel=0.05 / 2, abs=0.51)


@pytest.mark.parametrize(("day_h", "hours"), [(24, (8, 24, 48)), (9, (3, 9, 18))])
def test_few_stays_of_a_station_are_a_third_of_a_working_day_one_and_two(day_h, hours):
    found = summarize(histogram([60.0] * (LEAST_COUNT - 1)), day_h * 3600)
    assert (found.p50, found.p85, found.p95) == tuple(3600 * one for one in hours)
    assert found.count == LEAST_COUNT - 1


def test_a_stay_without_length_or_of_a_clock_that_went_back_is_in_the_first_bucket():
    assert [bucket_of(stay) for stay in (-5.0, 0.0, 0.9, 1.0)] == [0] * 4
    assert seconds_of(0) == 1.0
