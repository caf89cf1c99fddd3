"""All the screens of the soak, in one thread: read them, tear them, let some sleep."""

from __future__ import annotations

import random
import selectors
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.soak.client import Client
from bench.wire import Gone

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
LOOK_EVERY = 0.1  # seconds
AT_ONCE = 25  # new connections in a look


@dataclass(frozen=True)
class Weather:
    """How bad the network is: how many of a client's seconds end in a tear."""

    tears: float = 1 / 90  # a second and client
    naps: float = 1 / 120  # a second and slow client
    nap_seconds: float = 25.0


class Crowd:
    """Keeps clients connected, and does to them what the weather says."""

    def __init__(self, port: int, clients: Sequence[Client], weather: Weather) -> None:
        self.clients = clients
        self._port = port
        self._weather = weather
        self._selector = selectors.DefaultSelector()
        self._looked = 0.0
        self.naps = 0

    def run(self, done: Callable[[], bool], *, calm: bool = False) -> None:
        """Live until it is done; in a calm nobody is torn or sleeps."""
        while not done():
            for key, mask in self._selector.select(LOOK_EVERY):
                self._serve(key.data, mask)
            now = time.monotonic()
            if now - self._looked > LOOK_EVERY:
                self._look(now, now - self._looked, calm)
                self._looked = now

    @property
    def live(self) -> int:
        """How many hear everything now."""
        return sum(client.live for client in self.clients)

    def _serve(self, client: Client, mask: int) -> None:
        try:
            if mask & WRITE:
                assert client.wire
                client.wire.ask()
                self._selector.modify(client.wire, READ, client)
            if mask & READ:
                client.read()
        except Gone:
            self._lose(client)

    def _lose(self, client: Client) -> None:
        assert client.wire
        if not client.asleep_until:
            self._selector.unregister(client.wire)
        client.asleep_until = 0.0
        client.lose(time.monotonic())

    def _look(self, now: float, passed: float, calm: bool) -> None:
        begun = 0
        for client in self.clients:
            if client.wire is None:
                if now >= client.back_at and begun < AT_ONCE:
                    begun += 1
                    self._selector.register(
                        client.connect(self._port, now), WRITE, client
                    )
            elif client.asleep_until:
                if now >= client.asleep_until or calm:
                    client.asleep_until = 0.0
                    self._selector.register(client.wire, READ, client)
            elif client.stuck(now):
                client.heard.faults.append("connected, and never of use")
                self._lose(client)
            elif client.live and not calm:
                self._harm(client, now, passed)

    def _harm(self, client: Client, now: float, passed: float) -> None:
        if random.random() < self._weather.tears * passed:
            self._lose(client)
        elif client.slow and random.random() < self._weather.naps * passed:
            assert client.wire
            self.naps += 1
            self._selector.unregister(client.wire)
            nap = random.expovariate(1 / self._weather.nap_seconds)
            client.asleep_until = now + nap
