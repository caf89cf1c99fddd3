"""The live side: Socket.IO on `/api/socket-entry`, and the event log behind it.

`create` puts it together. What services and model hooks put into the outbox, the
publisher numbers and stores in the event log; the walker takes it from there to the
sockets of this process, as the handshake and the handlers have let them in. Nothing
outside this package emits.
"""

from collections.abc import Iterable

import gevent
from flask import Flask
from flask_socketio import SocketIO

from glassflow.core import event_log, json, outbox
from glassflow.core.event_log import Event
from glassflow.realtime import feed, handlers, handshake, hooks, transport
from glassflow.realtime.check_in import CheckIns
from glassflow.realtime.limits import Limits, Strangers
from glassflow.realtime.publisher import Publisher
from glassflow.realtime.rooms import Plan, Source
from glassflow.realtime.sessions import Sessions
from glassflow.realtime.telling import Teller
from glassflow.realtime.wakeups import Wakeups
from glassflow.realtime.walker import Walker

__all__ = ["Source", "create"]

PATH = "/api/socket-entry"


def create(app: Flask, sources: Iterable[Source]) -> SocketIO:
    """Give an application its sockets, and make its stored changes heard on them."""
    config = app.config
    origins = config["CORS_ORIGINS"]
    event_log.configure(retention=config["EVENT_RETENTION"])
    socketio = SocketIO(
        app,
        path=PATH,
        async_mode="gevent",
        json=json,
        cors_allowed_origins="*" if "*" in origins else origins or None,
        max_http_buffer_size=config["MAX_BODY_BYTES"],
        http_compression=False,
        manage_session=False,
    )
    limits = Limits(
        events_per_second=config["SOCKET_EVENTS_PER_SECOND"],
        rooms=config["SOCKET_ROOMS"],
        sockets=config["SOCKETS_PER_WORKER"],
        backlog=config["SOCKET_BACKLOG"],
    )
    transport.mend(socketio.server, limits)
    Strangers(socketio.server)
    check_ins = CheckIns(socketio.server)
    walker = Walker(
        socketio.server,
        on_event=check_ins.heard,
        on_recheck=lambda event: gevent.spawn(sessions.recheck, *event.recheck),
        recall=check_ins.recall,
    )
    plan = Plan(sources)
    sessions = Sessions(socketio.server, plan, limits, begin=lambda: begin())
    handshake.register(socketio, sessions)
    handlers.Events(socketio, sessions, check_ins, walker).register()
    wakeups = Wakeups(config["REDIS_URL"], heard=walker.wake)

    def told(events: list[Event]) -> None:
        walker.wake(events)
        wakeups.send()

    populate = lambda: "true" if config["EXPAND_REFERENCES"] else "false"  # noqa: E731
    publisher = Publisher(Teller(plan, populate), told=told)

    def begin() -> None:
        for part in (walker, wakeups, publisher):
            part.start()

    hooks.connect()
    outbox.set_publisher(publisher)
    app.extensions["publisher"] = publisher
    app.extensions["walker"] = walker
    app.register_blueprint(feed.blueprint(walker, begin))
    return socketio
