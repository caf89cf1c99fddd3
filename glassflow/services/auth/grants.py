"""Guards on workers and roles: an actor cannot grant or change keys they do not hold."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.store import locks
from glassflow.domain import permissions, texts
from glassflow.domain.errors import Forbidden, Refusal
from glassflow.models.role import Role
from glassflow.models.worker import Worker

EVERYTHING = permissions.EVERYTHING


def effective_keys(keys: Iterable[str]) -> frozenset[str]:
    """Return all keys that a role with these keys grants, by the workshop's policy."""
    policy = runtime.current().policy
    expanded = permissions.expand(keys, policy.permission_sets)
    return expanded | permissions.VIEW_KEYS if policy.read_all else expanded


def workers_who_may(key: str) -> list[ObjectId]:
    """List the active workers whose roles grant a key."""
    roles = Role.collection().find({}, {"permissions": 1})
    may = [
        row["_id"] for row in roles if key in effective_keys(row.get("permissions", ()))
    ]
    people = Worker.collection().find({"role": {"$in": may}}, {"isActive": 1})
    return sorted(row["_id"] for row in people if row.get("isActive", True))


def is_device(role: Mapping[str, Any]) -> bool:
    """Return whether a stored role is that of shared devices."""
    return role.get("slug") == permissions.DEVICE


def is_account(role: Mapping[str, Any]) -> bool:
    """Return whether a stored role is that of accounts that are no persons."""
    return role.get("slug") in permissions.ACCOUNT_ROLES


def is_account_role(role_id: ObjectId) -> bool:
    """Return whether a role is that of accounts that are no persons; see `is_account`."""
    return is_account(Role.collection().find_one({"_id": role_id}) or {})


def keys_of_role(role: Mapping[str, Any]) -> frozenset[str]:
    """Return all keys that an account of a stored role holds by itself.

    The account of a shared device only reads: what is done there, somebody does who has
    identified.
    """
    keys = effective_keys(role.get("permissions", ()))
    return keys & permissions.VIEW_KEYS if is_device(role) else keys


def scan_stations(role: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the stations at which a stored role may scan; None for all stations."""
    sets = runtime.current().policy.permission_sets
    return permissions.scan_stations(role.get("permissions", ()), sets)


def keys_on_device(
    role: Mapping[str, Any], device_role: Mapping[str, Any]
) -> frozenset[str]:
    """Return the keys of a worker who has identified on a shared device: those of both."""
    return permissions.shared(
        effective_keys(role.get("permissions", ())),
        effective_keys(device_role.get("permissions", ())),
    )


def keys_within(keys: frozenset[str], scopes: Iterable[str]) -> frozenset[str]:
    """Return those of a role's keys that the scopes of an API key allow, too."""
    allowed = permissions.expand(scopes, runtime.current().policy.permission_sets)
    if EVERYTHING in allowed:
        return keys
    return allowed if EVERYTHING in keys else keys & allowed


def require_covers(actor: Identity, keys: Iterable[str]) -> None:
    """Raise `Forbidden` unless the actor holds all these keys (`*` only by `*`)."""
    if not covers(actor, keys):
        raise Forbidden()


def covers(actor: Identity, keys: Iterable[str]) -> bool:
    """Return whether the actor holds all these keys (`*` only by `*`)."""
    sets = runtime.current().policy.permission_sets
    return not permissions.exceeds(keys, actor.keys, sets)


def require_covers_role(actor: Identity, role_id: ObjectId | None) -> None:
    """Raise `Forbidden` unless the actor holds all keys of a role."""
    require_covers(actor, keys_of(role_id))


def require_login_for_own(actor: Identity, worker_id: ObjectId) -> None:
    """Raise `Forbidden` for who would give their own worker a password, a PIN or a badge.

    That is, an API key or a person on a shared device: with `workers:manage` they could,
    without the current password, and stay in when the key is revoked.
    """
    if worker_id == actor.worker_id and not actor.is_own_login:
        raise Forbidden()


def keys_of(role_id: ObjectId | None) -> list[str]:
    """Return a role's own keys; a role that does not exist has none."""
    return next(iter(keys_of_all([role_id])), [])


def keys_of_all(role_ids: Collection[ObjectId | None]) -> list[list[str]]:
    """Return the own keys of each of these roles that exists, in one query."""
    query = {"_id": {"$in": list(role_ids)}}
    found = Role.collection().find(query, {"permissions": 1})
    return [list(role.get("permissions", ())) for role in found]


def lock_role_changes() -> None:
    """Make concurrent changes of role assignments conflict (see `core.store.locks`).

    The one that retries sees what the other has committed: a deleted role, or a role
    that a worker has now.
    """
    locks.touch_named(locks.ROLE_CHANGES)


def require_admin_left() -> None:
    """Raise `Refusal` when no active worker holds `*`; call it after the change.

    If two admins demote each other concurrently, only one succeeds.
    """
    lock_role_changes()
    roles = Role.collection().find({"permissions": EVERYTHING}, {"_id": 1})
    query = {"role": {"$in": [role["_id"] for role in roles]}, "isActive": True}
    if not Worker.collection().count_documents(query, limit=1):
        raise Refusal(
            texts.LAST_ADMIN,
            code="LAST_ADMIN",
        )
