"""Sessions: where a worker is logged in now, and how each of these logins is ended."""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.access import logins
from glassflow.core.access.logins import LoginKind
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.errors import NotFound
from glassflow.models.worker import Worker
from glassflow.services import records
from glassflow.services.auth import grants, identity
from glassflow.services.records import caches


def list_of(worker_id: ObjectId, actor: Identity) -> list[dict[str, Any]]:
    """Return the logins of a worker that are accepted now, the newest first.

    Each is a row of `core.access.logins`, with the account of a shared device as
    `deviceAccount`. Raises `NotFound`, and `Forbidden` for a worker who exceeds the actor's
    keys.
    """
    worker = records.read_raw(Worker, worker_id)
    grants.require_covers_role(actor, worker["role"])
    return of_worker(worker)


def of_worker(worker: Raw) -> list[dict[str, Any]]:
    """Return the logins of a stored worker that are accepted now; as `list_of`."""
    rows = logins.of_worker(worker["_id"])
    devices = caches.WORKERS.get_all({row["device"] for row in rows if "device" in row})
    shown = [{**row, "deviceAccount": _device(row, devices)} for row in rows]
    return [row for row in shown if _is_accepted(worker, row)]


def _device(row: Raw, devices: Mapping[ObjectId, Raw]) -> Raw | None:
    return devices.get(row["device"]) if "device" in row else None


def _is_accepted(worker: Raw, row: Raw) -> bool:
    claims = {
        "since": clock.epoch_s(row["startedAt"]),
        "login": row.get("deviceLogin", ""),
    }
    if not identity.is_accepted(worker, row["_id"], claims):
        return False
    if row["kind"] != LoginKind.DEVICE:
        return True
    return identity.is_accepted_on_device(row["deviceAccount"], claims)


@unit_of_work
def end(*, worker_id: ObjectId, session_id: str, actor: Identity) -> None:
    """End a login of a worker, and close its sockets; raises as `list_of`, and `NotFound`."""
    worker = records.load(Worker, worker_id)
    grants.require_covers_role(actor, worker.role)
    _end(worker, session_id)


@unit_of_work
def end_for_operator(*, worker_id: ObjectId, session_id: str) -> None:
    """End a login for who operates the service; raises `NotFound`."""
    _end(records.load(Worker, worker_id), session_id)


def _end(worker: Worker, session_id: str) -> None:
    row = logins.find(session_id, worker.pk)
    if row is None or row["kind"] == LoginKind.API_KEY:
        raise NotFound(texts.SESSION_UNKNOWN)
    if row["kind"] == LoginKind.BROWSER:
        identity.end_session(worker, session_id)
    else:  # no token is issued for it any more
        identity.end_login(worker, session_id, row["expiresAt"])
    records.store(worker)


@unit_of_work
def end_others(*, actor: Identity) -> None:
    """End all logins of the caller but the one that they use."""
    worker = records.load(Worker, actor.worker_id)
    identity.invalidate_tokens(worker, keep=actor)
    records.store(worker)


@unit_of_work
def end_all_for_operator(*, worker_id: ObjectId) -> None:
    """End all logins of a worker for who operates the service; raises `NotFound`."""
    worker = records.load(Worker, worker_id)
    identity.invalidate_tokens(worker)
    records.store(worker)
