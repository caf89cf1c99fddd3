"""How long panes stay at a station: the percentiles by which boards show their age."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

LEAST_COUNT = 50  # stays; fewer say too little about a station
PERCENTILES = (0.50, 0.85, 0.95)
HOUR_S = 3600.0
# Until a station has had enough stays: 8, 24 and 48 hours.
DEFAULT_S = (8 * HOUR_S, 24 * HOUR_S, 48 * HOUR_S)


@dataclass(frozen=True, slots=True)
class Stay:
    """How long panes stay, in seconds, and of how many stays that is known."""

    p50: float
    p85: float
    p95: float
    count: int


def summarize(stays_s: Sequence[float]) -> Stay:
    """Return the percentiles of stays in rising order (nearest rank), or the default."""
    count = len(stays_s)
    if count < LEAST_COUNT:
        return Stay(*DEFAULT_S, count)
    p50, p85, p95 = (stays_s[ceil(share * count) - 1] for share in PERCENTILES)
    return Stay(p50, p85, p95, count)
