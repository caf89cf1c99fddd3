"""Many clients in one thread: reads them, and may disconnect them and pause some."""

from __future__ import annotations

import random
import selectors
import time
from collections.abc import Callable, Sequence

from bench.room_client import Client
from bench.websocket_client import ConnectionEnded

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
CHECK_INTERVAL_S = 0.1
MAX_NEW_CONNECTIONS = 25  # in one check
DISCONNECT_INTERVAL_S = 90.0  # of a client, on average
PAUSE_INTERVAL_S, PAUSE_S = 120.0, 25.0  # of a slow client, on average


class ClientPool:
    """Keeps the clients connected, and applies network faults to them."""

    def __init__(self, port: int, clients: Sequence[Client]) -> None:
        self.clients = clients
        self.pauses = 0
        self._port = port
        self._selector = selectors.DefaultSelector()
        self._checked_at = 0.0

    def run(self, done: Callable[[], bool], *, with_faults: bool = False) -> None:
        """Serve the clients until `done` returns True."""
        while not done():
            for key, mask in self._selector.select(CHECK_INTERVAL_S):
                self._serve(key.data, mask)
            now = time.monotonic()
            if now - self._checked_at > CHECK_INTERVAL_S:
                self._check(now, now - self._checked_at, with_faults)
                self._checked_at = now

    def wait_until_live(self, timeout_s: float) -> None:
        """Without network faults, let all clients connect, or as many as can in time."""
        end, total = time.monotonic() + timeout_s, len(self.clients)
        self.run(lambda: self.live == total or time.monotonic() > end)

    def serve(self, seconds: float, *, with_faults: bool = False) -> None:
        """Serve the clients for so long."""
        end = time.monotonic() + seconds
        self.run(lambda: time.monotonic() > end, with_faults=with_faults)

    def close(self) -> None:
        """Close all connections."""
        for client in self.clients:
            if client.websocket:
                client.websocket.close()
        self._selector.close()

    @property
    def live(self) -> int:
        """The number of clients that receive all their events now."""
        return sum(client.live for client in self.clients)

    def _serve(self, client: Client, mask: int) -> None:
        try:
            if mask & WRITE:
                assert client.websocket
                client.websocket.request_upgrade()
                self._selector.modify(client.websocket, READ, client)
            if mask & READ:
                client.read()
        except ConnectionEnded:
            self._disconnect(client)

    def _disconnect(self, client: Client) -> None:
        if not client.paused_until:
            self._selector.unregister(client.websocket)
        client.paused_until = 0.0
        client.disconnect(time.monotonic())

    def _check(self, now: float, elapsed_s: float, with_faults: bool) -> None:
        """Connect, resume reading, time out or disturb each client as it is due."""
        connecting = 0
        for client in self.clients:
            if client.websocket is None:
                if now >= client.reconnect_at and connecting < MAX_NEW_CONNECTIONS:
                    connecting += 1
                    websocket = client.connect(self._port, now)
                    self._selector.register(websocket, WRITE, client)
            elif client.paused_until:
                if now >= client.paused_until or not with_faults:
                    client.paused_until = 0.0
                    self._selector.register(client.websocket, READ, client)
            elif client.timed_out(now):
                client.problems.append("connected, but never live")
                self._disconnect(client)
            elif client.live and with_faults:
                self._disturb(client, now, elapsed_s)

    def _disturb(self, client: Client, now: float, elapsed_s: float) -> None:
        if random.random() < elapsed_s / DISCONNECT_INTERVAL_S:
            self._disconnect(client)
        elif client.slow and random.random() < elapsed_s / PAUSE_INTERVAL_S:
            self.pauses += 1
            self._selector.unregister(client.websocket)
            client.paused_until = now + random.expovariate(1 / PAUSE_S)
