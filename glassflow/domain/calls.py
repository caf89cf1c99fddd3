"""Calls: somebody at a station needs help, or a machine stands.

A stop is a call with a switch, and maintenance is a stop at a station that takes no panes
in. So one record tells why a station waits, since when, and who comes.
"""

from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from glassflow.domain import calendar

# A call of the late evening outlives midnight.
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


def shift_end(called_at: datetime, zone: ZoneInfo) -> datetime:
    """Return when the shift of a call is over, in naive UTC.

    That is the end of the workshop's day, and at least four hours after the call.
    """
    return max(calendar.day_start(called_at, zone, 1), called_at + LEAST_SHIFT)
