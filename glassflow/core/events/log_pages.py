"""Reads the event log in pages, for clients that continue after a number.

Pages come from the recent events in memory where these have them, else from the store. A
page is small, because each of many clients may have one in memory: events are at most
`payloads.MAX_EVENT_BYTES` long, but those of earlier releases may be larger.

After an interruption many clients continue at once, mostly after nearly the same number.
They share what one of them has read, and a process reads one page at a time: otherwise
all other requests would wait behind hundreds of pages.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pymongo
from gevent.lock import BoundedSemaphore
from pymongo.errors import ConnectionFailure

from glassflow.core.events import event_log, event_numbers
from glassflow.core.events.event_log import Event
from glassflow.core.events.recent_events import RecentEvents
from glassflow.core.process import deadlines
from glassflow.core.process.time_limit import at_most
from glassflow.domain import texts
from glassflow.domain.errors import Refusal

PAGE_EVENTS = 25
SHARED_EVENTS = 1_000  # events read from the store that clients share
SHARED_BYTES = 2 * event_log.PAGE_BYTES  # of their payloads
SHARED_FOR_S = 10.0  # after the last one was read; in the store they may expire


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
        self._shared = RecentEvents(max_events=SHARED_EVENTS, max_bytes=SHARED_BYTES)
        self._last_read = 0.0
        self._reading = BoundedSemaphore()

    def require_kept(self, after: int, last: int) -> None:
        """Raise `LogStartsLater` unless a client can continue after a number.

        `last` is the number of the newest event. A number is refused if it is newer, or
        older than the number before the oldest event; any other is accepted, also one in
        a gap, unless `flask restore` has made it. Raises `PyMongoError` while the store
        does not answer, or does not know the events up to `last` yet.
        """
        if after > last:  # the number of another log: the store was created again
            raise LogStartsLater(event_log.oldest(last))
        self.read(after, last)

    def read(self, after: int, last: int) -> list[Event]:
        """Read the next events after a number, up to the number `last`, in their order.

        Returns none only where no event follows up to `last`: then continue there. Raises
        `LogStartsLater` and `PyMongoError` as `require_kept` does: events may expire
        while a client reads.
        """
        if after >= last:
            return []
        end = min(last, after + PAGE_EVENTS)
        if events := self._in_memory(after, end):
            return events
        with self._one_reader():
            # another client may have read them while this one waited
            return self._in_memory(after, end) or self._from_store(after, end, last)

    def forget(self) -> None:
        """Forget what was read from the store."""
        self._shared.clear()

    def _in_memory(self, after: int, end: int) -> list[Event]:
        if time.monotonic() - self._last_read > SHARED_FOR_S:
            self.forget()
        return self._recent.after(after, end) or self._shared.after(after, end)

    def _from_store(self, after: int, end: int, last: int) -> list[Event]:
        events = _read_store(after, end, last)
        self._shared.add(events)
        self._last_read = time.monotonic()
        return events

    @contextmanager
    def _one_reader(self) -> Iterator[None]:
        """Wait until no other client reads the store, as long as one read may take."""
        limit_s = at_most(deadlines.REQUEST_TIMEOUT_S)
        if not self._reading.acquire(timeout=limit_s):
            raise ConnectionFailure("others are reading the event log")
        try:
            yield
        finally:
            self._reading.release()


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
