"""Check-in: a worker scans a station's code with a phone, and its screen confirms it.

The last confirmation of a station is kept for 15 seconds, for a screen that joins late.
Confirmations go through the event log, so each process knows those of all processes,
and a new process finds them there.
"""

from datetime import datetime, timedelta
from typing import Any

import orjson
from cachetools import FIFOCache
from socketio import Server

from glassflow.core.events import event_log
from glassflow.core.events.event_log import Event
from glassflow.core.identity import Identity
from glassflow.core.process.clock import now
from glassflow.core.process.json import iso
from glassflow.core.store import outbox
from glassflow.domain import texts
from glassflow.domain.errors import Refusal
from glassflow.domain.unicode_text import has_visible_character, normalize
from glassflow.services.events.room_map import base_room, station_room
from glassflow.services.notices.events import CheckInConfirmed

REPLAY_PERIOD = timedelta(seconds=15)
MAX_STATIONS = 1000  # confirmations kept; the oldest are dropped
MAX_NAME_LENGTH = 200


class CheckIns:
    """Confirms check-ins, and repeats the last one to a screen that joins late."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._last: FIFOCache[str, tuple[datetime, bytes]] = FIFOCache(MAX_STATIONS)

    def confirm(self, station: str, claimed_name: Any, worker: Identity) -> None:
        """Confirm a check-in; without `claimed_name`, under the worker's own name.

        Raises `Forbidden` for another name without the key `workers:view`, and
        `Refusal` for anything but a name.
        """
        claimed = worker.name if claimed_name is None else claimed_name
        name = normalize(claimed) if isinstance(claimed, str) else ""
        if len(name) > MAX_NAME_LENGTH or not has_visible_character(name):
            raise Refusal(texts.WORKER_NOT_A_NAME)
        if name != normalize(worker.name):
            worker.require("workers:view")
        outbox.send(CheckInConfirmed(worker=name, time=iso(now()), stations=(station,)))

    def warm_up(self) -> None:
        """Load the confirmations of the last seconds, of all processes."""
        since = now() - REPLAY_PERIOD
        for event in event_log.since(since, CheckInConfirmed.event_name):
            self.on_event(event)

    def on_event(self, event: Event) -> None:
        """Keep the confirmation that has been delivered; ignore other events."""
        if event.name != CheckInConfirmed.event_name:
            return
        for room in map(base_room, event.rooms):
            self._last[room] = event.at, event.payload

    def replay(self, sid: str, station: str) -> None:
        """Send a socket the last confirmation of a station, if it is recent."""
        last = self._last.get(station_room(station))
        if last is None:
            return
        at, payload = last
        if abs(now() - at) <= REPLAY_PERIOD:  # the clock may have been set back
            name = CheckInConfirmed.event_name
            self._server.emit(name, orjson.Fragment(payload), to=sid)
