"""Several processes tell each other that the event log goes on, through Redis.

Only that: what there is to hear each reads from the log. So a Redis that is slow, hung
or away costs the delay of the next look, and never an event or a request's time.
"""

import logging
from collections.abc import Callable
from typing import Any

import gevent
import redis
from gevent.event import Event as Signal
from redis.backoff import NoBackoff
from redis.retry import Retry

log = logging.getLogger(__name__)

CHANNEL = "glassflow"
PATIENCE = 2.0  # seconds for one command
AGAIN_AFTER = 1.0  # seconds after a failure


class Wakeups:
    """Sends and hears wake-ups; without an address it does neither."""

    def __init__(self, url: str, *, heard: Callable[[], None]) -> None:
        self._url = url
        self._heard = heard
        self._signal = Signal()
        self._running: list[Any] = []
        self.lost = 0  # wake-ups that could not be sent, since the start

    def start(self) -> None:
        """Begin to listen and to send; a greenlet belongs to its process."""
        if self._url and not self._running:
            self._running = [gevent.spawn(self._listen), gevent.spawn(self._sending)]
            for greenlet in self._running:
                greenlet.name = "background"

    def send(self) -> None:
        """Wake the other processes; it takes no time, and many are sent as one."""
        self.start()
        self._signal.set()

    def _client(self) -> Any:
        return redis.Redis.from_url(
            self._url,
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
            retry=Retry(NoBackoff(), 0),  # this tries again by itself
        )

    def _sending(self) -> None:
        client = self._client()
        lost = 0  # of this outage; each may stand for many events
        while True:
            self._signal.wait()
            self._signal.clear()
            try:
                client.publish(CHANNEL, b"on")
            except redis.RedisError as error:
                if not lost:
                    log.warning("Redis takes no wake-ups, others look late: %s", error)
                lost += 1
                self.lost += 1
                self._signal.set()
                gevent.sleep(AGAIN_AFTER)
            else:
                if lost:
                    log.warning("Redis takes wake-ups again; %d were not sent", lost)
                lost = 0

    def _listen(self) -> None:
        was_away = False
        while True:
            try:
                with self._client().pubsub(ignore_subscribe_messages=True) as channel:
                    channel.subscribe(CHANNEL)
                    self._heard()  # who knows what was said before
                    if was_away:
                        log.info("Redis is back")
                    was_away = False
                    while True:
                        if channel.get_message(timeout=PATIENCE):
                            self._heard()
                        else:
                            channel.ping()
            except redis.RedisError as error:
                if not was_away:
                    log.warning("Redis is away, events come a little later: %s", error)
                was_away = True
                gevent.sleep(AGAIN_AFTER)
