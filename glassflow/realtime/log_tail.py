"""The log tail: delivers the event log to the sockets of this process, in order.

Each process reads the log by itself, so every client receives events in the order of
their numbers, whichever process published them. Events of the process's own publisher
are in memory. Events of others it hears through the publisher, which polls the log every
half second unless this process is the one that publishes, or earlier through Redis.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import gevent
import orjson
import pymongo
from gevent.event import Event as Signal
from gevent.lock import RLock
from pymongo.errors import ConnectionFailure
from socketio import Server

from glassflow.core.events import event_log
from glassflow.core.events.event_log import Event
from glassflow.core.events.log_pages import EventCache
from glassflow.core.process import clock, deadlines, metrics
from glassflow.core.process.cooperative import yield_to_hub
from glassflow.jobs import background
from glassflow.services.events.payloads import event_metadata

log = logging.getLogger(__name__)

RETRY_DELAY_S = 0.5
POLL_INTERVAL_S = 5.0  # between two polls of the log, without notifications
Listener = Callable[[Event], None]


class LogTail:
    """Reads the event log from where it ends at the start, and emits its events.

    `recent` has the newest events. `on_event` is called with each event that was
    delivered, `on_recheck` with those that concern the rights of sockets, `on_missed`
    after events that had expired before they were read; `warm_up` is called once, before
    the start.

    `position` is the number of the last event delivered. `stopping` is set when the
    process is about to end.
    """

    def __init__(
        self,
        server: Server,
        cache: EventCache,
        *,
        on_event: Listener,
        on_recheck: Listener,
        on_missed: Callable[[], None],
        warm_up: Callable[[], None],
    ) -> None:
        self._server = server
        self._cache = cache
        self._on_event = on_event
        self._on_recheck = on_recheck
        self._on_missed = on_missed
        self._warm_up = warm_up
        self.position = 0
        self.stopping = False
        self._end = 0  # the number of the last event that is known to be in the log
        self._end_unknown = False
        self._end_reported = 0.0
        self._lock = RLock()
        self._wake_up = Signal()
        self._advanced = Signal()
        self._greenlet: Any = None

    def start(self) -> None:
        """Start at the end of the log, unless the tail runs in this process already.

        Raises `PyMongoError` if the store does not answer, to this call or, for
        `REQUEST_TIMEOUT_S`, to another that is starting it: clients that connect while
        the store hangs must not wait for one another.
        """
        if self._greenlet is not None:
            return
        if not self._lock.acquire(timeout=deadlines.REQUEST_TIMEOUT_S):
            raise ConnectionFailure("the log tail is being started")
        try:
            if self._greenlet is None:
                self.position = event_log.last()
                self._end = max(self._end, self.position)
                self._warm_up()
                self._greenlet = background.start(self._run)
        finally:
            self._lock.release()

    def stop(self) -> None:
        """Stop delivering events, and end the streams that follow the tail."""
        self.end_streams()
        if self._greenlet is not None:
            self._greenlet.kill(block=False)

    def end_streams(self) -> None:
        """End the event streams that follow the tail; sockets go on."""
        self.stopping = True
        self._advanced.set()

    def add(self, published: list[Event]) -> None:
        """Take events that this process has just stored in the log."""
        self._cache.add(published)
        self._report_end(published[-1].seq)

    def poll(self) -> None:
        """Look for events that other processes have published."""
        if self._greenlet is not None:
            self._report_end(event_log.last(self._end))

    def _report_end(self, last: int) -> None:
        self._end_reported = time.monotonic()
        if last > self._end:
            self._end = last
            self._measure_lag()
            self._wake_up.set()

    def wake(self) -> None:
        """Report that the log has grown, not how far."""
        self._end_unknown = True
        self._wake_up.set()

    def wait(self, timeout_s: float) -> None:
        """Wait until the position has changed, at most for `timeout_s` seconds."""
        if not self.stopping:
            self._advanced.wait(timeout_s)

    @contextmanager
    def paused(self) -> Iterator[int]:
        """Deliver nothing during the block, which is given the position."""
        with self._lock:
            yield self.position

    def send(self, event: Event, sid: str) -> None:
        """Send an event of the log to one socket."""
        self._emit(event, to=sid)

    def _run(self) -> None:
        failing = False
        while True:
            self._wake_up.wait(POLL_INTERVAL_S)
            self._wake_up.clear()
            try:
                self._catch_up()
                failing = False
            except Exception as error:  # the store is away: the next turn tries again
                if not failing:
                    log.warning("cannot read the event log: %s", type(error).__name__)
                failing = True
                gevent.sleep(RETRY_DELAY_S)
                self._wake_up.set()

    def _catch_up(self) -> None:
        silent = time.monotonic() - self._end_reported > POLL_INTERVAL_S
        if self._end_unknown or silent:
            self._end_unknown = False
            with _time_limit():
                self.poll()
        while events := self._next_events():
            for event in events:
                with self._lock:
                    self._deliver(event)
                    self.position = event.seq
                self._measure_lag()
                yield_to_hub()  # a burst must not keep requests waiting
            self._advanced.set()
            self._advanced.clear()
        self._measure_lag()

    def _next_events(self) -> list[Event]:
        """Return the events that follow: from memory, else as the log has them."""
        if self.position >= self._end:
            return []
        events = self._cache.after(self.position, self.position + event_log.PAGE)
        if events:
            return events
        with _time_limit():
            events = event_log.after(self.position)
            if not events:
                self._end = event_log.last()  # after a failover it may lag behind
                if self._end <= self.position:
                    return []
                # they have expired: go on with the oldest one that is kept
                self.position = event_log.oldest(self._end, self.position) - 1
                self._on_missed()
                events = event_log.after(self.position)
        if events and events[-1].seq != self.position + len(events):
            self._on_missed()  # some between them have expired
        self._cache.add(events)
        return events

    def _measure_lag(self) -> None:
        if self._greenlet is not None:  # else nobody is sent events
            metrics.event_lag.set(max(0, self._end - self.position))

    def _deliver(self, event: Event) -> None:
        try:
            if event.recheck:
                self._on_recheck(event)
            if event.rooms:  # without rooms, the library would emit to every socket
                self._emit(event, to=list(event.rooms))
                self._on_event(event)
                delay = clock.now() - event.at
                metrics.event_delivery.observe(max(0, delay.total_seconds()))
        except Exception:
            log.exception("could not deliver event %d", event.seq)

    def _emit(self, event: Event, **recipients: Any) -> None:
        # One emit for all rooms: a client in several of them receives it once.
        data = (orjson.Fragment(event.payload), event_metadata(event))
        self._server.emit(event.name, data, ignore_queue=True, **recipients)


def _time_limit() -> AbstractContextManager[None]:
    return pymongo.timeout(deadlines.LOG_TAIL_TIMEOUT_S)
