"""Reads the event log in pages, for clients that continue after a number.

Pages come from the recent events in memory where these have them, else from the store. A
page is small, because each of many clients may have one in memory: events are at most
`payloads.MAX_EVENT_BYTES` long, but those of earlier releases may be larger.
"""

from collections.abc import Sequence

import pymongo
from pymongo.errors import ConnectionFailure

from glassflow.core import deadlines, event_log, event_numbers
from glassflow.core.event_log import Event
from glassflow.domain import texts
from glassflow.domain.errors import Refusal
from glassflow.realtime.recent_events import RecentEvents

PAGE_EVENTS = 25


class LogStartsLater(Refusal):
    """The missed events are not in the log; `oldest` is the next number that is.

    All that was older has expired, or a backup without them has been restored.
    """

    code = "EVENT_LOG_STARTS_LATER"

    def __init__(self, oldest: int) -> None:
        super().__init__(texts.LOG_STARTS_LATER, details={"oldest": oldest})


class LogPages:
    """Pages of the event log, of which `recent` has the newest events."""

    def __init__(self, recent: RecentEvents) -> None:
        self._recent = recent

    def require_kept(self, after: int, last: int) -> None:
        """Raise `LogStartsLater` unless a client can continue after a number.

        `last` is the number of the newest event. A number is refused if it is newer, or
        older than the number before the oldest event; any other is accepted, also one in
        a gap, unless `flask restore` has made it. Raises `PyMongoError` while the store
        does not answer, or does not know the events up to `last` yet.
        """
        if after > last:  # the number of another log: the store was created again
            raise LogStartsLater(event_log.oldest(last))
        self._read(after, last, limit=1)

    def read(self, after: int, last: int) -> list[Event]:
        """Read the next events after a number, up to the number `last`, in their order.

        Returns none only where no event follows up to `last`: then continue there. Raises
        `LogStartsLater` as `require_kept` does: events may expire while a client reads.
        """
        return self._read(after, last, limit=PAGE_EVENTS)

    def _read(self, after: int, last: int, *, limit: int) -> list[Event]:
        if after >= last:
            return []
        end = min(last, after + limit)
        return self._recent.after(after, end) or _read_store(after, end, last)


def _read_store(after: int, end: int, last: int) -> list[Event]:
    with pymongo.timeout(deadlines.REQUEST_TIMEOUT_S):
        events = _without_gap(event_log.after(after, end), after)
        if events:
            return events
        if event_log.last() < last:  # as it may be for a moment after a failover
            raise ConnectionFailure("the event log lags behind this process")
        following = event_log.oldest(last, after)
        if event_numbers.is_any_skipped(after + 1, following - 1):
            raise LogStartsLater(following)
        oldest = event_log.oldest(last)
        if after + 1 < oldest:
            raise LogStartsLater(oldest)
        before = following - 1
        return _without_gap(event_log.after(before, before + end - after), before)


def _without_gap(events: Sequence[Event], after: int) -> list[Event]:
    """Return the events that follow a number, up to the first one that is missing."""
    return [event for seq, event in enumerate(events, after + 1) if event.seq == seq]
