"""Identify on a shared device, with a badge or a PIN: a token of the worker for this device.

A device has one person at a time: who identifies ends the session of whoever did before.
The account of the device stays logged in; with its login all sessions on it end.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.access import device_sessions, logins
from glassflow.core.access.device_sessions import DeviceSession
from glassflow.core.access.logins import Client, LoginKind
from glassflow.core.identity import Identity
from glassflow.core.process import clock, metrics
from glassflow.core.store import locks
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.errors import Forbidden, Refusal, Unauthenticated
from glassflow.models.role import Role
from glassflow.models.worker import Worker
from glassflow.services import records
from glassflow.services.auth import badges, grants, identity, passwords, pin_failures


@dataclass(frozen=True, slots=True)
class DeviceLogin:
    """A worker's token for one device, for how many seconds it is valid, and their keys."""

    token: str
    lifetime_s: float
    worker: dict[str, Any]
    keys: frozenset[str]


def list_people(device: Identity) -> list[dict[str, Any]]:
    """Return `{_id, name}` of the active workers who have a PIN, by name.

    Raises `Forbidden` for an account that is no shared device.
    """
    require_device(device)
    query = {"isActive": True, "pinSetAt": {"$ne": None}}
    found = Worker.collection().find(query, {"name": 1}).sort("name", 1)
    return list(found)


def require_device(actor: Identity) -> None:
    """Raise `Forbidden` for a caller who is not the account of a shared device."""
    if not actor.is_device:
        raise Forbidden()


@metrics.counted(metrics.logins, "badge")
def identify_by_badge(*, code: str, device: Identity, client: Client) -> DeviceLogin:
    """Return the token of the worker whose badge this is.

    Raises `Refusal` for a badge that is unknown or replaced, or of a worker who is
    deactivated, and `Unauthenticated` if the device is logged out meanwhile.
    """
    require_device(device)
    refused = Refusal(texts.BADGE_REFUSED, code="BADGE_REFUSED")
    found = badges.find_worker(code)
    if found is None:
        raise refused
    return _begin(found, "badgeDigest", device, client, refused)


@metrics.counted(metrics.logins, "pin")
def identify_by_pin(
    *, worker_id: ObjectId, pin: str, device: Identity, client: Client
) -> DeviceLogin:
    """Return the token of the worker whose PIN this is.

    Raises `Refusal` for a wrong PIN, with the same message and after the same time for a
    worker who has none, and for a PIN that is locked, for good or for the day; otherwise
    as `identify_by_badge`.
    """
    require_device(device)
    refused = Refusal(texts.PIN_REFUSED, code="PIN_REFUSED")
    found = _count_attempt(worker_id)
    today = pin_failures.count(worker_id) if found else 0
    stored = found["pinHash"] if found else None
    matches = passwords.matches(pin, stored)
    if found:
        pin_failures.require_unlocked(found, today)
    if found is None:
        raise refused
    if not matches:
        pin_failures.notify_if_locked(found, today)
        raise refused
    login = _begin(found, "pinHash", device, client, refused)
    Worker.collection().update_one(
        {"_id": worker_id, "pinHash": stored}, {"$set": {"pinFailures": 0}}
    )
    pin_failures.take_back(worker_id)
    return login


def _count_attempt(worker_id: ObjectId) -> dict[str, Any] | None:
    """Count a failure before the PIN is read, so that attempts at once all count."""
    return Worker.collection().find_one_and_update(
        {"_id": worker_id, "pinHash": {"$ne": None}},
        {"$inc": {"pinFailures": 1}},
        return_document=True,
    )


@unit_of_work
def _begin(
    proven: Raw, proof: str, device: Identity, client: Client, refused: Refusal
) -> DeviceLogin:
    """End the session of who was here, and start that of a worker.

    `proof` is the stored field that the worker has matched; raises `refused` where it has
    changed since, for a worker who is deactivated and for an account that is no person.
    """
    now = clock.now()  # before the worker is read: what ends their tokens ends this one
    account, role = _read_device(device)
    for earlier in device_sessions.of_login(device.login):
        _end(earlier)
    worker = locks.touch_and_read(Worker, proven["_id"])
    is_same = worker is not None and worker.get(proof) == proven[proof]
    if worker is None or not is_same or not worker.get("isActive", True):
        raise refused
    own = Role.collection().find_one({"_id": worker["role"]}) or {}
    if grants.is_account(own):
        raise refused
    start = identity.start_of_login(now, worker, account)
    lifetime_s = _lifetime_s(device, now)
    session = device_sessions.start(
        worker_id=worker["_id"],
        device_id=device.worker_id,
        login=device.login,
        expires_at=now + timedelta(seconds=lifetime_s),
    )
    logins.store_login(
        session.id,
        worker["_id"],
        LoginKind.DEVICE,
        client=client,
        started_at=start,
        expires_at=session.expires_at,
        device=(device.worker_id, device.login),
    )
    token = runtime.current().tokens.issue(
        worker["_id"],
        session_id=session.id,
        login_start=start,
        lifetime_s=lifetime_s,
        device=(device.worker_id, device.login),
    )
    return DeviceLogin(
        token, lifetime_s, dict(worker), grants.keys_on_device(own, role)
    )


def _end(session: DeviceSession) -> None:
    person = Worker.find_one({"_id": session.worker_id})
    if person is None:  # deleted, which has ended their tokens
        device_sessions.end(session.id)
        logins.end(session.id)
        return
    identity.end_login(person, session.id, session.expires_at)
    records.store(person)


def _read_device(device: Identity) -> tuple[Raw, Raw]:
    """Return the account and the role of a device, read inside the unit.

    Raises `Unauthenticated` where its login has ended.

    Of two who identify at once on one device, and of a logout at the same time, one
    repeats and sees what the other has stored.
    """
    account = locks.touch_and_read(Worker, device.worker_id)
    issued = {"since": device.login_start}
    if account is None or not identity.is_accepted(account, device.login, issued):
        raise Unauthenticated(texts.TOKEN_REFUSED)
    role: Raw = Role.collection().find_one({"_id": account["role"]}) or {}
    if not grants.is_device(role):
        raise Forbidden()
    return account, role


def _lifetime_s(device: Identity, now: datetime) -> float:
    """Return how long the token is valid, in seconds.

    No longer than the device's end is remembered: that of a browser session for longer
    than a page token lasts, that of a single token until it expires.
    """
    longest: float = min(
        identity.PAGE_TOKEN_LIFETIME_S, runtime.current().tokens.lifetime_s
    )
    if device.session_id:
        return longest
    return max(1.0, min(longest, device.expires_at - clock.epoch_s(now)))
