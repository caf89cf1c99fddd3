"""Calls: somebody at a station needs help, or a machine stands.

A stop is a call with a switch, and maintenance is a stop at a station that takes no panes
in. So one record tells why a station waits, since when, and who comes.
"""

from datetime import datetime, timedelta
from enum import StrEnum

from glassflow.domain import calendar
from glassflow.domain.working_time import WorkingTime

# A call of the late evening outlives midnight, one of extra hours the end of the shift.
LEAST_SHIFT = timedelta(hours=4)


class CallKind(StrEnum):
    """What a call is about; `glass` is material, and panes that are not where they should be."""

    MACHINE = "machine"
    GLASS = "glass"
    QUESTION = "question"
    OTHER = "other"


class CallStatus(StrEnum):
    """Whether somebody comes: nobody yet, somebody has said so, or the call has ended."""

    OPEN = "open"
    TAKEN = "taken"
    ENDED = "ended"


OPEN_CALLS = frozenset({CallStatus.OPEN, CallStatus.TAKEN})


class CallEnding(StrEnum):
    """How a call ended: a person said so, its shift was over, or its pane went on."""

    PERSON = "person"
    SHIFT = "shift"
    PANE_MOVED = "pane_moved"


def shift_end(called_at: datetime, time: WorkingTime) -> datetime:
    """Return when the shift of a call is over, in naive UTC, by the time of its station.

    Where the work of its day is over, or nobody has said when it is, that is the end of the
    workshop's day, and at least four hours after the call.
    """
    midnight = calendar.day_start(called_at, time.zone, 1)
    return time.shift_end(called_at) or max(midnight, called_at + LEAST_SHIFT)
