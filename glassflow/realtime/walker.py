"""From the event log to the sockets of this process, event by event in their order.

Each process walks the log by itself, so every client hears events in the order of their
numbers, whichever process published them. It is woken by its own publisher, by other
processes, and else looks by itself.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import gevent
import orjson
import pymongo
from gevent.event import Event as Signal
from gevent.lock import RLock
from socketio import Server

from glassflow.core import event_log
from glassflow.core.event_log import Event
from glassflow.core.json import iso

log = logging.getLogger(__name__)

LOOK_EVERY = 0.5  # seconds
PATIENCE = 10.0  # seconds for one walk: a silent store must not hold it for ever
READY = 2_000  # events kept at hand, from this process's own publisher
Heard = Callable[[Event], None]


class Walker:
    """Where this process is in the event log; `at` is the last number delivered.

    `over` is set once the process is to end.

    `on_event` sees each event as it is delivered, `on_recheck` those that concern
    sockets themselves; `recall` is called once, where the walk begins.
    """

    def __init__(
        self,
        server: Server,
        *,
        on_event: Heard = lambda event: None,
        on_recheck: Heard = lambda event: None,
        recall: Callable[[], None] = lambda: None,
    ) -> None:
        self._server = server
        self._on_event = on_event
        self._on_recheck = on_recheck
        self._recall = recall
        self.at = 0
        self.over = False
        self.held: set[str] = set()
        self._ready: dict[int, Event] = {}
        self._turn = RLock()
        self._signal = Signal()
        self._moved = Signal()
        self._walking: Any = None

    def start(self) -> None:
        """Begin at the end of the log; a greenlet belongs to its process."""
        with self._turn:
            if self._walking is None:
                self.at = event_log.last()
                self._recall()
                self._walking = gevent.spawn(self._walk)
                self._walking.name = "background"

    def wake(self, fresh: list[Event] | None = None) -> None:
        """Say that the log goes on; `fresh` events need not be read again."""
        if self._walking is None:
            return  # nobody is connected yet
        if fresh and len(self._ready) < READY:
            self._ready.update((one.seq, one) for one in fresh if one.seq > self.at)
        self._signal.set()

    def wait(self, seconds: float) -> None:
        """Wait until the walker has gone on, or for so long."""
        if not self.over:
            self._moved.wait(seconds)

    def end(self) -> None:
        """Let those who follow the walker go: the process is to end."""
        self.over = True
        self._moved.set()

    @contextmanager
    def standing(self) -> Iterator[int]:
        """Keep the walker where it is, and tell where that is."""
        with self._turn:
            yield self.at

    def send(self, event: Event, sid: str) -> None:
        """Send an event of the log to one socket."""
        self._emit(event, to=sid)

    def _walk(self) -> None:
        away = False
        while True:
            self._signal.wait(LOOK_EVERY)
            self._signal.clear()
            try:
                with pymongo.timeout(PATIENCE):
                    self._go_on()
                away = False
            except Exception as error:  # the store is away: the next look tries again
                if not away:
                    log.warning("cannot read the event log: %s", type(error).__name__)
                away = True
                gevent.sleep(LOOK_EVERY)

    def _go_on(self) -> None:
        while True:
            events = self._next()
            if not events:
                return
            for event in events:
                with self._turn:
                    self._deliver(event)
                    self.at = event.seq
            self._moved.set()
            self._moved.clear()

    def _next(self) -> list[Event]:
        """Give the events that follow: those at hand, else as the log has them."""
        ready, events = self._ready, []
        while (event := ready.pop(self.at + len(events) + 1, None)) is not None:
            events.append(event)
        if events:
            return events
        if event_log.last() <= self.at:
            return []
        events = event_log.after(self.at)
        if not events:  # the log lost its oldest while nobody was looking
            self.at = event_log.oldest(event_log.last()) - 1
            events = event_log.after(self.at)
        for seq in [seq for seq in ready if seq <= self.at]:
            del ready[seq]
        return events

    def _deliver(self, event: Event) -> None:
        try:
            if event.recheck:
                self._on_recheck(event)
            elif event.rooms:  # to none of them would be to everybody
                self._emit(event, to=list(event.rooms), skip_sid=list(self.held))
                self._on_event(event)
        except Exception:
            log.exception("could not deliver event %d", event.seq)

    def _emit(self, event: Event, **to: Any) -> None:
        # one emit for all rooms: a client that is in several hears it once
        meta = {"id": event.id, "seq": event.seq, "at": iso(event.at)}
        data = (orjson.Fragment(event.payload), meta)
        self._server.emit(event.name, data, ignore_queue=True, **to)
