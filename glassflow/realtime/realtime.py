"""Builds the parts of the realtime side of an application, starts and stops them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from flask import Flask
from flask_socketio import SocketIO

from glassflow.core.events.event_log import Event
from glassflow.core.events.log_pages import EventCache, LogPages
from glassflow.core.process import json, record_cache
from glassflow.jobs.cutting_searches import CuttingSearches
from glassflow.jobs.history_writer import HistoryWriter
from glassflow.jobs.mail import Mailer
from glassflow.jobs.overdue import Overdue
from glassflow.jobs.publisher import Publisher
from glassflow.jobs.scheduled_backups import ScheduledBackups
from glassflow.jobs.webhooks import Dispatcher
from glassflow.realtime import events_api, handshake
from glassflow.realtime.check_in import CheckIns
from glassflow.realtime.client_events import ClientEvents
from glassflow.realtime.event_streams import EventStreams
from glassflow.realtime.limits import Limits, UnauthenticatedReaper
from glassflow.realtime.log_tail import LogTail
from glassflow.realtime.redis_notify import RedisNotifier, Subject
from glassflow.realtime.resume import Resumption
from glassflow.realtime.sessions import Sessions
from glassflow.realtime.token_watch import TokenWatch
from glassflow.realtime.wire import patches
from glassflow.services.events.event_builder import AUTH_MODELS, EventBuilder
from glassflow.services.events.message_routes import ROUTES_BY_NAME
from glassflow.services.events.room_map import AnnouncedModel, RoomMap
from glassflow.services.events.room_overrides import (
    EventRooms,
    check_event_rooms,
    routes_with_rooms,
    with_rooms,
)

PATH = "/api/socket-entry"


class Realtime:
    """Socket.IO on `PATH`, `/api/events`, and the event log behind both.

    It publishes what the application's services put into the outbox, and delivers the
    event log to the sockets of this process. `app.extensions["realtime"]` holds it.
    Raises `SettingsError` for an `EVENT_ROOMS` with unknown events or rooms.
    """

    def __init__(self, app: Flask, models: Iterable[AnnouncedModel]) -> None:
        self._config: Mapping[str, Any] = app.config
        limits = _limits(self._config)
        self.socketio = _socketio(app)
        server = self.socketio.server
        patches.apply(server, limits)
        UnauthenticatedReaper(server)
        self._check_ins = CheckIns(server)
        room_map = _room_map(self._config["EVENT_ROOMS"], list(models))
        self._tokens = TokenWatch(limits)
        self._sessions = Sessions(server, room_map, self._tokens, limits)
        self._event_cache = EventCache()
        self._log_tail = LogTail(
            server,
            self._event_cache,
            on_event=self._check_ins.on_event,
            on_recheck=self._on_recheck,
            on_missed=self._on_missed,
            warm_up=self._warm_up,
        )
        self.event_names = room_map.event_names()
        builder = EventBuilder(room_map, self._populate_spec)
        self.publisher = Publisher(
            builder,
            on_published=self._on_published,
            poll_log=self._log_tail.poll,
            notify_holder=self._notify_holder,
        )
        self._history = HistoryWriter(is_holder=self._is_holder)
        self._pages = LogPages(self._event_cache)
        self._webhooks = Dispatcher(self._pages, is_holder=self._is_holder)
        self._backups = ScheduledBackups(
            self._config["BACKUP_EVERY"],
            Path(self._config["BACKUP_DIR"]),
            self._config["BACKUP_KEEP"],
            is_holder=self._is_holder,
        )
        self._mailer = Mailer(is_holder=self._is_holder)
        self._overdue = Overdue(is_holder=self._is_holder)
        self._cutting_searches = CuttingSearches(is_holder=self._is_holder)
        self._notifier = RedisNotifier(
            self._config["REDIS_URL"],
            on_notify={
                Subject.EVENT_LOG: self._on_log_grown,
                Subject.OUTBOX: self.publisher.wake,
            },
        )
        self._register_handlers(app)
        app.extensions["realtime"] = self

    def start(self) -> None:
        """Start delivering and publishing in this process, unless that has been done.

        Called when the first client connects and not by the constructor, because
        greenlets do not survive a fork.
        """
        self._log_tail.start()
        self._notifier.start()
        self.start_jobs()

    def start_jobs(self) -> None:
        """Start publishing, and what one process does at a time, before the first client.

        Webhooks may have events to get that were published before this process began, and
        the history what an earlier process has left, before that expires. Backups, mails,
        what ends by itself and the search for cutting plans have no client.
        """
        self.publisher.start()
        self._history.start()
        self._webhooks.start()
        self._backups.start()
        self._mailer.start()
        self._overdue.start()
        self._cutting_searches.start()

    def stop(self) -> bool:
        """Disconnect all clients, publish what is in the outbox, and stop all parts.

        Returns whether everything was published; another process publishes the rest.
        A stopped object cannot be started again.
        """
        self.end_streams()
        self.close_sockets()
        published = self.flush()
        self._webhooks.stop()
        self._backups.stop()
        self._mailer.stop()
        self._overdue.stop()
        self._cutting_searches.stop()
        for part in (
            self._history,
            self.publisher,
            self._notifier,
            self._tokens,
            self._log_tail,
        ):
            part.stop()
        return published

    def end_streams(self) -> None:
        """End all event streams of `/api/events`; their clients ask again."""
        self._log_tail.end_streams()

    def close_sockets(self) -> None:
        """Close all sockets; their clients reconnect by themselves."""
        for socket in list(self.socketio.server.eio.sockets.values()):
            # without a close packet: after one, the Python client does not reconnect
            socket.close(wait=False, abort=True)

    def flush(self) -> bool:
        """Publish what is in the outbox now; return whether that succeeded."""
        return self.publisher.flush()

    def _warm_up(self) -> None:
        # what was cached before the log is followed may be out of date
        record_cache.clear_all()
        self._check_ins.warm_up()

    def _on_missed(self) -> None:
        record_cache.clear_all()
        self._tokens.recheck_all()

    def _on_recheck(self, event: Event) -> None:
        """Use a changed worker, role, station or material from now on."""
        if event.recheck is None:
            return
        record_cache.forget([event.recheck])
        if event.recheck[0] in AUTH_MODELS:
            self._tokens.on_recheck(event)

    def _on_published(self, events: list[Event]) -> None:
        self._log_tail.add(events)
        self._notifier.send(Subject.EVENT_LOG)
        self._webhooks.on_published(events)
        self._history.on_published()

    def _is_holder(self) -> bool:
        """Whether this process publishes, and so does what only one process does."""
        return self.publisher.is_holder

    def _on_log_grown(self) -> None:
        if not self.publisher.is_holder:  # else the notification is its own
            self._log_tail.wake()

    def _notify_holder(self) -> None:
        self._notifier.send(Subject.OUTBOX)

    def _populate_spec(self) -> str:
        return "true" if self._config["EXPAND_REFERENCES"] else "false"

    def _register_handlers(self, app: Flask) -> None:
        """Register what clients can reach: the handshake, events and `/api/events`."""
        handshake.register(self.socketio, self._sessions, before_open=self.start)
        resumption = Resumption(
            self.socketio.server, self._sessions, self._log_tail, self._pages
        )
        ClientEvents(
            self.socketio, self._sessions, self._check_ins, self._log_tail, resumption
        ).register()
        streams = EventStreams(self._log_tail, self._pages, self._tokens)
        events = events_api.blueprint(self._pages, streams, self.start)
        app.register_blueprint(events)


def _socketio(app: Flask) -> SocketIO:
    origins = app.config["CORS_ORIGINS"]
    return SocketIO(
        app,
        path=PATH,
        async_mode="gevent",
        json=json,
        cors_allowed_origins="*" if "*" in origins else origins or None,
        max_http_buffer_size=app.config["MAX_BODY_BYTES"],
        http_compression=False,
        manage_session=False,
    )


def _room_map(event_rooms: EventRooms, models: Sequence[AnnouncedModel]) -> RoomMap:
    check_event_rooms(event_rooms, models, ROUTES_BY_NAME)
    return RoomMap(
        with_rooms(event_rooms, models), routes_with_rooms(event_rooms, ROUTES_BY_NAME)
    )


def _limits(config: Mapping[str, Any]) -> Limits:
    return Limits(
        events_per_second=config["SOCKET_EVENTS_PER_SECOND"],
        rooms=config["SOCKET_ROOMS"],
        connections=config["SOCKETS_PER_WORKER"],
        backlog=config["SOCKET_BACKLOG"],
    )
