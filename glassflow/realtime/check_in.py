"""Check-in: a phone scans a station's code, and the station's screen greets its owner.

The last greeting of a station is kept for 15 seconds, for a screen that joins late.
Greetings go through the event log, so each process knows those of all, and a new one
finds them there.
"""

from collections import OrderedDict
from datetime import datetime, timedelta
from typing import Any

import orjson
from socketio import Server

from glassflow.core import event_log, outbox
from glassflow.core.clock import now
from glassflow.core.event_log import Event
from glassflow.core.json import iso
from glassflow.domain.errors import Refusal
from glassflow.realtime.rooms import outer, station_room
from glassflow.services.identity import Identity

REPLAY = timedelta(seconds=15)
MAX_STATIONS = 1000  # greetings kept; the oldest go first
MAX_NAME = 200
EVENT = "scan-confirmed"


class CheckIns:
    """Says who has checked in at which station, now and to those who come late."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._last: OrderedDict[str, tuple[datetime, bytes]] = OrderedDict()

    def confirm(self, station: str, claimed: Any, who: Identity) -> None:
        """Greet a worker at a station; `claimed` is a name, or nothing for their own.

        Raises `Forbidden` for another's name without `workers:view`, and `Refusal`
        for what is no name.
        """
        name = who.name if claimed is None else claimed
        if not isinstance(name, str) or not 1 <= len(name.strip()) <= MAX_NAME:
            raise Refusal("worker must be a name")
        if name.strip() != who.name:
            who.demand("workers:view")
        payload = {"worker": name.strip(), "time": iso(now())}
        outbox.tell(EVENT, payload, stations=[station])

    def recall(self) -> None:
        """Know the greetings of the last seconds, whichever process gave them."""
        for event in event_log.since(now() - REPLAY, EVENT):
            self.heard(event)

    def heard(self, event: Event) -> None:
        """Keep a greeting that has been given."""
        if event.name != EVENT:
            return
        for part in event.rooms:
            self._last[outer(part)] = event.at, event.payload
            self._last.move_to_end(outer(part))
        while len(self._last) > MAX_STATIONS:
            self._last.popitem(last=False)

    def replay(self, sid: str, station: str) -> None:
        """Tell a screen that has just joined of a check-in it has only just missed."""
        found = self._last.get(station_room(station))
        if found and now() - found[0] <= REPLAY:
            self._server.emit(EVENT, orjson.Fragment(found[1]), to=sid)
