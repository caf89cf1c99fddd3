"""What is known of logins: from where they were made, and when they were last used.

A login is a browser session, a token of `POST /api/auth/login`, a session on a shared
device, or an API key. This is information for those who look at their sessions: whether a
login is accepted is decided by its worker's record alone.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from bson import ObjectId
from cachetools import TTLCache
from mongoengine.connection import get_db
from pymongo.errors import PyMongoError

from glassflow.core.process import clock
from glassflow.core.store import ttl_indexes

log = logging.getLogger(__name__)

COLLECTION = "logins"
SEEN_INTERVAL_S = 3600.0  # between two writes that a login is still used
MAX_SEEN = 10_000  # logins whose last write is remembered
MAX_AGENT = 200  # characters

# The logins whose use this process has stored within the interval.
_seen: TTLCache[str, None] = TTLCache(MAX_SEEN, SEEN_INTERVAL_S)


class LoginKind(StrEnum):
    """How a login was made."""

    BROWSER = "browser"
    TOKEN = "token"
    DEVICE = "device"
    API_KEY = "api_key"


@dataclass(frozen=True, slots=True)
class Client:
    """From where a login is made: the address and what the program calls itself."""

    address: str = ""
    agent: str = ""


def ensure() -> None:
    """Create the TTL index that removes expired logins, and that of the query."""
    ttl_indexes.ensure(COLLECTION, "expiresAt", 0)
    get_db()[COLLECTION].create_index("worker")


def store_login(
    login_id: str,
    worker_id: ObjectId,
    kind: LoginKind,
    *,
    client: Client,
    started_at: datetime,
    expires_at: datetime | None,
    device: tuple[ObjectId, str] | None = None,
) -> None:
    """Store a login, or that it lasts longer; the times are UTC.

    `device` is the account of a shared device and the login there.
    """
    row: dict[str, Any] = {
        "worker": worker_id,
        "kind": str(kind),
        "address": client.address,
        "agent": client.agent[:MAX_AGENT],
        "startedAt": started_at,
        "lastSeenAt": None if kind is LoginKind.API_KEY else clock.now(),
        "expiresAt": expires_at,
    }
    if device is not None:
        row |= {"device": device[0], "deviceLogin": device[1]}
    get_db()[COLLECTION].replace_one({"_id": login_id}, row, upsert=True)


def seen(login_id: str, *, is_new: bool) -> None:
    """Store that a login is in use, once in `SEEN_INTERVAL_S` in each process.

    `is_new` tells that it was made just now, which is stored already. A fault of the
    store is logged and refuses nothing.
    """
    if login_id in _seen:
        return
    _seen[login_id] = None
    if is_new:
        return
    try:
        get_db()[COLLECTION].update_one(
            {"_id": login_id}, {"$set": {"lastSeenAt": clock.now()}}
        )
    except PyMongoError as error:
        log.warning("cannot store when a login was last used: %s", error)


def of_worker(worker_id: ObjectId) -> list[dict[str, Any]]:
    """Return the stored logins of a worker that have not expired, the newest first."""
    query = {"worker": worker_id, "kind": {"$ne": str(LoginKind.API_KEY)}}
    rows = get_db()[COLLECTION].find(query).sort([("startedAt", -1), ("_id", 1)])
    now = clock.now()
    return [row for row in rows if row["expiresAt"] is None or row["expiresAt"] > now]


def newest_start(account_id: ObjectId) -> datetime | None:
    """Return when the newest login of a worker, or on a shared device, began; None if none."""
    query = {"$or": [{"worker": account_id}, {"device": account_id}]}
    rows = get_db()[COLLECTION].find(query, {"startedAt": 1})
    found = next(iter(rows.sort("startedAt", -1).limit(1)), None)
    return found["startedAt"] if found else None


def find(login_id: str, worker_id: ObjectId) -> dict[str, Any] | None:
    """Return a stored login of a worker; None if they have no such login."""
    return get_db()[COLLECTION].find_one({"_id": login_id, "worker": worker_id})


def last_seen(login_ids: Iterable[str]) -> dict[str, datetime]:
    """Return when each of these logins was last used, without those that were not."""
    query = {"_id": {"$in": list(login_ids)}, "lastSeenAt": {"$ne": None}}
    rows = get_db()[COLLECTION].find(query, {"lastSeenAt": 1})
    return {row["_id"]: row["lastSeenAt"] for row in rows}


def end(*login_ids: str) -> None:
    """Remove logins; the caller makes sure that they are not accepted any more."""
    get_db()[COLLECTION].delete_many({"_id": {"$in": list(login_ids)}})


def forget(worker_ids: Sequence[ObjectId]) -> None:
    """Remove all logins of workers who are deleted."""
    get_db()[COLLECTION].delete_many({"worker": {"$in": list(worker_ids)}})
