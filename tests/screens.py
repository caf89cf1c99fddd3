"""A screen on the floor: a real Socket.IO client that writes down what it hears."""

import itertools

import gevent
import pytest
import socketio

from demo.screens import Client

PATH = "/api/socket-entry"
PATIENCE = 15  # seconds
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


def turned_away(server, auth):
    """Connect in vain, and give what the client is told."""
    client, told = Client(reconnection=False), []
    client.on("connect_error", told.append)
    with pytest.raises(socketio.exceptions.ConnectionError):
        client.connect(server, socketio_path=PATH, auth=auth, transports=["websocket"])
    with gevent.Timeout(PATIENCE):
        while not told:
            gevent.sleep(0.01)
    client.shutdown()
    return told


class Screen:
    """Connects with a worker's token, joins rooms, and keeps the events in order."""

    def __init__(self, api, transports=("websocket",)):
        self.api = api
        self.heard, self.metas = [], []
        self.socket = Client(reconnection=False)
        self.socket.on("*", self._hear)
        self.socket.connect(
            api.url,
            socketio_path=PATH,
            auth={"token": api.token},
            transports=list(transports),
        )

    def _hear(self, event, *payload):
        self.heard.append((event, payload[0] if payload else None))
        self.metas.append(payload[1] if len(payload) > 1 else None)

    def call(self, event, *payload):
        """Emit an event and give its acknowledgment."""
        return self.socket.call(event, payload or None, timeout=PATIENCE)

    def join(self, *events):
        """Join rooms by their events; all have to be granted."""
        for event in events:
            ack = self.call(event)
            assert ack["ok"], (event, ack)
        return self

    def join_station(self, station):
        ack = self.call("join_station_room", {"stationId": str(station)})
        assert ack["ok"], ack
        return self

    def during(self, admin, act):
        """Do something, and give what was heard of it; nothing may come later.

        Events leave in the order of the changes, so a notification that is made
        before and one that is made afterwards mark what was made between.
        """
        start = self._mark(admin, len(self.heard)) + 1
        act()
        return self.heard[start : self._mark(admin, start)]

    def quiet(self, admin):
        """Wait until all that has been done before is heard."""
        self._mark(admin, len(self.heard))
        return self

    def _mark(self, admin, start):
        mark = f"mark-{next(_serial)}"
        body = {"recipient": self.api.id, "type": "mark", "title": mark}
        assert admin.post("/api/notifications", body).status == 201
        self.wait_for(lambda: self._index(mark, start) is not None)
        return self._index(mark, start)

    def _index(self, mark, start):
        return next(
            (
                index
                for index, (event, payload) in enumerate(self.heard)
                if index >= start
                and event == "notification"
                and payload.get("title") == mark
            ),
            None,
        )

    def wait_for(self, condition):
        """Wait until something holds; it is a fault if it does not come to hold."""
        with gevent.Timeout(PATIENCE):
            while not condition():
                gevent.sleep(0.01)

    def names(self):
        return [event for event, _ in self.heard]

    def close(self):
        self.socket.disconnect()
