"""A screen of the workshop: a real Socket.IO client that records what it receives."""

import itertools

import pytest
import socketio
from glassflow_client import Socket

from described_events import check_ack
from waiting import REQUEST_TIMEOUT_S, wait_until

_serial = itertools.count(1)


class Joined:
    """Equals the acknowledgment of a join of this room, whatever its `seq`."""

    def __init__(self, room):
        self.room = room

    def __eq__(self, ack):
        return isinstance(ack.get("seq"), int) and ack == {
            "ok": True,
            "room": self.room,
            "seq": ack["seq"],
        }

    def __repr__(self):
        return f"<joined {self.room}>"


def refused_handshake(server, auth):
    """Try to connect; return what the client receives instead of a connection."""
    client, errors = Socket(timeout_s=REQUEST_TIMEOUT_S, reconnection=False), []
    client.on("connect_error", errors.append)
    with pytest.raises(socketio.exceptions.ConnectionError):
        client.connect(server, auth=auth)
    wait_until(lambda: errors)
    client.shutdown()
    return errors


class Screen:
    """Connects with a worker's token, joins rooms, and keeps the events in order.

    `received` has event and payload of each, `metas` the members beside the payload.
    """

    def __init__(self, api, transports=("websocket",)):
        self.api = api
        self.received, self.metas = [], []
        self.socket = Socket(timeout_s=REQUEST_TIMEOUT_S, reconnection=False)
        self.socket.on("*", self._receive)
        auth = {"token": api.token}
        self.socket.connect(api.url, auth=auth, transports=list(transports))

    def _receive(self, event, *payload):
        self.received.append((event, payload[0] if payload else None))
        self.metas.append(payload[1] if len(payload) > 1 else None)

    def call(self, event, *payload):
        """Emit an event and return its acknowledgment."""
        ack = self.socket.call(event, payload or None, timeout=REQUEST_TIMEOUT_S)
        check_ack(event, ack)
        return ack

    def join(self, *events):
        """Join rooms by their events; all must be granted."""
        for event in events:
            ack = self.call(event)
            assert ack["ok"], (event, ack)
        return self

    def join_station(self, station):
        ack = self.call("join_station_room", {"stationId": str(station)})
        assert ack["ok"], ack
        return self

    def events_during(self, admin, act):
        """Call `act` and return the events that it causes, and no others.

        Events leave in the order of the changes, so a notification that is created
        before `act` and one after it delimit them.
        """
        start = self._receive_marker(admin, len(self.received)) + 1
        act()
        return self.received[start : self._receive_marker(admin, start)]

    def catch_up(self, admin):
        """Wait until the events of all earlier changes are received."""
        self._receive_marker(admin, len(self.received))
        return self

    def _receive_marker(self, admin, start):
        title = f"mark-{next(_serial)}"
        body = {"recipient": self.api.id, "type": "mark", "title": title}
        assert admin.post("/api/notifications", body).status == 201
        self.wait_for(lambda: self._index(title, start) is not None)
        return self._index(title, start)

    def _index(self, title, start):
        return next(
            (
                index
                for index, (event, payload) in enumerate(self.received)
                if index >= start
                and event == "notification"
                and payload.get("title") == title
            ),
            None,
        )

    def wait_for(self, condition):
        """Wait until `condition()` is true; the received events explain a failure."""
        wait_until(condition, describe=lambda: f"received {self.received[-5:]}")

    def event_names(self):
        return [event for event, _ in self.received]

    def payloads(self, event):
        """The payloads of all events of this name."""
        return [payload for name, payload in self.received if name == event]

    def close(self):
        self.socket.disconnect()


def material_units(screen, name=None):
    """The unit and the event number of each change of a material, as received.

    Name the material where an earlier test of the same service changed others: a
    process that is late delivers their changes to a screen that has joined since.
    """
    return [
        (payload["data"]["unit"], meta["seq"])
        for (event, payload), meta in zip(
            list(screen.received), screen.metas, strict=False
        )
        if event == "material:updated" and name in (None, payload["data"]["name"])
    ]
