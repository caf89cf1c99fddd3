"""Roles: named bundles of permission keys, given by those who hold the keys."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain import permissions
from glassflow.domain.errors import Invalid, Refusal
from glassflow.models.role import Role
from glassflow.services import authority, deletion, policy, records
from glassflow.services.identity import Identity

LONGEST_SLUG = 60  # characters; a number may follow


def create(*, model: type[Role], values: Mapping[str, Any], actor: Identity) -> Role:
    """Make a role. Raises `Invalid` for unknown keys, `Forbidden` for keys not held."""
    _check_keys(values)
    authority.demand_covers(actor, values.get("permissions") or ())
    slug = values.get("slug") or free_slug(values["name"])
    return records.create(model=Role, values={**values, "slug": slug}, actor=actor)


@unit_of_work
def update(
    *,
    model: type[Role],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Role:
    """Change a role; it holds from the next request of each of its workers.

    Raises `Forbidden` for a role, or keys, that go beyond the actor's own.
    """
    _check_keys(values)
    role = records.get(Role, record_id)
    had = list(role.permissions)
    authority.demand_covers(actor, had)
    authority.demand_covers(actor, values.get("permissions") or ())
    if role.is_system and values.get("slug", role.slug) != role.slug:
        raise Refusal("The slug of a system role cannot be changed", code="SYSTEM_ROLE")
    if "slug" in values and not values["slug"]:
        values = {**values, "slug": role.slug}
    records.assign(role, values)
    role.save()
    if authority.EVERYTHING in had and authority.EVERYTHING not in role.permissions:
        authority.demand_an_admin_left()
    return role


@unit_of_work
def delete(*, model: type[Role], ids: Sequence[ObjectId], actor: Identity) -> int:
    """Delete roles. Raises `Refusal` for system roles and for roles with workers."""
    authority.take_turns()
    for role in [records.get(Role, one) for one in ids]:
        if role.is_system:
            raise Refusal("System roles cannot be deleted", code="SYSTEM_ROLE")
        authority.demand_covers(actor, role.permissions)
    return deletion.delete(model=Role, ids=ids, actor=actor)


def free_slug(name: str) -> str:
    """Make a slug from a role's name that no other role has: `Night shift`, 2."""
    # letters, marks (Thai vowels are marks) and digits stay, all else parts words
    kept = (c if unicodedata.category(c)[0] in "LMN" else " " for c in name.lower())
    base = "-".join("".join(kept).split())[:LONGEST_SLUG].strip("-") or "role"
    query = {"slug": {"$regex": f"^{re.escape(base)}(-[0-9]+)?$"}}
    taken = {row["slug"] for row in Role._get_collection().find(query, {"slug": 1})}
    choices = [base, *(f"{base}-{n}" for n in range(2, len(taken) + 3))]
    return next(slug for slug in choices if slug not in taken)


def _check_keys(values: Mapping[str, Any]) -> None:
    if policy.current().free_permission_keys:
        return
    known = {*permissions.ALL_KEYS, permissions.EVERYTHING}
    faults = [
        {"field": f"permissions.{index}", "message": f"Unknown permission key: {key}"}
        for index, key in enumerate(values.get("permissions") or ())
        if key not in known
    ]
    if faults:
        raise Invalid(faults)
