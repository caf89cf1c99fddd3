"""The handshake: a socket is opened by its token, or refused with the reason.

Whatever goes wrong here ends in a refusal: an error that got past it would be taken
for an accepted connection.
"""

import logging
from typing import Any

from flask import request
from flask_socketio import ConnectionRefusedError, SocketIO

from glassflow.domain.errors import Refusal
from glassflow.realtime.sessions import Sessions

log = logging.getLogger(__name__)


def register(socketio: SocketIO, sessions: Sessions) -> None:
    """Connect the handlers of `connect` and `disconnect`."""

    @socketio.on("connect")  # type: ignore[untyped-decorator]
    def connect(auth: Any = None) -> None:
        token = auth.get("token") if isinstance(auth, dict) else None
        if not isinstance(token, str) or not token.strip():
            raise ConnectionRefusedError("Not authenticated")
        try:
            sessions.open(
                request.sid,  # type: ignore[attr-defined]
                token.strip().removeprefix("Bearer ").strip(),
            )
        except Refusal as error:
            raise ConnectionRefusedError(error.message) from None
        except Exception:
            # nothing unforeseen may let a client in
            log.exception("a handshake failed")
            raise ConnectionRefusedError("Service unavailable") from None

    @socketio.on("disconnect")  # type: ignore[untyped-decorator]
    def disconnect(*_: Any) -> None:
        sessions.close(request.sid)  # type: ignore[attr-defined]
