"""Notifies other processes through Redis of new entries in the outbox or the event log.

A notification says only which of the two: each process reads the store. So a Redis that
is slow, unresponsive or away delays events until the next poll; it loses no event and
blocks no request.
"""

import logging
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

import gevent
import redis
from gevent.event import Event as Signal
from redis.backoff import NoBackoff
from redis.retry import Retry

from glassflow.core.process import deadlines
from glassflow.jobs import background

log = logging.getLogger(__name__)

CHANNEL = "glassflow"
RECONNECT_DELAY_S = 1.0


class Subject(StrEnum):
    """What a notification is about."""

    OUTBOX = "outbox"  # for the process that publishes
    EVENT_LOG = "on"  # for all; the text of earlier releases


SUBJECTS = {subject.encode(): subject for subject in Subject}


class RedisNotifier:
    """Sends and receives notifications; without a URL it does neither.

    `on_notify` has a function for each subject. It is called for each notification that
    is received, and once after each connect, because earlier ones may have been missed.
    """

    def __init__(
        self, url: str, *, on_notify: Mapping[Subject, Callable[[], None]]
    ) -> None:
        self._url = url
        self._on_notify = on_notify
        self._pending = Signal()
        self._subjects: set[Subject] = set()
        self._greenlets: list[Any] = []
        self.failed_count = 0  # notifications that could not be sent since the start

    def start(self) -> None:
        """Start to send and to listen in this process, unless that has been done."""
        if self._url and not self._greenlets:
            self._greenlets = [
                background.start(self._listen_loop),
                background.start(self._send_loop),
            ]

    def stop(self) -> None:
        """Stop sending and listening."""
        gevent.killall(self._greenlets, block=False)

    def send(self, subject: Subject) -> None:
        """Notify the other processes; does not block, and many calls send one."""
        self.start()
        self._subjects.add(subject)
        self._pending.set()

    def _client(self) -> Any:
        return redis.Redis.from_url(
            self._url,
            socket_timeout=deadlines.NOTIFY_TIMEOUT_S,
            socket_connect_timeout=deadlines.NOTIFY_TIMEOUT_S,
            retry=Retry(NoBackoff(), 0),  # the loops retry
        )

    def _send_loop(self) -> None:
        client = self._client()
        failed = 0  # in this outage; each may stand for many events
        while True:
            self._pending.wait()
            self._pending.clear()
            subjects, self._subjects = self._subjects, set()
            try:
                for subject in subjects:
                    client.publish(CHANNEL, subject.encode())
            except redis.RedisError as error:
                if not failed:
                    log.warning(
                        "Redis takes no notifications, other processes poll: %s", error
                    )
                failed += 1
                self.failed_count += 1
                self._subjects |= subjects
                self._pending.set()
                gevent.sleep(RECONNECT_DELAY_S)
            else:
                if failed:
                    log.warning(
                        "Redis takes notifications again; %d were not sent", failed
                    )
                failed = 0

    def _listen_loop(self) -> None:
        was_away = False
        while True:
            try:
                with self._client().pubsub(ignore_subscribe_messages=True) as channel:
                    channel.subscribe(CHANNEL)
                    for on_notify in self._on_notify.values():
                        on_notify()
                    if was_away:
                        log.info("Redis is back")
                    was_away = False
                    while True:
                        message = channel.get_message(
                            timeout=deadlines.NOTIFY_TIMEOUT_S
                        )
                        if message:
                            self._receive(message["data"])
                        else:
                            channel.ping()
            except redis.RedisError as error:
                if not was_away:
                    log.warning("Redis is away, events come a little later: %s", error)
                was_away = True
                gevent.sleep(RECONNECT_DELAY_S)

    def _receive(self, content: bytes) -> None:
        if content in SUBJECTS:
            self._on_notify[SUBJECTS[content]]()
