"""Workers: created and changed by workers who hold at least the same keys."""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import password_rules, texts
from glassflow.domain.errors import Forbidden, NotFound
from glassflow.domain.unicode_text import as_username
from glassflow.domain.usernames import require_one_script
from glassflow.models.worker import Worker
from glassflow.services import records
from glassflow.services.auth import api_keys, grants, passwords
from glassflow.services.auth.identity import invalidate_tokens
from glassflow.services.records import references


def create(
    *, model: type[Worker], values: Mapping[str, Any], actor: Identity
) -> Worker:
    """Create a worker.

    Raises `Forbidden` for a role that exceeds the actor's keys, and `Invalid` for a
    password or a username that is not allowed.
    """
    require_one_script(values["username"])
    return _create(_with_hash(values, values["username"]), actor)


@unit_of_work
def _create(values: Mapping[str, Any], actor: Identity) -> Worker:
    grants.lock_role_changes()
    references.require_exist(references.references_in(Worker, values))
    grants.require_covers_role(actor, values["role"])
    return records.create(model=Worker, values=values, actor=actor)


def update(
    *,
    model: type[Worker],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Worker:
    """Change a worker; a new password or deactivation ends their tokens and sockets.

    Raises `Forbidden` if the worker, or their new role, exceeds the actor's keys, and
    for a password as `grants.require_login_for_own`, and `Invalid` for a password or a
    username that is not allowed.
    """
    name = ""
    if values.get("password") is not None:
        grants.require_login_for_own(actor, record_id)
        name = values.get("username") or records.read_raw(Worker, record_id)["username"]
    return _update(record_id, _with_hash(values, name), actor)


@unit_of_work
def _update(record_id: ObjectId, values: Mapping[str, Any], actor: Identity) -> Worker:
    worker = records.load(Worker, record_id)
    references.require_exist(references.references_in(Worker, values))
    held = grants.keys_of(worker.role)
    grants.require_covers(actor, held)
    if values.get("role"):
        grants.lock_role_changes()
        grants.require_covers_role(actor, values["role"])
    if values.get("username", worker.username) != worker.username:
        require_one_script(values["username"])
    was_active = worker.is_active
    records.apply_changes(worker, values)
    if "password_hash" in values:
        worker.password_change_required = False
        invalidate_tokens(worker, keep=actor if actor.worker_id == worker.pk else None)
    if was_active and not worker.is_active:
        invalidate_tokens(worker)
        api_keys.revoke_all(worker)
    records.store(worker)
    if grants.EVERYTHING in held and not values.keys().isdisjoint(
        {"role", "is_active"}
    ):
        grants.require_admin_left()
    return worker


@unit_of_work
def log_out_everywhere(*, worker_id: ObjectId, actor: Identity) -> Worker:
    """End all tokens, sessions and sockets of a worker, as for a lost device.

    Raises `NotFound`, and `Forbidden` for a worker who exceeds the actor's keys.
    """
    worker = records.load(Worker, worker_id)
    grants.require_covers_role(actor, worker.role)
    invalidate_tokens(worker)
    records.store(worker)
    return worker


def reset_password(*, worker_id: ObjectId, actor: Identity) -> tuple[Worker, str]:
    """Give a worker a one-time password, which they have to change; return it.

    Ends all tokens, sessions, sockets and API keys of the worker. Raises `NotFound`, and
    `Forbidden` for a worker who exceeds the actor's keys, and for the actor, who has to
    prove the present password (`login.update_me`).
    """
    if actor.worker_id == worker_id:
        raise Forbidden()
    grants.require_covers_role(actor, records.read_raw(Worker, worker_id)["role"])
    password = password_rules.new_one_time_password()
    return _give_one_time(worker_id, passwords.hash_password(password), actor), password


@unit_of_work
def _give_one_time(worker_id: ObjectId, password_hash: str, actor: Identity) -> Worker:
    worker = records.load(Worker, worker_id)
    grants.require_covers_role(actor, worker.role)
    _replace_password(worker, password_hash, is_one_time=True)
    records.store(worker)
    return worker


def set_password(*, username: str, password: str, is_one_time: bool) -> Worker:
    """Set a worker's password for who operates the service.

    Ends all tokens, sessions and sockets; with a one-time password, which has to be
    changed, the API keys too. Raises `Invalid` for a password that is not allowed,
    `NotFound` for an unknown name.
    """
    passwords.require_allowed(password, username)
    return _set_password(username, passwords.hash_password(password), is_one_time)


@unit_of_work
def _set_password(username: str, password_hash: str, is_one_time: bool) -> Worker:
    worker = find_by_username(username)
    _replace_password(worker, password_hash, is_one_time=is_one_time)
    records.store(worker)
    return worker


def find_by_username(username: str) -> Worker:
    """Return the worker with a username, for who operates the service.

    Raises `NotFound`.
    """
    worker = Worker.find_one({"username": as_username(username)})
    if worker is None:
        raise NotFound(texts.WORKER_UNKNOWN.format(username=username))
    return worker


def _replace_password(worker: Worker, password_hash: str, *, is_one_time: bool) -> None:
    worker.password_hash = password_hash
    worker.password_change_required = is_one_time
    invalidate_tokens(worker)
    if is_one_time:
        api_keys.revoke_all(worker)


def _with_hash(values: Mapping[str, Any], username: str) -> dict[str, Any]:
    """Replace the password by its hash; slow, so not inside a transaction.

    Raises `Invalid` for a password that is not allowed.
    """
    values = dict(values)
    password = values.pop("password", None)
    if password is not None:
        passwords.require_allowed(password, username)
        values["password_hash"] = passwords.hash_password(password)
    return values
