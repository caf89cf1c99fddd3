"""Patches of the socket libraries; each names the version and the fault it fixes."""

import logging
import re
from functools import partial
from typing import Any

import engineio.socket
from engineio.payload import Payload
from socketio import Server, packet

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.host.common_headers import COMMON_HEADERS
from glassflow.realtime.acks import error_of, refused
from glassflow.realtime.limits import Limits
from glassflow.realtime.wire.connection import Connection
from glassflow.realtime.wire.websocket import DETACH, WebSocket
from glassflow.web.language import preferred

log = logging.getLogger(__name__)

# A refusal of these is also sent as an `error` event beside the acknowledgment (contract).
ALSO_AS_EVENT = frozenset({"system_alert"})
RESERVED = frozenset({"connect", "disconnect", "__disconnect_final", "*"})
EVENT = re.compile(r"[25](?:\d+-)?+(?:(/[^,?]*)[^,]*,)?(\d{1,100})(?!\d)")


def apply(server: Server, limits: Limits) -> None:
    """Patch one Socket.IO server, and the classes that it creates."""
    incoming, eio = IncomingPackets(server), server.eio
    too_many = texts.TOO_MANY_EVENTS.format(maximum=limits.events_per_second)
    eio.limits, eio.refuse = limits, partial(incoming.refuse, error=too_many)
    # python-engineio 4.15.1 has unbounded queues and encodes a packet for each client.
    engineio.socket.Socket = Connection
    # simple-websocket 1.1.0 corrupts the stream of a client that reads slowly.
    eio._async = {**eio._async, "websocket": WebSocket}
    # python-engineio 4.15.1 drops a post of more than 16 packets; a poller joins rooms.
    Payload.max_decode_packets = 1000
    # python-engineio 4.15.1 answers an incomplete upgrade request with 500, and all
    # requests without the headers that the application's answers have.
    eio.handle_request = partial(_handle_request, eio.handle_request)
    # python-socketio 5.18.1 logs malformed packets as errors, and waits for attachments.
    eio.on("message", incoming.message)
    # python-socketio 5.18.1 answers a second CONNECT with an error: browsers go offline.
    server._handle_connect = incoming.connect
    # python-socketio 5.18.1 lets clients trigger `connect`; some events get no ack.
    server._handle_event = incoming.event


def _handle_request(handle: Any, environ: dict[str, Any], start_response: Any) -> Any:
    tokens = environ.get("HTTP_CONNECTION", "").lower().replace(" ", "").split(",")
    known = environ.get("HTTP_SEC_WEBSOCKET_VERSION") == "13"
    possible = known and not DETACH.keys().isdisjoint(environ)
    if not (possible and "upgrade" in tokens and "HTTP_SEC_WEBSOCKET_KEY" in environ):
        environ.pop("HTTP_UPGRADE", None)  # the answer is 400 then
    return handle(environ, partial(_start_response, start_response))


def _start_response(start: Any, status: str, headers: list[tuple[str, str]]) -> Any:
    """Begin an answer to a polling client, with the headers of every answer."""
    return start(status, [*headers, *COMMON_HEADERS.items()])


class IncomingPackets:
    """Passes packets of clients to the handlers, and answers every event once.

    An event that asks for no acknowledgment is answered only where it is refused, by an
    `error` event: clients of the replaced service wait for one.
    """

    def __init__(self, server: Server) -> None:
        self._server, self._connect = server, server._handle_connect

    def message(self, eio_sid: str, data: Any) -> None:
        """Handle a message. No event has attachments, so binary events are refused."""
        if isinstance(data, bytes):
            return  # an attachment of a refused event
        try:
            self._server._handle_eio_message(eio_sid, data)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            self.refuse(eio_sid, data, texts.MALFORMED_EVENT)
        pkt = self._server._binary_packet.pop(eio_sid, None)
        if pkt and pkt.packet_type == packet.BINARY_EVENT:
            error = texts.ATTACHMENTS_UNSUPPORTED
            self._acknowledge(eio_sid, pkt.namespace, pkt.id, error)

    def refuse(self, eio_sid: str, data: Any, error: Bilingual) -> None:
        """Acknowledge an event, which may be malformed, with an error."""
        if isinstance(data, str) and (found := EVENT.match(data)):
            self._acknowledge(eio_sid, found[1], int(found[2]), error)

    def connect(self, eio_sid: str, namespace: str | None, data: Any) -> None:
        """Connect to a namespace, unless it is connected or the client is gone."""
        connected = self._server.manager.sid_from_eio_sid(eio_sid, namespace or "/")
        if not connected and eio_sid in self._server.environ:
            self._connect(eio_sid, namespace, data)

    def event(self, eio_sid: str, namespace: str | None, ident: Any, data: Any) -> None:
        """Run the handler of an event in a greenlet of its own."""
        name, manager = namespace or "/", self._server.manager
        sid = manager.sid_from_eio_sid(eio_sid, name)
        if not manager.is_connected(sid, name):
            self._acknowledge(eio_sid, namespace, ident, texts.NOT_AUTHENTICATED)
            return
        event, *args = data if isinstance(data, list) and data else [""]
        if not isinstance(event, str) or event in RESERVED:
            event = ""
        run = partial(self._server._trigger_event, event, name, sid, *args)
        as_event = ident is None or event in ALSO_AS_EVENT
        answer = partial(
            self._acknowledge, eio_sid, namespace, ident, as_event=as_event
        )
        self._server.start_background_task(_run_handler, run, answer)

    def _acknowledge(
        self, eio_sid: str, namespace: Any, ident: Any, ack: Any, as_event: bool = False
    ) -> None:
        """Acknowledge an event if it asks for that; send a refusal `as_event` too."""
        if isinstance(ack, Bilingual):
            environ = self._server.environ.get(eio_sid) or {}
            ack = refused(ack, preferred(environ.get("HTTP_ACCEPT_LANGUAGE")))
        answer = partial(self._server.packet_class, namespace=namespace)
        if as_event and not ack["ok"]:
            told = answer(packet.EVENT, data=["error", error_of(ack)])
            self._server._send_packet(eio_sid, told)
        if ident is not None:
            self._server._send_packet(eio_sid, answer(packet.ACK, id=ident, data=[ack]))


def _run_handler(run: Any, answer: Any) -> None:
    try:
        ack = run()
        # a client that disconnected in the meantime has no session, and gets no dict
        answer(ack if isinstance(ack, dict) else texts.NOT_AUTHENTICATED)
    except Exception:
        log.exception("a socket event failed")
        answer(texts.INTERNAL_ERROR)
