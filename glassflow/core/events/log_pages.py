"""The event log in memory, and read in pages for clients that continue after a number.

Each process caches the events that it has published, delivered or read. Pages come from
this cache where it has them, else from the store. A page is small, because each of many
clients may have one in memory: events are at most `payloads.MAX_EVENT_BYTES` long, but
those of earlier releases may be larger.

After an interruption many clients continue at once, mostly after nearly the same number.
They share what one of them has read, and a process reads one page at a time: otherwise
all other requests would wait behind hundreds of pages.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import pymongo
from cachetools import FIFOCache
from gevent.lock import BoundedSemaphore
from pymongo.errors import ConnectionFailure

from glassflow.core.events import event_log, event_numbers
from glassflow.core.events.event_log import Event
from glassflow.core.process import deadlines
from glassflow.core.process.time_limit import at_most
from glassflow.domain import texts
from glassflow.domain.errors import Refusal

PAGE_EVENTS = 25
CACHE_BYTES = 12_000_000
EVENT_BYTES = 1_000  # of an event in memory besides its payload


class LogStartsLater(Refusal):
    """The missed events are not in the log; `oldest` is the next number that is.

    All that was older has expired, or a backup without them has been restored.
    """

    code = "EVENT_LOG_STARTS_LATER"

    def __init__(self, oldest: int) -> None:
        super().__init__(texts.LOG_STARTS_LATER, details={"oldest": oldest})


class EventCache:
    """Events of the log by number; those that were added first are dropped first.

    A reader who asks for what follows a number gets either the events with the very next
    numbers or none; then it has to read the store. Rights are the reader's concern. Events
    may have expired in the store meanwhile.
    """

    def __init__(self) -> None:
        self._events: FIFOCache[int, Event] = FIFOCache(CACHE_BYTES, getsizeof=_size)

    def add(self, events: Iterable[Event]) -> None:
        """Cache events that a majority of the store has."""
        for event in events:
            if _size(event) <= CACHE_BYTES:
                self._events[event.seq] = event

    def after(self, seq: int, upto: int) -> list[Event]:
        """Return the events after a number up to another one, without a gap.

        Ends before the first event that is not cached: possibly with none.
        """
        found: list[Event] = []
        while seq < upto and (event := self._events.get(seq + 1)) is not None:
            found.append(event)
            seq += 1
        return found

    def clear(self) -> None:
        """Forget all events."""
        self._events.clear()


def _size(event: Event) -> int:
    return EVENT_BYTES + len(event.payload)


class LogPages:
    """Pages of the event log, from the cache or from the store."""

    def __init__(self, cache: EventCache) -> None:
        self._cache = cache
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
        if events := self._cache.after(after, end):
            return events
        with self._one_reader():
            # another client may have read them while this one waited
            events = self._cache.after(after, end) or _read_store(after, end, last)
            self._cache.add(events)
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
