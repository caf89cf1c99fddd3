"""A Socket.IO client that loses its connection often, reconnects and resumes."""

from __future__ import annotations

import itertools
import json
import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.websocket_client import ConnectionEnded, WebsocketClient

PATH = "/api/socket-entry/"
RESUME_ACK = 99  # the id of the acknowledgement of `resume`; joins have 0, 1, 2 ...
SEQ = b'"seq":'
CONNECT_TIMEOUT_S = 60.0  # from the connection to the acknowledgement of `resume`
RECONNECT_DELAY_S = (0.2, 3.0)
SLOW_CLIENT_BUFFER = 8192  # bytes that the kernel receives for a client that pauses
Join = tuple[str, object, str]  # event, payload, room


@dataclass(frozen=True)
class Account:
    """A worker with the token of a login, or an API key; several clients share it."""

    name: str
    id: str
    token: str


@dataclass
class Received:
    """The events of a client: `first` is its starting `seq`, `last` the highest."""

    first: int = -1
    last: int = -1
    events: list[tuple[int, int]] = field(default_factory=list)  # seq, checksum
    problems: list[str] = field(default_factory=list)


class Client:
    """Connects, joins its rooms, resumes, and then receives live events.

    Until `resume` is acknowledged, events may come twice, live and replayed, so they
    are sorted and counted at the acknowledgement. After it the `seq` must ascend.
    """

    def __init__(self, account: Account, joins: Sequence[Join], *, slow: bool) -> None:
        """A `slow` client has a small receive buffer, as it may pause reading."""
        self.account = account
        self.joins = joins
        self.rooms = {room for _, _, room in joins}
        self.slow = slow
        self.received = Received()
        self.websocket: WebsocketClient | None = None
        self.live = False  # `resume` is acknowledged on the present connection
        self.reconnect_at = 0.0
        self.paused_until = 0.0  # it does not read until then
        self._connected_at = 0.0
        self.disconnects = self.resumes = self.replayed = self.failed_connections = 0
        self._join_seqs: list[int] = []
        self._unsorted: list[tuple[int, int]] = []

    def connect(self, port: int, now: float) -> WebsocketClient:
        """Open a connection."""
        self._join_seqs, self._unsorted = [], []
        self.live, self._connected_at = False, now
        buffer = SLOW_CLIENT_BUFFER if self.slow else 0
        self.websocket = WebsocketClient(port, PATH, receive_buffer=buffer)
        return self.websocket

    def disconnect(self, now: float) -> None:
        """Close the connection, and schedule the next one after a random delay."""
        if self.websocket:
            self.websocket.close()
        self.disconnects += self.live
        self.failed_connections += not self.live
        self.websocket, self.live = None, False
        self.reconnect_at = now + random.uniform(*RECONNECT_DELAY_S)

    def timed_out(self, now: float) -> bool:
        """True if the connection did not become live in time."""
        waiting = self.websocket is not None and not self.live
        return waiting and now - self._connected_at > CONNECT_TIMEOUT_S

    def read(self) -> None:
        """Process the packets that have arrived; raises `ConnectionEnded`."""
        assert self.websocket
        for packet in self.websocket.read():
            self._on_packet(packet)

    def _on_packet(self, packet: bytes) -> None:
        kind = packet[:2]  # Engine.IO's type, then Socket.IO's
        if kind == b"42":
            self._on_event(packet)
        elif kind == b"43":
            ack_id, _, rest = packet[2:].partition(b"[")
            self._on_ack(int(ack_id), json.loads(b"[" + rest)[0])
        elif kind == b"40":
            for number, (event, payload, _) in enumerate(self.joins):
                self._emit(number, event, payload)
        elif packet[:1] == b"0":
            self._send("40" + json.dumps({"token": self.account.token}))
        elif kind in (b"44", b"41"):
            raise ConnectionEnded(packet.decode())

    def _on_event(self, packet: bytes) -> None:
        start = packet.rfind(SEQ)
        if start < 0:
            return  # an event for this connection only, without a number
        start += len(SEQ)
        seq = int(packet[start : packet.index(b",", start)])
        event = (seq, zlib.crc32(packet))
        if not self.live:
            self._unsorted.append(event)
        elif seq <= self.received.last:
            self.received.problems.append(f"{seq} after {self.received.last}")
        else:
            self._keep(event)

    def _keep(self, event: tuple[int, int]) -> None:
        self.received.events.append(event)
        self.received.last = event[0]

    def _on_ack(self, number: int, ack: dict[str, object]) -> None:
        if not ack.get("ok"):
            self.received.problems.append(f"refused: {ack}")
            raise ConnectionEnded("refused")
        seq = int(str(ack["seq"]))
        if number == RESUME_ACK:
            self._on_resumed(seq)
            return
        self._join_seqs.append(seq)
        if len(self._join_seqs) == len(self.joins):
            if self.received.first < 0:
                self.received.first = self.received.last = min(self._join_seqs)
            self._emit(RESUME_ACK, "resume", {"after": self.received.last})

    def _on_resumed(self, seq: int) -> None:
        """Keep the events received so far, each once and in order, and go live."""
        order = [number for number, _ in self._unsorted]
        descents = sum(b <= a for a, b in itertools.pairwise(order))
        if descents > 1:  # live events ascend, and so do the replayed ones after them
            problem = f"out of order while resuming: {descents} descents"
            self.received.problems.append(problem)
        new = dict(event for event in self._unsorted if event[0] > self.received.last)
        self.replayed += len(new)
        for event in sorted(new.items()):
            self._keep(event)
        self.received.last = max(self.received.last, seq)
        self.resumes += 1
        self._unsorted, self.live = [], True

    def _emit(self, ack: int, event: str, payload: object) -> None:
        arguments = [event] if payload is None else [event, payload]
        self._send(f"42{ack}{json.dumps(arguments)}")

    def _send(self, packet: str) -> None:
        assert self.websocket
        self.websocket.send(packet)
