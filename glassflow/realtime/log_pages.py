"""Reads the event log in pages, for clients that continue after a number.

Pages come from the recent events in memory where these have them, else from the store. A
page is small, because each of many clients may have one in memory: events are at most
`payloads.MAX_EVENT_BYTES` long, but those of earlier releases may be larger.
"""

import pymongo

from glassflow.core import deadlines, event_log
from glassflow.core.event_log import Event
from glassflow.domain import texts
from glassflow.domain.errors import Refusal
from glassflow.realtime.recent_events import RecentEvents

PAGE_EVENTS = 25


class LogStartsLater(Refusal):
    """The missed events are not in the log; `oldest` is the next number that is.

    They have expired, or a backup without them has been restored.
    """

    code = "EVENT_LOG_STARTS_LATER"

    def __init__(self, oldest: int) -> None:
        super().__init__(texts.LOG_STARTS_LATER, details={"oldest": oldest})


class LogPages:
    """Pages of the event log, of which `recent` has the newest events."""

    def __init__(self, recent: RecentEvents) -> None:
        self._recent = recent

    def require_kept(self, after: int, last: int) -> None:
        """Raise `LogStartsLater` unless all events after a number are still kept."""
        if after > last:  # the number of another log: the store was created again
            raise LogStartsLater(event_log.oldest(last))
        self._read(after, last, limit=1)

    def read(self, after: int, last: int) -> list[Event]:
        """Read the next events after a number, up to the number `last`, in their order.

        Returns none only where no event follows. Raises `LogStartsLater` if the next
        event has expired, which may also happen to a client that reads slowly.
        """
        return self._read(after, last, limit=PAGE_EVENTS)

    def _read(self, after: int, last: int, *, limit: int) -> list[Event]:
        if after >= last:
            return []
        end = min(last, after + limit)
        return self._recent.after(after, end) or _read_store(after, end, last)


def _read_store(after: int, end: int, last: int) -> list[Event]:
    with pymongo.timeout(deadlines.REQUEST_TIMEOUT_S):
        events = event_log.after(after, end)
        kept = [
            event for seq, event in enumerate(events, after + 1) if event.seq == seq
        ]
        if not kept:  # a single older event may have outlived these
            raise LogStartsLater(event_log.oldest(last, after + 1))
    return kept
