"""One client's Engine.IO connection: its queue and its limits.

A websocket gets a packet at once if the kernel takes it; otherwise the packet waits in
a bounded queue, which Engine.IO's writer sends in batches.
"""

import logging
from typing import Any

import engineio.socket
import gevent
from engineio.exceptions import EngineIOError, QueueEmpty
from engineio.packet import MESSAGE, PING, PONG, Packet
from gevent.queue import Empty

from glassflow.core.process import metrics
from glassflow.realtime.limits import BACKLOG_BYTES, TokenBucket
from glassflow.realtime.wire.websocket import WebSocket, frame

log = logging.getLogger(__name__)

MAX_POLLED = 16  # python-engineio's client refuses more in one response
BATCH_BYTES = 1 << 16  # sent with one call where several packets wait
UNREAD_BYTES = 1 << 18  # with more waiting, a sender that can wait has to


def frame_of(pkt: Packet) -> bytes:
    """Return the frame of a packet, encoded once for all clients that receive it."""
    if not hasattr(pkt, "frame"):
        pkt.frame = frame(pkt.encode())
    return pkt.frame  # type: ignore[no-any-return]


class Connection(engineio.socket.Socket):  # type: ignore[misc]
    """Engine.IO's socket with a bounded queue, which never waits for its client."""

    def __init__(self, server: Any, sid: str) -> None:
        super().__init__(server, sid)
        self._bucket = TokenBucket(server.limits.events_per_second)
        self._ws: WebSocket | None = None
        self._queued = 0  # bytes in the queue
        self._writing = 0  # bytes that the writer has taken from it and is sending
        self._dropped = False

    def send(self, pkt: Packet) -> None:
        """Send a packet or queue it; does not block."""
        if self.closed or self._dropped:
            return
        if self.last_ping and not self.check_ping_timeout():
            return
        if pkt.packet_type == PING:
            timeout = self.server.ping_timeout
            gevent.spawn_later(timeout, self._check_pong, self.last_ping)
        data = frame_of(pkt)
        # before the writer has sent what it holds, the packet would overtake that
        idle = self.upgraded and not self._writing and self.queue.empty()
        if idle and self._ws and self._ws.try_send(data):
            return
        self._queued += len(data)
        full = self.queue.qsize() >= self.server.limits.backlog
        # a packet that waits alone may be of any size, or it could never be sent
        waiting = self._queued + self._writing
        if not full and (waiting <= BACKLOG_BYTES or waiting == len(data)):
            self.queue.put(pkt)
            return
        log.warning("disconnected a client that does not read")
        metrics.hung_up.labels("backlog").inc()
        self._dropped = True
        reason = self.server.reason.TRANSPORT_ERROR
        gevent.spawn(self.close, abort=True, reason=reason)  # an emit must not wait

    def has_room_for(self, size: int) -> bool:
        """Return whether the client has read enough to be sent so many bytes more."""
        waiting = self._queued + (self._ws.unsent if self._ws else 0)
        if not waiting:
            return True
        packets_left = self.queue.qsize() < self.server.limits.backlog // 2
        return packets_left and waiting + size <= UNREAD_BYTES

    def poll(self) -> list[Packet]:
        """Wait for packets, for the writer or a polling client; none at the end."""
        self._writing, size, upgraded = 0, 0, self.upgraded
        wait = (
            None if upgraded else self.server.ping_interval + self.server.ping_timeout
        )
        try:
            packets = [self.queue.get(timeout=wait)]
        except Empty:
            raise QueueEmpty from None
        while packets[-1] is not None:
            size += len(frame_of(packets[-1]))
            full = size >= BATCH_BYTES if upgraded else len(packets) >= MAX_POLLED
            if full or self.queue.empty():
                break
            packets.append(self.queue.get_nowait())
        if packets[-1] is None and len(packets) > 1:
            self.queue.put(None)  # for the next call
        packets = [pkt for pkt in packets if pkt is not None]
        self._queued -= size
        if upgraded and packets:
            self._writing = size  # as a binary packet, which is sent as it is
            return [Packet(MESSAGE, b"".join(map(frame_of, packets)))]
        return packets

    def receive(self, pkt: Packet) -> None:
        """Handle a packet of the client if its rate limit allows."""
        if self.closed:
            return
        if pkt.packet_type == PONG or self._bucket.take():
            super().receive(pkt)
        elif self._bucket.exhausted:
            log.warning("disconnected a client that exceeds its rate limit")
            metrics.hung_up.labels("rate").inc()
            self.close()
        elif pkt.packet_type == MESSAGE:
            self.server.refuse(self.sid, pkt.data)

    def close(self, wait: Any = None, abort: bool = False, reason: Any = None) -> None:
        """Close the connection without waiting, whatever `wait` says."""
        is_open = not (self.closed or self.closing)
        if is_open and reason == self.server.reason.PING_TIMEOUT:
            metrics.hung_up.labels("silent").inc()
        if self._ws and is_open:
            if abort and self._ws.busy:
                self._ws.hang_up()  # it would not read a close frame
            self._ws.hang_up_later()
        super().close(wait=False, abort=abort, reason=reason)
        while self._dropped and self.queue.qsize() > 1:
            self.queue.get_nowait()  # all but the mark of the end
        self.server.sockets.pop(self.sid, None)

    def handle_post_request(self, environ: dict[str, Any]) -> None:
        """Receive the body of a polling client; a malformed one ends the connection."""
        try:
            super().handle_post_request(environ)
        except (ValueError, LookupError) as error:
            raise EngineIOError("Malformed body") from error

    def _websocket_handler(self, ws: WebSocket) -> None:
        if self._ws or self.closed:  # a second upgrade
            return
        self._ws = ws
        try:
            super()._websocket_handler(ws)
        except OSError:
            pass  # the client disconnected during the upgrade
        finally:
            self._ws, self.upgrading = None, False
            if self.upgraded:  # otherwise the client continues to poll
                self.close(abort=True, reason=self.server.reason.TRANSPORT_CLOSE)

    def _check_pong(self, pinged: float) -> None:
        if self.last_ping == pinged:
            self.close(reason=self.server.reason.PING_TIMEOUT)
