"""Who is behind a token, at every request and socket handshake.

`web/tokens.py` signs and verifies the tokens; this file knows which of them are revoked
and what their workers may do.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.access import browser_sessions, device_sessions, logins
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.domain.unicode_text import as_username
from glassflow.models.worker import Worker
from glassflow.services.auth import grants
from glassflow.services.records import caches

PAGE_TOKEN_LIFETIME_S = 12 * 3600  # of the tokens that a browser session issues
# How long after the end of a session a page token may still be issued, by a request that
# had found it before.
LATE_ISSUE_S = 3600
CLOCKS_DIFFER = timedelta(minutes=1)  # at most, those of the processes


def issue(worker_id: ObjectId, login_start: datetime | None = None) -> str:
    """Return a signed token for a worker who has been authenticated.

    `login_start` is when the login began (UTC), by default now.
    """
    return runtime.current().tokens.issue(worker_id, login_start=login_start)


def start_of_login(now: datetime, *accounts: Mapping[str, Any]) -> datetime:
    """Return when a login begins that these accounts, in stored form, accept.

    `now` is a time before they were read. It begins later where an account has ended its
    tokens at a later time: the clock was ahead then, and has been put back since.
    """
    ends: list[datetime | None] = [one.get("tokensValidFrom") for one in accounts]
    return max([now, *(end for end in ends if end)])


def _login_start(claims: Mapping[str, Any]) -> float:
    """Return when the login of a token began, in epoch seconds."""
    start: float = claims.get("since", claims.get("iat", 0.0))
    return start


def digest(token: str) -> str:
    """Return an identifier of a token for the list of revoked tokens."""
    return hashlib.sha256(token.encode()).hexdigest()[:32]


def identify(token: str) -> Identity:
    """Return the identity behind a token; worker and role are cached for a short time.

    Raises `Unauthenticated` for a token that is malformed, expired or revoked, and for
    a worker who is deleted or deactivated.
    """
    found: Identity = runtime.current().tokens.identify(token)
    return found


def preload(identities: Iterable[Identity]) -> None:
    """Read the workers and roles of identities, in two round trips at most.

    To identify their tokens right after it reads nothing more.
    """
    known = list(identities)
    ids = {one.worker_id for one in known}
    ids.update(one.device_id for one in known if one.device_id)
    workers = caches.WORKERS.get_all(ids)
    # as they are now: a worker may have got another role
    caches.ROLES.get_all({worker["role"] for worker in workers.values()})


def read_worker(worker_id: Any) -> Mapping[str, Any] | None:
    """Return the worker whom a token names, cached; None if there is none."""
    if not isinstance(worker_id, str) or not ObjectId.is_valid(worker_id):
        return None
    return caches.WORKERS.get(ObjectId(worker_id))


def of_username(username: str) -> Identity | None:
    """Return the identity of an active worker, without a token; None if there is none."""
    found = Worker.find_one({"username": as_username(username)})
    if found is None or not found.is_active:
        return None
    return identity_of(found.to_mongo(), "", 0.0)


def of_worker(worker_id: ObjectId | None) -> Identity | None:
    """Return the identity of an active worker, who is cached; None if there is none."""
    found = caches.WORKERS.get(worker_id) if worker_id else None
    if found is None or not found.get("isActive", True):
        return None
    return identity_of(found, "", 0.0)


def identity_of(
    worker: Mapping[str, Any],
    token_digest: str,
    expires_at: float,
    claims: Mapping[str, Any] | None = None,
    device: Mapping[str, Any] | None = None,
) -> Identity:
    """Return the identity of a worker, with the keys of their role, which is cached.

    `expires_at` is when the token stops being accepted, in epoch seconds; `claims` are
    the token's. `device` is the account of the shared device on which the worker has
    identified, if it is such a token.
    """
    claims = claims or {}
    role = caches.ROLES.get(worker["role"]) or {}
    keys = grants.keys_of_role(role)
    if device is not None:
        device_role = caches.ROLES.get(device["role"]) or {}
        keys = grants.keys_on_device(role, device_role)
    return Identity(
        worker_id=worker["_id"],
        name=worker["name"],
        role_id=worker["role"],
        keys=keys,
        scan_stations=grants.scan_stations(role),
        token_digest=token_digest,
        expires_at=expires_at,
        session_id=claims.get("sid", ""),
        login_start=_login_start(claims),
        is_device=device is None and grants.is_device(role),
        device_id=device["_id"] if device else None,
        must_change_password=device is None
        and bool(worker.get("passwordChangeRequired")),
        device_role_id=device["role"] if device else None,
        device_station=device.get("station") if device else None,
    )


def identity_of_key(
    worker: Mapping[str, Any], key: Mapping[str, Any], digest: str
) -> Identity:
    """Return the identity of a worker whose API key this is, in stored form.

    It has the keys that the worker's role and the scopes both allow, now.
    """
    role = caches.ROLES.get(worker["role"]) or {}
    end: datetime | None = key["expiresAt"]
    return Identity(
        worker_id=worker["_id"],
        name=worker["name"],
        role_id=worker["role"],
        keys=grants.keys_within(grants.keys_of_role(role), key["scopes"]),
        scan_stations=grants.scan_stations(role),
        token_digest=digest,
        expires_at=math.inf if end is None else clock.epoch_s(end),
        api_key=key["prefix"],
    )


def is_accepted_on_device(
    device: Mapping[str, Any] | None, claims: Mapping[str, Any]
) -> bool:
    """Return whether the login on which a worker has identified is still accepted.

    `claims` are those of the worker's token. It ends with the login of the device, and
    when its account is deleted, deactivated or no device any more.
    """
    if device is None:
        return False
    role = caches.ROLES.get(device["role"]) or {}
    login = {"since": _login_start(claims)}
    return grants.is_device(role) and is_accepted(device, claims["login"], login)


def is_accepted(
    worker: Mapping[str, Any], token_digest: str, claims: Mapping[str, Any]
) -> bool:
    """Return whether the worker is active and has not revoked the token.

    A token of a browser session is revoked, and kept, by its own digest or with all
    tokens of its session.
    """
    if not worker.get("isActive", True):
        return False
    ids = {token_digest, claims.get("sid", token_digest)}
    revoked = worker.get("revokedTokens", ())
    if any(token["digest"] in ids for token in revoked):
        return False
    valid_from: datetime | None = worker.get("tokensValidFrom")
    if valid_from is None or worker.get("keptToken") in ids:
        return True
    return _login_start(claims) >= clock.epoch_s(valid_from)


def revoke(worker: Worker, identity: Identity) -> None:
    """Revoke the token of an identity until it expires; the caller saves the worker.

    With a page token the whole browser session ends.
    """
    if identity.session_id:
        end_session(worker, identity.session_id)
        return
    expires_at = datetime.fromtimestamp(identity.expires_at, UTC).replace(tzinfo=None)
    end_login(worker, identity.token_digest, expires_at)


def end_session(worker: Worker, session_id: str) -> None:
    """End a browser or device session, inside a unit of work; the caller saves the worker.

    Its id is revoked for as long as a page token of it can be valid.
    """
    browser_sessions.end(session_id)
    longest = timedelta(seconds=PAGE_TOKEN_LIFETIME_S + LATE_ISSUE_S)
    end_login(worker, session_id, clock.now() + longest)


def end_login(worker: Worker, login_id: str, expires_at: datetime) -> None:
    """End a token or device session, which is revoked until it expires; as `end_session`."""
    device_sessions.end(login_id)
    logins.end(login_id)
    _revoke(worker, login_id, expires_at + CLOCKS_DIFFER)


def end_on_devices(worker: Worker) -> None:
    """End the sessions of a worker on all shared devices; the caller saves the worker."""
    for session in device_sessions.of_worker(worker.pk):
        end_login(worker, session.id, session.expires_at)


def _revoke(worker: Worker, token_digest: str, expires_at: datetime) -> None:
    now = clock.now()
    unexpired = [t for t in worker.revoked_tokens if t["expiresAt"] > now]
    revoked = {"digest": token_digest, "expiresAt": expires_at}
    worker.revoked_tokens = [*unexpired, revoked]


def invalidate_tokens(worker: Worker, keep: Identity | None = None) -> None:
    """Invalidate all tokens and browser sessions of a worker, except one identity's.

    Also those of a clock that was ahead and has been put back. The caller saves the worker.
    """
    ends = [clock.now(), worker.tokens_valid_from, logins.newest_start(worker.pk)]
    end = max(one for one in ends if one)
    worker.tokens_valid_from = end + timedelta(milliseconds=1)
    worker.kept_token = (keep.session_id or keep.token_digest) if keep else None
