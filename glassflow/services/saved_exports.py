"""Saved exports: who sees them, and who changes them.

A worker sees their own, and the shared ones of lists that they may read. They hold no data:
a file is made with the rights of who asks for it.
"""

from collections.abc import Collection, Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.store import locks
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import Forbidden, NotFound, Refusal
from glassflow.domain.permissions import EVERYTHING
from glassflow.models.saved_export import SavedExport
from glassflow.models.worker import Worker
from glassflow.services import records

MAX_OWN = 100  # of one worker


def visible_to(actor: Identity, lists: Collection[str]) -> dict[str, Any]:
    """Return the filter of the store for what an actor sees who may read these lists."""
    shared = {"shared": True, "resource": {"$in": sorted(lists)}}
    return {"$or": [{"owner": actor.worker_id}, shared]}


def read_export(
    record_id: str, actor: Identity, lists: Collection[str]
) -> dict[str, Any]:
    """Read one in stored form; raises `NotFound`, also for one that the actor cannot see."""
    raw = records.read_by_path(SavedExport, record_id)
    is_shared = raw["shared"] and raw["resource"] in lists
    if raw["owner"] != actor.worker_id and not is_shared:
        raise NotFound(texts.NOT_FOUND.format(label=SavedExport.label))
    return raw


def require_change(raw: Mapping[str, Any], actor: Identity) -> None:
    """Raise `Forbidden` unless the actor owns it or holds `*`."""
    if raw["owner"] != actor.worker_id and not actor.may(EVERYTHING):
        raise Forbidden()


@unit_of_work
def create(
    *, model: type[SavedExport], values: Mapping[str, Any], actor: Identity
) -> SavedExport:
    """Save an export for its owner.

    Raises `Refusal` if they have `MAX_OWN` already, and `Forbidden` for the account of a
    shared device, which only reads.
    """
    if actor.is_device:
        raise Forbidden()
    locks.touch(Worker, [actor.worker_id])  # two at once would both be the last one
    if model.objects(owner=actor.worker_id).count() >= MAX_OWN:
        raise Refusal(texts.SAVED_EXPORTS_FULL.format(count=MAX_OWN))
    owned: dict[str, ObjectId] = {"owner": actor.worker_id}
    return records.create(model=model, values={**values, **owned}, actor=actor)
