"""The tokens of the open connections of this process, each watched once.

Sockets and event streams are connections. When a worker or a role is changed, by any
process, the event log reports it and the tokens concerned are checked at once. A watch
checks again what that misses: a change during a lookup, or while the store was away; and
every token from time to time, in case other programs change records. It also ends the
connections of expired tokens.
"""

import logging
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Protocol

import gevent
import pymongo
from bson import ObjectId
from gevent.event import AsyncResult
from pymongo.errors import ConnectionFailure, PyMongoError

from glassflow import runtime
from glassflow.core.events.event_log import Event
from glassflow.core.identity import Identity
from glassflow.core.process import deadlines, metrics
from glassflow.domain.errors import PasswordChangeRequired, Unauthenticated
from glassflow.jobs import background
from glassflow.realtime.limits import Limits
from glassflow.services.auth.identity import identify, preload

log = logging.getLogger(__name__)

WATCH_INTERVAL_S = 1.0
RECHECK_INTERVAL_S = 600.0  # how long a check of a token is valid
# Tokens that are due are checked together with those that will be due so soon: all of
# them cost two reads.
RECHECK_TOGETHER_S = 60.0
MAX_RECHECKS = 500  # tokens checked in one interval of the watch
CHECK_FAILED = "cannot check open connections without the store: %s"
UNCHECKED = float("-inf")  # as `checked`: the watch checks it next
# The first check of a token is valid for less, or those of all clients that connect at
# once after a restart would be repeated at once.
MAX_FIRST_AGE = 0.9


class Connection(Protocol):
    """What holds a token: a socket or an event stream."""

    def renew(self, worker: Identity) -> None:
        """Adapt to a worker whose rights may have changed."""

    def refuse(self) -> None:
        """End, because the token is not accepted any more."""


@dataclass(slots=True, eq=False)
class WatchedToken:
    """A token, its worker, and the connections that hold it.

    `checked` is the time of the last check of the token, on the monotonic clock. `refused`
    are the connections that are about to end.
    """

    token: str
    worker: Identity
    checked: float
    connections: set[Connection] = field(default_factory=set)
    refused: set[Connection] = field(default_factory=set)


