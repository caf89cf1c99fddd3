"""Browser sessions: which browsers are logged in, until they log out.

A browser holds the session's secret in a cookie. The store has only a digest of it, which
is the session's id, so nobody can log in with what the store contains. The digest depends
on JWT_SECRET: a new one ends all sessions, as it ends all tokens.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from bson import ObjectId
from mongoengine.connection import get_db

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.core.store import ttl_indexes

COLLECTION = "browser_sessions"
SECRET_BYTES = 32
IDLE_LIFETIME = timedelta(days=30)  # without a visit
# A session is stored a day longer than it has to last, so that only one visit a day
# writes it.
STORED_LIFETIME = IDLE_LIFETIME + timedelta(days=1)


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """A stored session; the times are UTC."""

    id: str
    worker_id: ObjectId
    started_at: datetime
    expires_at: datetime


def ensure() -> None:
    """Create the TTL index that removes expired sessions."""
    ttl_indexes.ensure(COLLECTION, "expiresAt", 0)


def start(worker_id: ObjectId, started_at: datetime) -> tuple[str, BrowserSession]:
    """Store a new session; return its secret, which is stored nowhere, and the session."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    session = BrowserSession(
        _digest(secret), worker_id, started_at, clock.now() + STORED_LIFETIME
    )
    row = {
        "_id": session.id,
        "worker": worker_id,
        "startedAt": started_at,
        "expiresAt": session.expires_at,
    }
    get_db()[COLLECTION].insert_one(row)
    return secret, session


def find(secret: str) -> BrowserSession | None:
    """Return the session of a secret; None if there is none, or it has expired."""
    # The store removes expired sessions later than they expire.
    query = {"_id": _digest(secret), "expiresAt": {"$gt": clock.now()}}
    row = get_db()[COLLECTION].find_one(query) if secret else None
    if row is None:
        return None
    return BrowserSession(row["_id"], row["worker"], row["startedAt"], row["expiresAt"])


def extend(session: BrowserSession) -> datetime | None:
    """Let a session last `IDLE_LIFETIME` from now on; most calls write nothing.

    Returns when it ends now, or None where nothing is written.
    """
    now = clock.now()
    if session.expires_at < now + IDLE_LIFETIME:
        end = now + STORED_LIFETIME
        later = {"$set": {"expiresAt": end}}
        get_db()[COLLECTION].update_one({"_id": session.id}, later)
        return end
    return None


def end(session_id: str) -> None:
    """Remove a session; its secret is accepted no more."""
    get_db()[COLLECTION].delete_one({"_id": session_id})


def _digest(secret: str) -> str:
    return runtime.current().tokens.fingerprint(secret)
