"""The sessions in which processes publish, written down for their neighbours.

A process that is killed in a transaction keeps its documents from everybody until the
store lets the transaction lapse: after a minute, as MongoDB is delivered. Mostly that is
one pane; of the counter of the event log it would be every screen. So each process
publishes in a session that is written down, and whoever is kept from publishing ends
the transactions of all others. The living repeat theirs.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from bson import Binary
from bson.binary import UUID_SUBTYPE
from mongoengine.connection import get_connection, get_db
from pymongo.client_session import ClientSession

from glassflow.core import clock
from glassflow.core.unit_of_work import in_session

log = logging.getLogger(__name__)

COLLECTION = "publishers"
RENEWED = timedelta(hours=1)
KEPT = timedelta(days=1)


def ensure() -> None:
    """Make the index by which sessions of processes long gone are forgotten."""
    seconds = int(KEPT.total_seconds())
    get_db()[COLLECTION].create_index("at", expireAfterSeconds=seconds)


class Publishing:
    """The session in which this process publishes; for one greenlet at a time."""

    def __init__(self) -> None:
        self._session: ClientSession | None = None
        self._since: datetime = clock.now()

    @contextmanager
    def session(self) -> Iterator[None]:
        """Run the units of work of the block in that session.

        After a failure the next block has another one.
        """
        if self._session is None or clock.now() - self._since > RENEWED:
            self._begin()
        assert self._session is not None
        try:
            with in_session(self._session):
                yield
        except BaseException:
            self._end()
            raise

    def end_others(self) -> None:
        """End the transactions of all other publishers; raises `PyMongoError`."""
        mine = _name(self._session) if self._session else ""
        rows = get_db()[COLLECTION].find({"_id": {"$ne": mine}}, {"_id": 1})
        others = [
            {"id": Binary(bytes.fromhex(row["_id"]), UUID_SUBTYPE)} for row in rows
        ]
        if others:
            log.warning("ending the transactions of %d other publishers", len(others))
            client: Any = get_connection()
            client.admin.command("killSessions", others)

    def _begin(self) -> None:
        self._end()
        client: Any = get_connection()
        session = client.start_session()
        self._since = clock.now()
        get_db()[COLLECTION].update_one(
            {"_id": _name(session)},
            {"$set": {"at": self._since}},
            upsert=True,
        )
        self._session = session

    def _end(self) -> None:
        if self._session is not None:
            self._session.end_session()
            self._session = None


def _name(session: ClientSession) -> str:
    """Give the store's name of a session, as hexadecimal digits."""
    return bytes(session.session_id["id"]).hex()
