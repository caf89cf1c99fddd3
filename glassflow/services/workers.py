"""Workers: made, changed and dismissed by those who hold at least as much."""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.models.worker import Worker
from glassflow.services import authority, deletion, passwords, records, references
from glassflow.services.identity import Identity, end_all_tokens


def create(
    *, model: type[Worker], values: Mapping[str, Any], actor: Identity
) -> Worker:
    """Take a worker in. Raises `Forbidden` for a role that holds more than the actor."""
    return _create(_with_hash(values), actor)


@unit_of_work
def _create(values: Mapping[str, Any], actor: Identity) -> Worker:
    authority.take_turns()
    references.check(references.mentions(Worker, values))
    authority.demand_covers_role(actor, values["role"])
    return records.create(model=Worker, values=values, actor=actor)


def update(
    *,
    model: type[Worker],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Worker:
    """Change a worker; a new password or deactivation ends their tokens and sockets.

    Raises `Forbidden` where the worker, or their new role, holds more than the actor.
    """
    return _update(record_id, _with_hash(values), actor)


@unit_of_work
def _update(record_id: ObjectId, values: Mapping[str, Any], actor: Identity) -> Worker:
    worker = records.get(Worker, record_id)
    references.check(references.mentions(Worker, values))
    held = authority.keys_of(worker.role)
    authority.demand_covers(actor, held)
    if values.get("role"):
        authority.take_turns()
        authority.demand_covers_role(actor, values["role"])
    records.assign(worker, values)
    if "password_hash" in values:
        end_all_tokens(worker, but=actor if actor.worker_id == worker.pk else None)
    if values.get("is_active") is False:
        end_all_tokens(worker)
    worker.save()
    if authority.EVERYTHING in held and not values.keys().isdisjoint(
        {"role", "is_active"}
    ):
        authority.demand_an_admin_left()
    return worker


@unit_of_work
def delete(*, model: type[Worker], ids: Sequence[ObjectId], actor: Identity) -> int:
    """Delete workers. Raises `Forbidden` where one holds more than the actor."""
    held = [authority.keys_of(records.get(Worker, one).role) for one in ids]
    for keys in held:
        authority.demand_covers(actor, keys)
    count = deletion.delete(model=Worker, ids=ids, actor=actor)
    if any(authority.EVERYTHING in keys for keys in held):
        authority.demand_an_admin_left()
    return count


def _with_hash(values: Mapping[str, Any]) -> dict[str, Any]:
    """Put the password's hash where the password was, before any transaction."""
    values = dict(values)
    password = values.pop("password", None)
    if password is not None:
        values["password_hash"] = passwords.hashed(password)
    return values
