"""How long something takes, such as the stays at a station: histograms and percentiles."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import ceil, floor, log, sqrt

LEAST_COUNT = 50  # stays; fewer say too little about a station
PERCENTILES = (0.50, 0.85, 0.95)
# Until a station has had enough stays: a third of a working day, one, and two of them.
DEFAULT_DAYS = (1 / 3, 1, 2)
# Each bucket of the histogram is longer than the one before by this factor, so a
# percentile is within 2.5 % of the stay that it stands for.
GROWTH = 1.05


@dataclass(frozen=True, slots=True)
class Stay:
    """How long panes stay, in seconds of working time, and of how many stays it is known."""

    p50: float
    p85: float
    p95: float
    count: int


def bucket_of(stay_s: float) -> int:
    """Return the bucket of a stay in seconds; one of less than a second is in the first."""
    return floor(log(max(1.0, stay_s)) / log(GROWTH))


@cache
def seconds_of(bucket: int) -> float:
    """Return the middle of a bucket, in whole seconds."""
    return float(round(GROWTH**bucket * sqrt(GROWTH)))


def summarize(stays: Mapping[int, int], day_s: float) -> Stay:
    """Return the percentiles (nearest rank) of a histogram, or the default for few stays.

    `stays` has how many stays each bucket has; a usual working day has `day_s` seconds.
    """
    count = sum(stays.values())
    if count < LEAST_COUNT:
        p50, p85, p95 = (float(round(days * day_s)) for days in DEFAULT_DAYS)
        return Stay(p50, p85, p95, count)
    p50, p85, p95 = (_nearest(stays, ceil(share * count)) for share in PERCENTILES)
    return Stay(p50, p85, p95, count)


def mean(stays: Mapping[int, int]) -> float:
    """Return the mean of a histogram in seconds, within 2.5 %; 0 of an empty one."""
    count = sum(stays.values())
    return sum(n * seconds_of(one) for one, n in stays.items()) / count if count else 0


def percentile(stays: Mapping[int, int], share: float) -> float | None:
    """Return the length (s) that a share of a histogram does not exceed; None if it is empty."""
    count = sum(stays.values())
    return _nearest(stays, max(1, ceil(share * count))) if count else None


def _nearest(stays: Mapping[int, int], rank: int) -> float:
    """Return the stay with a rank, in rising order from 1."""
    for bucket in sorted(stays):
        rank -= stays[bucket]
        if rank <= 0:
            return seconds_of(bucket)
    raise ValueError("the rank is higher than the number of stays")
