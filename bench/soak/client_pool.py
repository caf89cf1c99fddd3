"""All clients of the soak in one thread: reads them, disconnects them, pauses some."""

from __future__ import annotations

import random
import selectors
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.soak.client import Client
from bench.websocket_client import ConnectionEnded

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
CHECK_INTERVAL_S = 0.1
MAX_NEW_CONNECTIONS = 25  # in one check


@dataclass(frozen=True)
class NetworkFaults:
    """How often a client is disconnected, and how often a slow one pauses reading."""

    disconnects_per_s: float = 1 / 90
    pauses_per_s: float = 1 / 120
    mean_pause_s: float = 25.0


class ClientPool:
    """Keeps the clients connected, and applies network faults to them."""

    def __init__(
        self, port: int, clients: Sequence[Client], faults: NetworkFaults
    ) -> None:
        self.clients = clients
        self.pauses = 0
        self._port = port
        self._faults = faults
        self._selector = selectors.DefaultSelector()
        self._checked_at = 0.0

    def run(self, done: Callable[[], bool], *, with_faults: bool = True) -> None:
        """Serve the clients until `done` returns True."""
        while not done():
            for key, mask in self._selector.select(CHECK_INTERVAL_S):
                self._serve(key.data, mask)
            now = time.monotonic()
            if now - self._checked_at > CHECK_INTERVAL_S:
                self._check(now, now - self._checked_at, with_faults)
                self._checked_at = now

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
        assert client.websocket
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
                client.received.problems.append("connected, but never live")
                self._disconnect(client)
            elif client.live and with_faults:
                self._disturb(client, now, elapsed_s)

    def _disturb(self, client: Client, now: float, elapsed_s: float) -> None:
        faults = self._faults
        if random.random() < faults.disconnects_per_s * elapsed_s:
            self._disconnect(client)
        elif client.slow and random.random() < faults.pauses_per_s * elapsed_s:
            assert client.websocket
            self.pauses += 1
            self._selector.unregister(client.websocket)
            pause_s = random.expovariate(1 / faults.mean_pause_s)
            client.paused_until = now + pause_s
