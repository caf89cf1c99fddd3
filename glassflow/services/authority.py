"""Who may give whom what: nobody hands on, or touches, more than they hold."""

from collections.abc import Iterable

from bson import ObjectId
from mongoengine.connection import get_db

from glassflow.domain import permissions
from glassflow.domain.errors import Forbidden, Refusal
from glassflow.models.role import Role
from glassflow.models.worker import Worker
from glassflow.services.identity import Identity

EVERYTHING = permissions.EVERYTHING


def demand_covers(actor: Identity, keys: Iterable[str]) -> None:
    """Raise `Forbidden` unless the actor holds all these keys (`*` only by `*`)."""
    if permissions.exceeds(keys, actor.keys):
        raise Forbidden()


def demand_covers_role(actor: Identity, role_id: ObjectId | None) -> None:
    """Raise `Forbidden` unless the actor holds all that a role holds."""
    demand_covers(actor, keys_of(role_id))


def keys_of(role_id: ObjectId | None) -> list[str]:
    """Read a role's own keys; a role that is gone has none."""
    role = Role._get_collection().find_one({"_id": role_id}) or {}
    return list(role.get("permissions", ()))


def take_turns() -> None:
    """Let only one at a time change who has which role.

    All who do write one common document, so of two at once one starts again, and
    meets what the other has left: a role that is gone, or that has a worker now.
    """
    get_db()["counters"].update_one(
        {"_id": "authority"}, {"$inc": {"seq": 1}}, upsert=True
    )


def demand_an_admin_left() -> None:
    """Raise `Refusal` when no active worker would hold `*`; call it after the change.

    Of two admins who demote each other at once only one succeeds.
    """
    take_turns()
    roles = Role._get_collection().find({"permissions": EVERYTHING}, {"_id": 1})
    query = {"role": {"$in": [role["_id"] for role in roles]}, "isActive": True}
    if not Worker._get_collection().count_documents(query, limit=1):
        raise Refusal(
            "The last active worker who may do everything has to stay",
            code="LAST_ADMIN",
        )
