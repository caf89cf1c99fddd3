"""Device sessions: who has identified on which shared device, until they leave it.

A session belongs to one login of a device's account: its browser session, or its token.
Tokens carry the session's id; a session that is ended is revoked on its worker, as browser
sessions are.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bson import ObjectId
from mongoengine.connection import get_db

from glassflow.core.process import clock
from glassflow.core.store import ttl_indexes

COLLECTION = "device_sessions"


@dataclass(frozen=True, slots=True)
class DeviceSession:
    """A worker on a device; `login` identifies the login of the device's account."""

    id: str
    worker_id: ObjectId
    device_id: ObjectId
    login: str
    expires_at: datetime


def ensure() -> None:
    """Create the TTL index that removes expired sessions, and those of the queries."""
    ttl_indexes.ensure(COLLECTION, "expiresAt", 0)
    for field in ("login", "worker"):
        get_db()[COLLECTION].create_index(field)


def start(
    *, worker_id: ObjectId, device_id: ObjectId, login: str, expires_at: datetime
) -> DeviceSession:
    """Store a new session, inside a unit of work."""
    session = DeviceSession(
        secrets.token_urlsafe(16), worker_id, device_id, login, expires_at
    )
    row = {
        "_id": session.id,
        "worker": worker_id,
        "device": device_id,
        "login": login,
        "startedAt": clock.now(),
        "expiresAt": expires_at,
    }
    get_db()[COLLECTION].insert_one(row)
    return session


def of_login(login: str) -> list[DeviceSession]:
    """Return the sessions on a device that have not been ended."""
    return _find({"login": login})


def of_worker(worker_id: ObjectId) -> list[DeviceSession]:
    """Return the sessions of a worker on all devices that have not been ended."""
    return _find({"worker": worker_id})


def end(session_id: str) -> None:
    """Remove a session; the caller revokes its id."""
    get_db()[COLLECTION].delete_one({"_id": session_id})


def _find(query: Mapping[str, Any]) -> list[DeviceSession]:
    rows = get_db()[COLLECTION].find({**query, "expiresAt": {"$gt": clock.now()}})
    return [
        DeviceSession(
            row["_id"], row["worker"], row["device"], row["login"], row["expiresAt"]
        )
        for row in rows
    ]