class TokenWatch:
    """Opens connections by their tokens, and ends those whose token has ended."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._tokens: dict[str, WatchedToken] = {}
        self._lookups: dict[str, AsyncResult[tuple[Identity, float]]] = {}
        self._open: Counter[ObjectId] = Counter()  # connections of each worker
        self._changes = 0  # changes of workers and roles seen so far
        self._watcher: Any = None

    def open(self, token: str, connection: Connection) -> Identity:
        """Add a connection to those of a token; return its worker.

        Raises `Unauthenticated`, `PyMongoError`, and `TooManyConnections` for more than
        a worker may have.
        """
        # Also where it is open already: this process may just have revoked it. The worker
        # and role are cached, so a crowd of screens that reconnect costs few reads.
        watched = self._checked(token)
        worker = watched.worker
        self._limits.check_connections(self._open[worker.worker_id])
        self._tokens[token] = watched
        watched.connections.add(connection)
        self._open[worker.worker_id] += 1
        if self._watcher is None:  # not before: a greenlet belongs to its process
            self._watcher = background.start(self._watch)
        return worker

    def close(self, token: str, connection: Connection) -> None:
        """Remove a connection that is closed."""
        watched = self._tokens.get(token)
        if watched is None or connection not in watched.connections:
            return
        watched.connections.remove(connection)
        watched.refused.discard(connection)
        worker_id = watched.worker.worker_id
        self._open[worker_id] -= 1
        if not self._open[worker_id]:
            del self._open[worker_id]
        if not watched.connections:
            del self._tokens[token]

    def stop(self) -> None:
        """Stop checking."""
        if self._watcher is not None:
            self._watcher.kill(block=False)

    def on_recheck(self, event: Event) -> None:
        """Check the tokens that an event of the log concerns, in the background."""
        if event.recheck:
            gevent.spawn(runtime.bind(self.recheck), *event.recheck)

    def recheck(self, kind: str, record_id: ObjectId) -> None:
        """Check the tokens of a changed worker (`Worker`), or of a changed `Role`."""
        self._changes += 1
        concerned = []
        for watched in self._tokens.values():
            if watched.worker.depends_on(kind, record_id):
                watched.checked = UNCHECKED  # in case the store does not respond now
                concerned.append(watched)
        try:
            self._check_together(concerned)
        except PyMongoError as error:  # the watch tries again
            log.warning(CHECK_FAILED, error)

    def recheck_all(self) -> None:
        """Let the watch check all tokens: changes may have been missed."""
        self._changes += 1
        for watched in self._tokens.values():
            watched.checked = UNCHECKED

    def _checked(self, token: str) -> WatchedToken:
        """Look a token up, also for the connections that hold it already."""
        worker, checked = self._look_up(token)
        watched = self._tokens.get(token)
        if watched is None:
            age = random.uniform(0, MAX_FIRST_AGE) * RECHECK_INTERVAL_S
            return WatchedToken(token, worker, checked - age)
        _renew(watched, worker, checked)
        return watched

    def _look_up(self, token: str) -> tuple[Identity, float]:
        """Return the worker of a token, and when that was so.

        Connections that open with one token at once share one lookup.
        """
        running = self._lookups.get(token)
        if running is not None:
            found: tuple[Identity, float] = running.get()
            return found
        outcome = self._lookups[token] = AsyncResult()
        changes, now = self._changes, time.monotonic()
        try:
            with pymongo.timeout(deadlines.REQUEST_TIMEOUT_S):
                worker = identify(token)
        except Exception as error:
            outcome.set_exception(error)
            raise
        else:
            checked = now if changes == self._changes else UNCHECKED
            outcome.set((worker, checked))
            return worker, checked
        finally:
            del self._lookups[token]
            if not outcome.ready():  # this greenlet was killed
                outcome.set_exception(ConnectionFailure("a lookup was cancelled"))

    def _check_together(self, tokens: Sequence[WatchedToken]) -> None:
        """Check tokens, with one read for all their workers and one for the roles."""
        with pymongo.timeout(deadlines.REQUEST_TIMEOUT_S):
            preload(one.worker for one in tokens)
        for watched in tokens:
            self._check(watched)

    def _check(self, watched: WatchedToken) -> None:
        """Check a token, and adapt or end its connections."""
        try:
            worker, checked = self._look_up(watched.token)
        except (Unauthenticated, PasswordChangeRequired):
            _refuse(watched)
        else:
            _renew(watched, worker, checked)

    def _watch(self) -> None:
        while True:
            gevent.sleep(WATCH_INTERVAL_S)
            try:
                self._check_all()
            except PyMongoError as error:  # try again at the next interval
                log.warning(CHECK_FAILED, error)
            except Exception:
                log.exception("could not check the open connections")

    def _check_all(self) -> None:
        """End expired tokens, and check those that were checked too long ago."""
        for watched in list(self._tokens.values()):
            if watched.worker.expires_at <= time.time():
                _refuse(watched)
        latest = time.monotonic() - RECHECK_INTERVAL_S
        oldest = sorted(self._tokens.values(), key=attrgetter("checked"))
        if oldest and oldest[0].checked <= latest:
            soon = latest + RECHECK_TOGETHER_S
            due = [one for one in oldest[:MAX_RECHECKS] if one.checked <= soon]
            self._check_together(due)


def _renew(watched: WatchedToken, worker: Identity, checked: float) -> None:
    before, watched.worker, watched.checked = watched.worker, worker, checked
    if worker != before:
        for connection in list(watched.connections):
            connection.renew(worker)


def _refuse(watched: WatchedToken) -> None:
    for connection in list(watched.connections):
        if connection not in watched.refused:
            watched.refused.add(connection)
            metrics.hung_up.labels("token").inc()
        connection.refuse()
