"""PINs of workers, for shared devices: set by oneself, or by who manages workers."""

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import pins, texts
from glassflow.domain.errors import Invalid, Refusal
from glassflow.models.worker import Worker
from glassflow.services import records
from glassflow.services.auth import grants, passwords, pin_failures
from glassflow.services.auth.identity import end_on_devices
from glassflow.services.auth.login import (
    require_current_password,
    require_no_api_key,
    require_still_proven,
)


def set_pin(*, worker_id: ObjectId, pin: str, actor: Identity) -> Worker:
    """Set a worker's PIN, which ends a lock and their sessions on shared devices.

    Raises `Invalid` for what is no PIN, `NotFound`, and `Forbidden` for a worker who
    exceeds the actor's keys, and as `grants.require_login_for_own`.
    """
    grants.require_login_for_own(actor, worker_id)
    grants.require_covers_role(actor, records.read_raw(Worker, worker_id)["role"])
    return _set(worker_id, _hash(pin), manager=actor)


def set_own_pin(*, pin: str, current_password: str, actor: Identity) -> Worker:
    """Set the caller's own PIN; raises `Invalid` for a wrong current password, too.

    Raises `Refusal` for the account of a device or a screen, which is nobody who could
    identify, and `Forbidden` for an API key.
    """
    require_no_api_key(actor)
    if grants.is_account_role(actor.role_id):
        raise Refusal(texts.PIN_OF_ACCOUNT)
    pin_hash = _hash(pin)
    proven = require_current_password(actor, current_password)
    return _set(actor.worker_id, pin_hash, proven=proven)


def clear_pin(*, worker_id: ObjectId, actor: Identity) -> Worker:
    """Remove a worker's PIN, and end their sessions on shared devices; as `set_pin`."""
    grants.require_login_for_own(actor, worker_id)
    return _set(worker_id, None, manager=actor)


def clear_own_pin(*, current_password: str | None, actor: Identity) -> Worker:
    """Remove the caller's own PIN; on a shared device as `set_own_pin`."""
    require_no_api_key(actor)
    proven = None
    if not actor.is_own_login:
        proven = require_current_password(actor, current_password)
    return _set(actor.worker_id, None, proven=proven)


def _hash(pin: str) -> str:
    """Return the hash of a new PIN; slow, so not inside a transaction."""
    fault = None
    if not pins.is_pin(pin):
        fault = texts.PIN_FORM
    elif pins.is_easily_guessed(pin):
        fault = texts.PIN_EASILY_GUESSED
    if fault:
        raise Invalid([{"field": "pin", "message": fault}])
    return passwords.hash_password(pin)


@unit_of_work
def _set(
    worker_id: ObjectId,
    pin_hash: str | None,
    *,
    manager: Identity | None = None,
    proven: str | None = None,
) -> Worker:
    worker = records.load(Worker, worker_id)
    require_still_proven(worker, proven)
    if manager is not None:
        grants.require_covers_role(manager, worker.role)
    if worker.pin_hash is not None or pin_hash is not None:
        end_on_devices(worker)
        worker.pin_hash, worker.pin_failures = pin_hash, 0
        worker.pin_set_at = clock.now() if pin_hash is not None else None
    records.store(worker)
    pin_failures.forget(worker_id)
    return worker
