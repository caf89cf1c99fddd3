"""The handshake: accepts a socket by its token, or refuses it with the reason.

Every error ends in a refusal: Socket.IO takes any other outcome for an acceptance.
"""

import logging
from collections.abc import Callable
from typing import Any

import pymongo
from flask import request
from flask_socketio import ConnectionRefusedError, SocketIO
from pymongo.errors import PyMongoError

from glassflow.core.process import deadlines
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import Refusal
from glassflow.realtime.sessions import Sessions
from glassflow.web import language

log = logging.getLogger(__name__)

MAX_LANGUAGE_LENGTH = 100  # characters


def register(
    socketio: SocketIO, sessions: Sessions, *, before_open: Callable[[], None]
) -> None:
    """Register the handlers of `connect` and `disconnect`.

    `before_open` is called before a socket is accepted, so that from then on this
    process delivers events.
    """

    @socketio.on("connect")  # type: ignore[untyped-decorator]
    def connect(auth: Any = None) -> None:
        auth = auth if isinstance(auth, dict) else {}
        _keep_language(auth.get("language"))
        token = auth.get("token")
        if not isinstance(token, str) or not token.strip():
            raise _refused(texts.NOT_AUTHENTICATED)
        try:
            with pymongo.timeout(deadlines.REQUEST_TIMEOUT_S):
                before_open()
                sessions.open(
                    request.sid,  # type: ignore[attr-defined]
                    token.strip().removeprefix("Bearer ").strip(),
                )
        except Refusal as error:
            raise _refused(error.message) from None
        except PyMongoError as error:
            log.warning("no handshake without the store: %s", error)
            raise _refused(texts.SERVICE_UNAVAILABLE) from None
        except Exception:
            log.exception("a handshake failed")
            raise _refused(texts.SERVICE_UNAVAILABLE) from None

    @socketio.on("disconnect")  # type: ignore[untyped-decorator]
    def disconnect(*_: Any) -> None:
        sessions.close(request.sid)  # type: ignore[attr-defined]


def _keep_language(wanted: Any) -> None:
    """Let a language that a client names count as the header of its handshake.

    A page in a browser cannot set that header. The environment is that of all its events.
    """
    if isinstance(wanted, str) and len(wanted) <= MAX_LANGUAGE_LENGTH:
        request.environ["HTTP_ACCEPT_LANGUAGE"] = wanted


def _refused(error: Bilingual) -> ConnectionRefusedError:
    described = language.localized({"message": error}, language.requested())
    del described["message"]
    return ConnectionRefusedError(error, *([described] if described else []))
