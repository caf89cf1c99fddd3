"""Log in, log out, and change one's own record."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from glassflow import runtime
from glassflow.core.access import logins
from glassflow.core.access.logins import Client, LoginKind
from glassflow.core.identity import Identity
from glassflow.core.process import clock, metrics
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import FieldFault, Forbidden, Invalid, Unauthenticated
from glassflow.domain.unicode_text import as_username
from glassflow.domain.usernames import require_one_script
from glassflow.models.worker import Worker
from glassflow.services import records
from glassflow.services.auth import passwords
from glassflow.services.auth.identity import (
    digest,
    invalidate_tokens,
    issue,
    revoke,
    start_of_login,
)
from glassflow.services.records.populate import populate
from glassflow.services.records.serialization import to_wire


def log_in(
    *, username: str, password: str, client: Client
) -> tuple[str, dict[str, Any]]:
    """Return a token and the worker's stored form; raises as `authenticate`."""
    now = clock.now()  # before the password is read: a new one ends this token too
    worker = authenticate(username, password)
    start = start_of_login(now, worker)
    token = issue(worker["_id"], start)
    logins.store_login(
        digest(token),
        worker["_id"],
        LoginKind.TOKEN,
        client=client,
        started_at=start,
        expires_at=now + timedelta(seconds=runtime.current().tokens.lifetime_s),
    )
    return token, worker


@metrics.counted(metrics.logins, "password")
def authenticate(username: str, password: str) -> dict[str, Any]:
    """Return the stored form of the worker whose password this is.

    Raises `Unauthenticated`, with the same message and after the same time whether the
    username is unknown, the password wrong or the worker deactivated.
    """
    worker: dict[str, Any] | None = Worker.collection().find_one(
        {"username": as_username(username)}
    )
    stored = worker.get("passwordHash") if worker else None
    matches = passwords.matches(password, stored)
    if worker is None or not matches or not worker.get("isActive", True):
        raise Unauthenticated(texts.LOGIN_REFUSED)
    return worker


@unit_of_work
def log_out(*, actor: Identity) -> None:
    """Revoke the token that the caller uses, which closes the sockets opened with it.

    With a page token, the browser session ends. Raises `Forbidden` for an API key, which
    is revoked instead.
    """
    require_no_api_key(actor)
    worker = records.load(Worker, actor.worker_id)
    revoke(worker, actor)
    records.store(worker)


def update_me(*, values: Mapping[str, Any], actor: Identity) -> Worker:
    """Change one's own name, username, password or notification preferences.

    What `needs_current_password` needs `current_password`; a new password invalidates all
    other tokens. Raises `Invalid` when it is missing or wrong, and for a password or a
    username that is not allowed, and `Forbidden` for an API key.
    """
    require_no_api_key(actor)
    values = dict(values)
    needs_proof = needs_current_password(values, actor)
    current = values.pop("current_password", None)
    password = values.pop("password", None)
    proven = require_current_password(actor, current) if needs_proof else None
    if password is None:
        return _update_me(values, None, actor, proven)
    name = values.get("username") or username_of(actor)
    passwords.require_allowed(password, name)
    if actor.must_change_password and password == current:
        fault: FieldFault = {"field": "password", "message": texts.PASSWORD_SAME}
        raise Invalid([fault])
    return _update_me(values, passwords.hash_password(password), actor, proven)


def needs_current_password(values: Mapping[str, Any], actor: Identity) -> bool:
    """Return whether these changes of one's own record need the current password.

    A new password does, and on a shared device, which others stand at too, all that is
    more than a preference.
    """
    if "password" in values:
        return True
    on_device = actor.is_device or actor.device_id is not None
    return on_device and not values.keys() <= {"notification_preferences"}


def require_no_api_key(actor: Identity) -> None:
    """Raise `Forbidden` for an API key: accounts are for those who have logged in."""
    if actor.api_key:
        raise Forbidden()


def require_own_login(actor: Identity) -> None:
    """Raise `Forbidden` unless a person has logged in on a device of their own."""
    if not actor.is_own_login:
        raise Forbidden()


def username_of(actor: Identity) -> str:
    """Return the caller's username as it is stored."""
    return str(records.read_raw(Worker, actor.worker_id)["username"])


def require_current_password(actor: Identity, password: str | None) -> str:
    """Return the stored hash of the caller's password; raises `Invalid` for another one.

    Slow, as `passwords` says, so not inside a transaction: pass what it returns to
    `require_still_proven` there.
    """
    stored: str | None = records.read_raw(Worker, actor.worker_id).get("passwordHash")
    if not password or stored is None or not passwords.matches(password, stored):
        raise _wrong_current_password()
    return stored


def require_still_proven(worker: Worker, proven: str | None) -> None:
    """Raise `Invalid` if a worker's password has changed since it was proven.

    Otherwise who knows an old password could undo a reset that happens meanwhile. `proven`
    is the hash that was compared; None where no password was asked for.
    """
    if proven is not None and worker.password_hash != proven:
        raise _wrong_current_password()


def _wrong_current_password() -> Invalid:
    fault = texts.CURRENT_PASSWORD_WRONG
    return Invalid([{"field": "currentPassword", "message": fault}])


@unit_of_work
def _update_me(
    values: Mapping[str, Any],
    password_hash: str | None,
    actor: Identity,
    proven: str | None,
) -> Worker:
    worker = records.load(Worker, actor.worker_id)
    require_still_proven(worker, proven)
    if values.get("username", worker.username) != worker.username:
        require_one_script(values["username"])
    records.apply_changes(worker, values)
    if password_hash is not None:
        worker.password_hash = password_hash
        worker.password_change_required = False
        invalidate_tokens(worker, keep=actor)
    records.store(worker)
    return worker


def own_record(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the wire form of a worker's own record with their role.

    It needs no key (interface).
    """
    row: dict[str, Any] = to_wire(Worker, raw)
    populate(Worker, [row], "role", may=lambda key: True)
    return row
