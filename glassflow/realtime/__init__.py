"""The live side: Socket.IO on `/api/socket-entry`.

`create` puts it together: hooks (models to outbox), the publisher (outbox to rooms),
the handshake and the handlers. Nothing outside this package emits.
"""

from collections.abc import Iterable

from flask import Flask
from flask_socketio import SocketIO

from glassflow.core import json, outbox
from glassflow.realtime import handlers, handshake, hooks, transport
from glassflow.realtime.check_in import CheckIns
from glassflow.realtime.publisher import Publisher
from glassflow.realtime.rooms import Plan, Source
from glassflow.realtime.sessions import Sessions

__all__ = ["Source", "create"]

PATH = "/api/socket-entry"


def create(app: Flask, sources: Iterable[Source]) -> SocketIO:
    """Give an application its sockets, and make its stored changes heard on them."""
    config = app.config
    origins = config["CORS_ORIGINS"]
    socketio = SocketIO(
        app,
        path=PATH,
        async_mode="gevent",
        json=json,
        cors_allowed_origins="*" if "*" in origins else origins or None,
        message_queue=config["REDIS_URL"] or None,
        max_http_buffer_size=config["MAX_BODY_BYTES"],
        http_compression=False,
        manage_session=False,
    )
    transport.mend(socketio.server)
    plan = Plan(sources)
    sessions = Sessions(socketio.server, plan)
    handshake.register(socketio, sessions)
    handlers.Events(socketio, sessions, CheckIns(socketio)).register()
    hooks.connect()
    outbox.set_publisher(
        Publisher(
            socketio,
            plan,
            populate=lambda: "true" if config["EXPAND_REFERENCES"] else "false",
            recheck=sessions.recheck,
        )
    )
    return socketio
