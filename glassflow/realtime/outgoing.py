"""What the service says to one client, and what of it waits.

A packet for many is encoded and framed once. To a client that reads, it is written at
once; only what the kernel does not take waits, in order, for a greenlet that then
writes many packets with one call. What waits has a bound: beyond it the client is hung
up on, and resumes when it can.

A client that is quiet costs one greenlet, the one that reads from it: each greenlet
that waits keeps its stack, some 20 KB.
"""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import engineio.socket
import gevent
from engineio.exceptions import QueueEmpty
from engineio.packet import PING, Packet
from gevent.queue import Empty

from glassflow.realtime.framing import frame
from glassflow.realtime.limits import BACKLOG_BYTES, Limits
from glassflow.realtime.websocket import WebSocket

log = logging.getLogger(__name__)

PACKETS_A_POLL = 16  # more in one answer break Python's client
BATCH = 1 << 16  # bytes written at once, where several packets wait


def framed(pkt: Packet) -> bytes:
    """Give the frame of a packet, which is made once for all who get it."""
    made: bytes | None = getattr(pkt, "frame", None)
    if made is None:
        made = pkt.frame = frame(pkt.encode())
    return made


class Outgoing(engineio.socket.Socket):  # type: ignore[misc]
    """The half of a connection that never waits for its client."""

    def __init__(self, server: Any, sid: str) -> None:
        super().__init__(server, sid)
        self._limits: Limits = server.limits
        self._wire: WebSocket | None = None
        self._writer: gevent.Greenlet | None = None  # while something waits
        self._timer: gevent.Greenlet | None = None  # of a ping or its answer
        self._dropped = False
        self._queued = 0  # bytes
        self._written = 0  # bytes of what the writer is busy with

    def send(self, pkt: Packet) -> None:
        """Send a packet, or let it wait; does not block."""
        if self.closed or self._dropped:
            return
        if self.last_ping and not self.check_ping_timeout():
            return
        data = framed(pkt)
        if not self._offered(data):
            self._keep(pkt, len(data))

    def _offered(self, data: bytes) -> bool:
        """Write at once to a websocket that has nothing before it."""
        if self._writer is not None or self._wire is None or not self.upgraded:
            return False
        offered = self._wire.line.offer(data)
        if self._wire.line.unfinished:
            self._begin_writing()
        return offered

    def _keep(self, pkt: Packet, size: int) -> None:
        self._queued += size
        many = self.queue.qsize() >= self._limits.backlog
        if many or self._queued + self._written > BACKLOG_BYTES:
            log.warning("hung up on a client that does not read")
            self._dropped = True
            gevent.spawn(self._drop)  # not within an emit, which others wait for
            return
        self.queue.put(pkt)
        self._begin_writing()

    def _drop(self) -> None:
        with suppress(Empty):
            while True:
                self.queue.get_nowait()
        if self._wire:
            self._wire.hang_up()
        self.close(abort=True, reason=self.server.reason.TRANSPORT_ERROR)

    def _begin_writing(self) -> None:
        if self._writer is None and self.upgraded and self._wire:  # else polls take it
            self._writer = gevent.spawn(self._write, self._wire)

    def _write(self, wire: WebSocket) -> None:
        """Write what waits until nothing does; at the end of all, say goodbye."""
        try:
            while wire.line.unfinished or not self.queue.empty():
                frames = []
                self._written = 0
                while self._written < BATCH and not self.queue.empty():
                    pkt = self.queue.get_nowait()
                    if pkt is None:
                        break
                    frames.append(framed(pkt))
                    self._written += len(frames[-1])
                self._queued = max(0, self._queued - self._written)
                wire.send(b"".join(frames))
            if self.closed:
                wire.close()
        except OSError:
            wire.hang_up()
        finally:
            self._written = 0
            self._writer = None

    def poll(self) -> list[Packet]:
        """Wait for packets for a polling client, and take some; none at the end."""
        patience = self.server.ping_interval + self.server.ping_timeout
        try:
            packets = [self.queue.get(timeout=patience)]
        except Empty:
            raise QueueEmpty from None
        while packets[-1] is not None and len(packets) < PACKETS_A_POLL:
            if self.queue.empty():
                break
            packets.append(self.queue.get_nowait())
        if packets[-1] is None:
            packets.pop()
            if packets:
                self.queue.put(None)
        self._queued = max(0, self._queued - sum(len(framed(pkt)) for pkt in packets))
        return packets

    def schedule_ping(self) -> None:
        """Ping in a while, once the last ping is answered."""
        if self.last_ping:
            self.last_ping = None
            self._later(self.server.ping_interval, self._send_ping)

    def _send_ping(self) -> None:
        self._timer = None
        self.last_ping = time.time()
        self._later(self.server.ping_timeout, self._miss_answer)
        self.send(Packet(PING))

    def _miss_answer(self) -> None:
        self._timer = None
        self.close(reason=self.server.reason.PING_TIMEOUT)

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        """Do one thing later, instead of another that was to be done."""
        self._forget()
        self._timer = gevent.spawn_later(seconds, act)

    def _forget(self) -> None:
        if self._timer is not None:
            self._timer.kill(block=False)
            self._timer = None

    def close(
        self, wait: bool = False, abort: bool = False, reason: Any = None
    ) -> None:
        """Say goodbye, and leave; waits for nobody, whatever `wait` says."""
        if self._wire and not (self.closed or self.closing):
            if abort and self._writer is not None:
                self._wire.hang_up()  # it reads nothing, not even a goodbye
            else:
                self._wire.end_soon()
        super().close(wait=False, abort=abort, reason=reason)
        self._forget()
        self._begin_writing()
        self.server.sockets.pop(self.sid, None)
