"""Check-in: a phone scans a station's code, and the station's screen greets its owner.

The last greeting of a station is kept for 15 seconds, for a screen that joins late.
"""

import time
from collections import OrderedDict
from typing import Any

from flask_socketio import SocketIO

from glassflow.core.clock import now
from glassflow.core.json import iso
from glassflow.domain.errors import Refusal
from glassflow.realtime.rooms import STATION_KEY, inner, station_room
from glassflow.services.identity import Identity

REPLAY_SECONDS = 15.0
MAX_STATIONS = 1000  # greetings kept; the oldest go first
MAX_NAME = 200
EVENT = "scan-confirmed"


class CheckIns:
    """Says who has checked in at which station, now and to those who come late."""

    def __init__(self, socketio: SocketIO) -> None:
        self._socketio = socketio
        self._last: OrderedDict[str, tuple[float, dict[str, Any]]] = OrderedDict()

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
        self._last[station] = (time.monotonic(), payload)
        self._last.move_to_end(station)
        while len(self._last) > MAX_STATIONS:
            self._last.popitem(last=False)
        self._socketio.emit(
            EVENT, payload, to=inner(station_room(station), STATION_KEY)
        )

    def replay(self, sid: str, station: str) -> None:
        """Tell a screen that has just joined of a check-in it has only just missed."""
        when, payload = self._last.get(station, (None, None))
        if when is not None and time.monotonic() - when <= REPLAY_SECONDS:
            self._socketio.emit(EVENT, payload, to=sid)
