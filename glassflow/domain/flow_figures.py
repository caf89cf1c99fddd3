"""What the daily figures say of a station: how busy it is, and whether its scans are missing.

By Little's law, the panes that are at a station on average (held) are as many as arrive there
in the time that a pane stays (expected). Where both differ, panes go without a scan, or are
scanned in and never out. Panes that wait where a machine stands have missed no scan: those
that no other pane has overtaken are expected for as long as they have been there.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from glassflow.domain.stays import LEAST_COUNT, mean

# What is held for what is expected; beyond it, scans are missing.
USUAL_RATIO = (0.8, 1.25)
# Little's law holds for a long time: of shorter ones the panes at their ends say too much.
LEAST_STAYS_LONG = 10
LEAST_HELD = 1  # pane on average; of fewer, each one that is scanned late says too much
LEAST_DAYS = 5  # with work; fewer do not show what a station can do
BUSY_SHARE = 0.9  # of the days have less work than the busy ones
# So much above a whole number of panes at once is work that was begun the day before.
OVERHANG = 0.1


class StationDay(NamedTuple):
    """What a station did on a day, in whose `worked_s` seconds of working time.

    So many panes `arrived`, and so many were `added` to those that it has, after
    `added_after_s` seconds in sum. The work that ended took `touched_s` seconds in sum.
    """

    worked_s: float
    arrived: int
    added: int
    added_after_s: int
    touched_s: float


def held(days: Sequence[StationDay], panes: int) -> float | None:
    """Return how many panes were at a station on average, of the `panes` that are there now.

    None without working time.
    """
    worked_s = sum(day.worked_s for day in days)
    if not worked_s:
        return None
    pane_seconds = 0.0
    for day in reversed(days):
        pane_seconds += panes * day.worked_s - day.added_after_s
        panes -= day.added
    return pane_seconds / worked_s


def expected(
    days: Sequence[StationDay],
    stays: Mapping[int, int],
    ages_s: Iterable[float] = (),
) -> float | None:
    """Return how many panes are at a station on average by Little's law: arrivals × stay.

    `stays` is the histogram (`domain.stays`) of those that left, and `ages_s` for how many
    seconds each has waited that is still there and that no other has overtaken. None where
    few have left, or they stayed for too much of the time.
    """
    stay_s = mean(stays)
    worked_s = sum(day.worked_s for day in days)
    if sum(stays.values()) < LEAST_COUNT or worked_s < LEAST_STAYS_LONG * stay_s:
        return None
    longer_s = sum(max(0.0, min(age_s, worked_s) - stay_s) for age_s in ages_s)
    return _arrived_per_s(days) * stay_s + longer_s / worked_s


def _arrived_per_s(days: Sequence[StationDay]) -> float:
    return sum(day.arrived for day in days) / sum(day.worked_s for day in days)


def misses_scans(held_panes: float | None, expected_panes: float | None) -> bool:
    """Return whether scans are missing at a station that holds and expects so many panes."""
    if held_panes is None or expected_panes is None:
        return False
    if max(held_panes, expected_panes) < LEAST_HELD:
        return False
    low, high = USUAL_RATIO
    return not low * expected_panes <= held_panes <= high * expected_panes


def at_once(days: Sequence[StationDay]) -> int | None:
    """Return how many panes a station works on at once on its busy days.

    That is what it can do, as far as it has shown. None for too few days with work.
    """
    worked = sorted(
        day.touched_s / day.worked_s for day in days if day.touched_s and day.worked_s
    )
    if len(worked) < LEAST_DAYS:
        return None
    busy = worked[ceil(BUSY_SHARE * len(worked)) - 1]
    return max(1, ceil(busy - OVERHANG))


def load(
    days: Sequence[StationDay], touches: Mapping[int, int], left: int
) -> float | None:
    """Return which share of what a station can do arrives: 1 is all of it.

    The arrivals × the mean of `touches`, the histogram of how long the work on a pane took,
    by the working time and the panes that it works on at once. None where the beginning and
    the end of the work are known of few panes, or of less than half of those that `left`.
    """
    count, places = sum(touches.values()), at_once(days)
    if count < LEAST_COUNT or 2 * count < left or not places:
        return None
    return _arrived_per_s(days) * mean(touches) / places
