"""A Socket.IO client that joins rooms, may lose its connection, and resumes."""

from __future__ import annotations

import itertools
import json
import random
import zlib
from collections.abc import Sequence

from bench.websocket_client import ConnectionEnded, WebsocketClient
from demo.client import Api

RESUME_ACK = 99  # the id of the acknowledgement of `resume`; joins have 0, 1, 2 ...
SEQ = b'"seq":'
CONNECT_TIMEOUT_S = 60.0  # from the connection to the acknowledgement of `resume`
RECONNECT_DELAY_S = (0.2, 3.0)
SLOW_CLIENT_BUFFER = 8192  # bytes that the kernel receives for a client that pauses
Join = tuple[str, object, str]  # event, payload, room


class Client:
    """Connects, joins its rooms, resumes, and then receives live events.

    Until `resume` is acknowledged, events may come twice, live and replayed, so they
    are sorted and counted at the acknowledgement. After it the `seq` must ascend.
    `events` has seq and checksum of each, `first` is the `seq` after which they begin.
    """

    def __init__(
        self, account: Api, joins: Sequence[Join], *, slow: bool = False
    ) -> None:
        """A `slow` client has a small receive buffer, as it may pause reading."""
        self.account = account
        self.joins = joins
        self.rooms = {room for _, _, room in joins}
        self.slow = slow
        self.events: list[tuple[int, int]] = []
        self.problems: list[str] = []
        self.first = -1
        self.websocket: WebsocketClient | None = None
        self.live = False  # `resume` is acknowledged on the present connection
        self.reconnect_at = 0.0
        self.paused_until = 0.0  # it does not read until then
        self.disconnects = self.resumes = self.replayed = self.failed_connections = 0
        self._last = -1  # the highest seq
        self._connected_at = 0.0
        self._join_seqs: list[int] = []
        self._unsorted: list[tuple[int, int]] = []

    def connect(self, port: int, now: float) -> WebsocketClient:
        """Open a connection."""
        self._join_seqs, self._unsorted = [], []
        self.live, self._connected_at = False, now
        buffer = SLOW_CLIENT_BUFFER if self.slow else 0
        self.websocket = WebsocketClient(port, receive_buffer=buffer)
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
            self.on_event(packet)
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

    def on_event(self, packet: bytes) -> None:
        """Keep an event that has a number."""
        seq = seq_of(packet)
        if seq is None:
            return
        event = (seq, zlib.crc32(packet))
        if not self.live:
            self._unsorted.append(event)
        elif seq <= self._last:
            self.problems.append(f"{seq} after {self._last}")
        else:
            self.events.append(event)
            self._last = seq

    def _on_ack(self, number: int, ack: dict[str, object]) -> None:
        if not ack.get("ok"):
            self.problems.append(f"refused: {ack}")
            raise ConnectionEnded("refused")
        seq = int(str(ack["seq"]))
        if number == RESUME_ACK:
            self._on_resumed(seq)
            return
        self._join_seqs.append(seq)
        if len(self._join_seqs) == len(self.joins):
            if self.first < 0:
                self.first = self._last = min(self._join_seqs)
            self._emit(RESUME_ACK, "resume", {"after": self._last})

    def _on_resumed(self, seq: int) -> None:
        """Keep the events received so far, each once and in order, and go live."""
        order = [number for number, _ in self._unsorted]
        descents = sum(b <= a for a, b in itertools.pairwise(order))
        if descents > 1:  # live events ascend, and so do the replayed ones after them
            self.problems.append(f"out of order while resuming: {descents} descents")
        new = dict(event for event in self._unsorted if event[0] > self._last)
        self.replayed += len(new)
        self.events += sorted(new.items())
        self._last = max(self._last, seq, *new)
        self.resumes += 1
        self._unsorted, self.live = [], True

    def _emit(self, ack: int, event: str, payload: object) -> None:
        arguments = [event] if payload is None else [event, payload]
        self._send(f"42{ack}{json.dumps(arguments)}")

    def _send(self, packet: str) -> None:
        assert self.websocket
        self.websocket.send(packet)


def seq_of(packet: bytes) -> int | None:
    """Return the number of an event; None if it is for one connection only."""
    start = packet.rfind(SEQ)
    if start < 0:
        return None
    start += len(SEQ)
    return int(packet[start : packet.index(b",", start)])
