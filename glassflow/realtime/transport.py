"""Mends of the socket libraries, each for a fault that was measured.

Beside the connection and the websocket, which are our own:

- A browser may send a second CONNECT for a namespace that is joined already; an error
  answer would leave it deaf, so it is ignored.
- An event named `connect` or `disconnect` would run the server's own handlers, and one
  named `*` would break the one for all others.
- What nobody can read would end up as an error in the log, and an attachment that
  never comes would leave its connection deaf; here each event gets its one answer.
- A polling client sends all that it has to say in one body, at connect a join for each
  room; more than 16 packets would all be lost in silence.
"""

import logging
import re
from functools import partial
from typing import Any

import engineio.socket
from engineio.payload import Payload
from socketio import Server, packet

from glassflow.realtime.connection import Connection
from glassflow.realtime.limits import Limits

log = logging.getLogger(__name__)

RESERVED = frozenset({"connect", "disconnect", "__disconnect_final", "*"})
PACKETS_A_POST = 1000
MOST_ATTACHMENTS = 10  # no event has any
EVENT = re.compile(r"[25](?:\d+-)?(?:(/[^,?]*)[^,]*,)?(\d{1,100})(?!\d)")


def mend(server: Server, limits: Limits) -> None:
    """Put the mends into one Socket.IO server."""
    engineio.socket.Socket = Connection
    Payload.max_decode_packets = PACKETS_A_POST
    incoming = Incoming(server, limits)
    server.eio.limits = limits
    server.eio.refuse = incoming.refuse
    server.eio.on("message", incoming.message)
    server._handle_connect = incoming.connect
    server._handle_event = incoming.event
    server._handle_event_internal = incoming.answer
    server._send_eio_packet = partial(_send, server)


def _send(server: Server, eio_sid: str, pkt: Any) -> None:
    """Send to one of many: what goes wrong must not keep it from the others."""
    connection = server.eio.sockets.get(eio_sid)
    if connection is not None:
        try:
            connection.send(pkt)
        except Exception:
            log.exception("could not send to a client")


class Incoming:
    """What clients say, on its way to the handlers."""

    def __init__(self, server: Server, limits: Limits) -> None:
        self._server = server
        self._limits = limits
        self._connect, self._event = server._handle_connect, server._handle_event

    def message(self, eio_sid: str, data: Any) -> None:
        """Pass on what can be read, and answer what cannot."""
        server = self._server
        waiting = server._binary_packet.get(eio_sid)
        if isinstance(data, bytes) and waiting is None:
            return
        if not isinstance(data, bytes) and waiting is not None:
            self._give_up(eio_sid, "Attachment missing")
        try:
            server._handle_eio_message(eio_sid, data)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            log.debug("a client said what cannot be read", exc_info=True)
            self._refuse(eio_sid, data, "Malformed event")
        waiting = server._binary_packet.get(eio_sid)
        if waiting and not 1 <= waiting.attachment_count <= MOST_ATTACHMENTS:
            self._give_up(eio_sid, "Malformed event")

    def refuse(self, eio_sid: str, data: Any) -> None:
        """Answer an event that is one too many."""
        error = f"Too many events; at most {self._limits.events_per_second} a second"
        self._refuse(eio_sid, data, error)

    def connect(self, eio_sid: str, namespace: str | None, data: Any) -> None:
        """Join a namespace, unless it is joined or the client is gone already."""
        joined = self._server.manager.sid_from_eio_sid(eio_sid, namespace or "/")
        if not joined and eio_sid in self._server.environ:
            self._connect(eio_sid, namespace, data)

    def event(
        self, eio_sid: str, namespace: str | None, packet_id: int | None, data: Any
    ) -> None:
        """Hand an event to its handler, in a greenlet of its own."""
        manager, space = self._server.manager, namespace or "/"
        if not manager.is_connected(manager.sid_from_eio_sid(eio_sid, space), space):
            self._ack(eio_sid, namespace, packet_id, _refused("Not authenticated"))
            return
        named = isinstance(data, list) and data and isinstance(data[0], str)
        if not named or data[0] in RESERVED:
            data = ["", *(data[1:] if isinstance(data, list) else ())]
        self._event(eio_sid, namespace, packet_id, data)

    def answer(
        self, _: Any, sid: str, eio_sid: str, data: Any, namespace: str, ident: Any
    ) -> None:
        """Run a handler, and acknowledge the event in any case."""
        try:
            ack = self._server._trigger_event(data[0], namespace, sid, *data[1:])
        except Exception:
            log.exception("a socket event failed")
            ack = _refused("Internal server error")
        if not isinstance(ack, dict):  # gone meanwhile
            ack = _refused("Not authenticated")
        self._ack(eio_sid, namespace, ident, ack)

    def _give_up(self, eio_sid: str, error: str) -> None:
        pkt = self._server._binary_packet.pop(eio_sid)
        self._ack(eio_sid, pkt.namespace, pkt.id, _refused(error))

    def _refuse(self, eio_sid: str, data: Any, error: str) -> None:
        if eio_sid in self._server._binary_packet:
            self._give_up(eio_sid, error)
        found = EVENT.match(data) if isinstance(data, str) else None
        if found:
            self._ack(eio_sid, found[1], int(found[2]), _refused(error))

    def _ack(
        self, eio_sid: str, namespace: str | None, ident: Any, ack: dict[str, Any]
    ) -> None:
        if ident is not None:
            kind = self._server.packet_class
            pkt = kind(packet.ACK, namespace=namespace, id=ident, data=[ack])
            self._server._send_packet(eio_sid, pkt)


def _refused(error: str) -> dict[str, Any]:
    return {"ok": False, "error": error}
