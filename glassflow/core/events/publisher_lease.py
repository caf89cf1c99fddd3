"""The right to publish the outbox: a lease in the store, held by one process at a time.

Several processes that publish everything conflict with each other, and do the same work
several times. So only the holder of the lease publishes; the others leave their batches
in the outbox. The lease keeps publishing efficient, not correct: numbers and events are
stored in transactions, so two holders (after a long pause of a process, or with clocks
that differ) retry and repeat nothing.

A process that is killed inside a transaction keeps its documents locked until the store
aborts the transaction, after one minute by MongoDB's default. For the counter of the
event log that would stop every screen. So the lease names the session in which its
holder publishes, and a process that takes the lease over kills that session.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import cached_property
from typing import Any

from bson import Binary
from bson.binary import UUID_SUBTYPE
from mongoengine.connection import get_connection, get_db
from pymongo.client_session import ClientSession
from pymongo.errors import PyMongoError

from glassflow.core.process import clock, deadlines
from glassflow.core.store import lease
from glassflow.core.store.connection import StoreCollection
from glassflow.core.store.unit_of_work import in_session

log = logging.getLogger(__name__)

COLLECTION = "publishers"
LEASE = {"_id": "lease"}
RENEW_AFTER_S = 1.0
MAX_SESSION_AGE_S = 3600.0


class PublisherLease:
    """One publisher's view of the lease, and the session in which it publishes.

    `on_taken` is called when the lease has become ours: another process may have
    published meanwhile. Not for several greenlets at once.
    """

    def __init__(self, *, on_taken: Callable[[], None] = lambda: None) -> None:
        self._on_taken = on_taken
        self._session: ClientSession | None = None
        self._session_started = 0.0
        self._renewed = float("-inf")
        # What has to be killed: the session of the holder before, and one that failed.
        self._to_kill = ""
        self._failed: ClientSession | None = None

    @cached_property
    def _owner(self) -> str:  # not before a fork
        return lease.new_owner()

    def hold(self) -> bool:
        """Take the lease if it is free, renew it if it is due; return whether we hold it.

        A returned True holds for `PUBLISHER_LEASE_S` less `RENEW_AFTER_S` at least.
        Raises `PyMongoError` when the store is away.
        """
        if self._session is None or time.monotonic() - self._renewed > RENEW_AFTER_S:
            if not self._take_or_renew():
                return False
            self._renewed = time.monotonic()
        self._kill_previous_session()
        return True

    @property
    def is_held(self) -> bool:
        """Whether this process held the lease when it last asked the store."""
        return self._session is not None

    def release(self) -> None:
        """Give the lease up, so that another process need not wait for its end.

        After a failed attempt too, whose session may still have a transaction open: if
        it cannot be killed now, the next holder kills it.
        """
        if self._session is None and self._failed is None:
            return
        with suppress(PyMongoError):  # it ends by itself
            self._kill_previous_session()
        values: dict[str, Any] = {"until": clock.now()}
        if self._failed is None:
            values |= {"session": ""}
        with suppress(PyMongoError):
            mine = {**LEASE, "owner": self._owner}
            self._collection().update_one(mine, {"$set": values})
        self._end_session()

    @contextmanager
    def session(self) -> Iterator[None]:
        """Run the units of work of the block in the session that the lease names.

        Only while the lease is held. After an error the next `hold` names a new session.
        """
        if self._session is None:
            raise RuntimeError("the lease is not held")
        try:
            with in_session(self._session):
                yield
        except BaseException:
            # Not back to the driver's pool before its transaction has been killed: its id
            # would belong to another unit of work by then.
            self._failed, self._session = self._session, None
            raise

    def _take_or_renew(self) -> bool:
        row = self._collection().find_one(LEASE)
        if row and not self._may_take(row):
            self._end_session()
            return False
        if time.monotonic() - self._session_started > MAX_SESSION_AGE_S:
            self._end_session()
        session = self._session or self._start_session()
        if not self._store(row, session):
            self._end_session()
            return False
        if row is None or row["owner"] != self._owner:
            self._on_taken()
        if row and row["session"] and row["owner"] != self._owner:
            # after a kill or a crash on this machine it is the usual start
            level = logging.INFO if lease.is_dead(row["owner"]) else logging.WARNING
            log.log(level, "Took over publishing from %s, which has gone", row["owner"])
            self._to_kill = row["session"]
        return True

    def _may_take(self, row: Mapping[str, Any]) -> bool:
        """Return whether the lease is ours, or its holder is gone."""
        return row["owner"] == self._owner or lease.has_ended(row, _duration())

    def _store(self, row: Mapping[str, Any] | None, session: ClientSession) -> bool:
        """Store the lease as ours, unless another process has changed it since `row`."""
        until = clock.now() + _duration()
        values = {"owner": self._owner, "session": _hex_id(session), "until": until}
        return lease.store(self._collection(), row, LEASE | values)

    def _kill_previous_session(self) -> None:
        """End a transaction that a dead process, or a failed attempt, has left open."""
        if self._to_kill:
            _kill(self._to_kill)
            self._to_kill = ""
        if self._failed is not None:
            _kill(_hex_id(self._failed))
            self._failed.end_session()
            self._failed = None

    def _start_session(self) -> ClientSession:
        client = get_connection()
        self._session = client.start_session()
        self._session_started = time.monotonic()
        return self._session

    def _end_session(self) -> None:
        if self._session is not None:
            self._session.end_session()
            self._session = None

    @staticmethod
    def _collection() -> StoreCollection:
        return get_db()[COLLECTION]


def holder() -> str | None:
    """Return the process that publishes, and so a service that uses the store, if any."""
    row = get_db()[COLLECTION].find_one(LEASE)
    return row["owner"] if row and not lease.has_ended(row, _duration()) else None


def write_probe() -> None:
    """Write a document of no meaning; raises `PyMongoError` if the store does not."""
    probe = get_db()[COLLECTION]
    probe.update_one({"_id": "probe"}, {"$set": {"at": clock.now()}}, upsert=True)


def _duration() -> timedelta:
    return timedelta(seconds=deadlines.PUBLISHER_LEASE_S)


def _kill(session_id: str) -> None:
    session = {"id": Binary(bytes.fromhex(session_id), UUID_SUBTYPE)}
    client = get_connection()
    client.admin.command("killSessions", [session])


def _hex_id(session: ClientSession) -> str:
    """Return the store's id of a session, as hexadecimal digits."""
    return bytes(session.session_id["id"]).hex()
