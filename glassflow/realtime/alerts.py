"""System alerts: one who may do everything says something to everybody."""

from typing import Any

from flask_socketio import SocketIO

from glassflow.domain.errors import Forbidden, Refusal
from glassflow.domain.permissions import EVERYTHING
from glassflow.realtime.rooms import EVERYBODY
from glassflow.services.identity import Identity

LONGEST = 500  # characters


def send(socketio: SocketIO, who: Identity, *args: Any) -> None:
    """Pass `{message}` on to all connected clients.

    Raises `Forbidden` for anybody but a holder of `*`, `Refusal` for no message.
    """
    if EVERYTHING not in who.keys:
        raise Forbidden("Not authorized to send system alerts")
    message = args[0].get("message") if args and isinstance(args[0], dict) else None
    if not isinstance(message, str) or not 1 <= len(message.strip()) <= LONGEST:
        raise Refusal(f"message must be a text of 1 to {LONGEST} characters")
    socketio.emit("system_alert", {"message": message.strip()}, to=EVERYBODY)
