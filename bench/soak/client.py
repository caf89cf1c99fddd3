"""A screen that is often torn from its connection, and resumes."""

from __future__ import annotations

import itertools
import json
import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.wire import Gone, Wire

PATH = "/api/socket-entry/"
RESUME = 99  # the number under which the answer to `resume` comes
SEQ = b'"seq":'
PATIENCE = 60.0  # seconds for a connection to be of use, before it is given up


@dataclass(frozen=True)
class Account:
    """A login: many screens may use one."""

    name: str
    id: str
    token: str


@dataclass
class Heard:
    """What a client knows: `first` is where it began, `last` where it is."""

    first: int = -1
    last: int = -1
    events: list[tuple[int, int]] = field(default_factory=list)  # seq, checksum
    faults: list[str] = field(default_factory=list)


class Client:
    """Connects, joins its rooms, resumes, and then hears live.

    What comes before the answer to `resume` may come twice, live and again; it counts
    only with that answer. After it each event has to be newer than the one before.
    """

    def __init__(
        self, account: Account, joins: Sequence[tuple[str, object, str]], *, slow: bool
    ) -> None:
        """`joins` are event, payload and room; `slow` has a small buffer to read."""
        self.account = account
        self.joins = joins
        self.rooms = {room for _, _, room in joins}
        self.slow = slow
        self.heard = Heard()
        self.wire: Wire | None = None
        self.live = False
        self.back_at = 0.0  # when it connects again
        self.asleep_until = 0.0  # it reads nothing until then
        self.since = 0.0
        self.losses = self.resumes = self.replayed = self.failures = 0
        self._acks: list[int] = []
        self._window: list[tuple[int, int]] = []

    def connect(self, port: int, now: float) -> Wire:
        """Begin a connection."""
        self._acks, self._window = [], []
        self.live, self.since = False, now
        self.wire = Wire(port, PATH, buffer=8192 if self.slow else 0)
        return self.wire

    def lose(self, now: float) -> None:
        """Tear the connection, and come back after a while, as the library does."""
        if self.wire:
            self.wire.close()
        self.losses += self.live
        self.failures += not self.live
        self.wire, self.live = None, False
        self.back_at = now + random.uniform(0.2, 3.0)

    def stuck(self, now: float) -> bool:
        """Whether it has been connected for long and is not of use yet."""
        return bool(self.wire) and not self.live and now - self.since > PATIENCE

    def read(self) -> None:
        """Take in what has come; raises `Gone`."""
        assert self.wire
        for text in self.wire.read():
            self._take(text)

    def _take(self, text: bytes) -> None:
        kind = text[:2]
        if kind == b"42":
            self._hear(text)
        elif kind == b"43":
            named, _, rest = text[2:].partition(b"[")
            self._answered(int(named), json.loads(b"[" + rest)[0])
        elif kind == b"40":
            for number, (event, payload, _) in enumerate(self.joins):
                self._say(number, event, payload)
        elif text[:1] == b"0":
            self._send("40" + json.dumps({"token": self.account.token}))
        elif kind in (b"44", b"41"):
            raise Gone(text.decode())

    def _hear(self, text: bytes) -> None:
        start = text.rfind(SEQ)
        if start < 0:
            return  # meant for this connection only
        start += len(SEQ)
        seq = int(text[start : text.index(b",", start)])
        event = (seq, zlib.crc32(text))
        if not self.live:
            self._window.append(event)
        elif seq <= self.heard.last:
            self.heard.faults.append(f"{seq} after {self.heard.last}")
        else:
            self._keep(event)

    def _keep(self, event: tuple[int, int]) -> None:
        self.heard.events.append(event)
        self.heard.last = event[0]

    def _answered(self, number: int, ack: dict[str, object]) -> None:
        if not ack.get("ok"):
            self.heard.faults.append(f"refused: {ack}")
            raise Gone("refused")
        seq = int(str(ack["seq"]))
        if number == RESUME:
            self._resumed(seq)
            return
        self._acks.append(seq)
        if len(self._acks) == len(self.joins):
            if self.heard.first < 0:
                self.heard.first = self.heard.last = min(self._acks)
            self._say(RESUME, "resume", {"after": self.heard.last})

    def _resumed(self, seq: int) -> None:
        """Count what has come up to here: in order, and each as often as may be."""
        order = [one for one, _ in self._window]
        turns = sum(b <= a for a, b in itertools.pairwise(order))
        if turns > 1:  # live ones in order, then the missed ones in order
            self.heard.faults.append(f"out of order while resuming: {turns} turns")
        fresh = dict(event for event in self._window if event[0] > self.heard.last)
        self.replayed += len(fresh)
        for event in sorted(fresh.items()):
            self._keep(event)
        self.heard.last = max(self.heard.last, seq)
        self.resumes += 1
        self._window, self.live = [], True

    def _say(self, number: int, event: str, payload: object) -> None:
        said = [event] if payload is None else [event, payload]
        self._send(f"42{number}{json.dumps(said)}")

    def _send(self, text: str) -> None:
        assert self.wire
        self.wire.send(text)
