"""One client's connection: how it begins and ends, and what the client may say on it."""

import logging
from contextlib import suppress
from typing import Any

from engineio.exceptions import EngineIOError, UnknownPacketError
from engineio.packet import MESSAGE, NOOP, PING, PONG, UPGRADE, Packet

from glassflow.realtime.framing import frame
from glassflow.realtime.limits import Allowance
from glassflow.realtime.outgoing import Outgoing
from glassflow.realtime.websocket import WebSocket

log = logging.getLogger(__name__)


class Connection(Outgoing):
    """A connection of Engine.IO, polling or on a websocket of our own."""

    def __init__(self, server: Any, sid: str) -> None:
        super().__init__(server, sid)
        self._allowance = Allowance(self._limits.events_per_second)

    def handle_get_request(self, environ: dict[str, Any], start_response: Any) -> Any:
        """Answer a poll, or begin a websocket."""
        wanted = environ.get("HTTP_CONNECTION", "").lower().replace(" ", "").split(",")
        if not self.connected and "upgrade" not in wanted:
            answer = self.server._bad_request("Not a websocket")
        else:
            answer = super().handle_get_request(environ, start_response)
        if isinstance(answer, dict) and not self.connected:
            self.close(abort=True)  # it never began
        return answer

    def handle_post_request(self, environ: dict[str, Any]) -> None:
        """Take what a polling client posts; a body that is none ends it."""
        try:
            super().handle_post_request(environ)
        except (ValueError, LookupError) as error:
            raise EngineIOError("Malformed body") from error

    def _upgrade_websocket(self, environ: dict[str, Any], start_response: Any) -> Any:
        wire = None
        if self._wire is None and not self.closed:
            wire = self._wire = WebSocket.of(environ, self.server.max_http_buffer_size)
        if wire is None:
            return self.server._bad_request("Not a websocket")
        try:
            wire.accept()
            if not self.connected or self._come_over(wire):
                self._converse(wire)
        except OSError:
            pass  # gone
        except Exception:
            log.exception("a connection failed")
        self._wire, self.upgrading = None, False
        if self.upgraded:  # else it polls on
            self.close(abort=True, reason=self.server.reason.TRANSPORT_CLOSE)
        return wire.leave()

    def _come_over(self, wire: WebSocket) -> bool:
        """Go on over a websocket instead of polls; False if the client gives that up."""
        self.upgrading = True  # polls are answered with nothing
        if wire.wait() != Packet(PING, "probe").encode():
            return False
        wire.send(frame(Packet(PONG, "probe").encode()))
        self.queue.put(Packet(NOOP))  # ends the poll that waits
        return wire.wait() == Packet(UPGRADE).encode()

    def _converse(self, wire: WebSocket) -> None:
        self.connected = self.upgraded = True
        self.upgrading = False
        self._begin_writing()
        while (said := wire.wait()) is not None:
            with suppress(UnknownPacketError):
                self.receive(Packet(encoded_packet=said))

    def receive(self, pkt: Packet) -> None:
        """Take a packet from the client, if it may say so much."""
        if self.closed:
            return
        if pkt.packet_type == PONG or self._allowance.take():
            super().receive(pkt)
        elif self._allowance.beyond:
            log.warning("hung up on a client that sends without end")
            self.close()
        elif pkt.packet_type == MESSAGE:
            self.server.refuse(self.sid, pkt.data)
