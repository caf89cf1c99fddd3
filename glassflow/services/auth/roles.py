"""Roles: named sets of permission keys, granted by workers who hold the keys."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import permissions, texts
from glassflow.domain.errors import FieldFault, Invalid, Refusal
from glassflow.models.role import Role
from glassflow.services import records
from glassflow.services.auth import grants

MAX_SLUG_LENGTH = 60  # characters; a number may follow


def create(*, model: type[Role], values: Mapping[str, Any], actor: Identity) -> Role:
    """Create a role. Raises `Invalid` for unknown keys, `Forbidden` for keys not held."""
    _check_keys(values)
    grants.require_covers(actor, values.get("permissions") or ())
    if values.get("slug"):
        return records.create(model=Role, values=values, actor=actor)
    return _create_with_free_slug(values, actor)


@unit_of_work
def _create_with_free_slug(values: Mapping[str, Any], actor: Identity) -> Role:
    # Of two that would take the same slug, one retries and sees that it is taken.
    grants.lock_role_changes()
    slug = free_slug(values["name"])
    return records.create(model=Role, values={**values, "slug": slug}, actor=actor)


@unit_of_work
def update(
    *,
    model: type[Role],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Role:
    """Change a role; it applies from the next request of each of its workers.

    Raises `Forbidden` for a role, or keys, that exceed the actor's.
    """
    _check_keys(values)
    role = records.load(Role, record_id)
    old_keys = list(role.permissions)
    grants.require_covers(actor, old_keys)
    grants.require_covers(actor, values.get("permissions") or ())
    is_known = role.is_system or role.slug in permissions.ACCOUNT_ROLES
    if is_known and values.get("slug", role.slug) != role.slug:
        raise Refusal(texts.SYSTEM_ROLE_SLUG, code="SYSTEM_ROLE")
    if "slug" in values and not values["slug"]:
        values = {**values, "slug": role.slug}
    records.apply_changes(role, values)
    records.store(role)
    if grants.EVERYTHING in old_keys and grants.EVERYTHING not in role.permissions:
        grants.require_admin_left()
    return role


def free_slug(name: str) -> str:
    """Return an unused slug made from a role's name: `night-shift`, `night-shift-2`."""
    # keep letters, marks (Thai vowels are marks) and digits; the rest separates words
    letters = (c if unicodedata.category(c)[0] in "LMN" else " " for c in name.lower())
    base = "-".join("".join(letters).split())[:MAX_SLUG_LENGTH].strip("-") or "role"
    query = {"slug": {"$regex": f"^{re.escape(base)}(-[0-9]+)?$"}}
    taken = {row["slug"] for row in Role.collection().find(query, {"slug": 1})}
    choices = [base, *(f"{base}-{n}" for n in range(2, len(taken) + 3))]
    return next(slug for slug in choices if slug not in taken)


def _check_keys(values: Mapping[str, Any]) -> None:
    policy = runtime.current().policy
    if policy.free_permission_keys:
        return
    faults: list[FieldFault] = [
        {
            "field": f"permissions.{index}",
            "message": texts.UNKNOWN_PERMISSION_KEY.format(key=key),
        }
        for index, key in enumerate(values.get("permissions") or ())
        if not permissions.is_known(key, policy.permission_sets)
    ]
    if faults:
        raise Invalid(faults)
