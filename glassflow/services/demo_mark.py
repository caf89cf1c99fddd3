"""The mark of a store with the demo workshop: whether it may be added, and what came after.

The collection `demo` has one document. It is written before the first record of the demo,
so that a start that was killed meanwhile can go on (`isOpen`), and knows when the last one
was added (`madeAt`). It stays when the demo is taken out (`clearedAt`): it never returns.
"""

from collections.abc import Mapping
from typing import Any

from mongoengine.connection import get_db

from glassflow.core.process import clock
from glassflow.core.store.connection import StoreCollection, durable
from glassflow.models import ALL
from glassflow.services import seeding

COLLECTION = "demo"
ID = "demo"
#: One document each, which the service creates when it first reads them.
SETTINGS = frozenset(
    {
        "PricingSettings",
        "MakeabilityLimits",
        "CuttingSettings",
        "Workshop",
        "WorkingHours",
    }
)
#: What every store has, whether the demo or a workshop begins in it.
OF_EVERY_STORE = (*seeding.ROLES, *seeding.NEW_STORE)
OF_DEMO = (*seeding.ROLES, *seeding.WORKERS, *seeding.DEMO)
#: Lots have no names, and their entries in the ledger; both need the material.
OF_MATERIALS = frozenset({"Inventory", "MaterialLog"})


def is_set() -> bool:
    """Return whether the demo workshop was added to this store, and not taken out."""
    mark = _read()
    return mark is not None and "clearedAt" not in mark


def is_cleared() -> bool:
    """Return whether the demo workshop was taken out of this store."""
    mark = _read()
    return mark is not None and "clearedAt" in mark


def begin() -> bool:
    """Mark that the demo workshop is being added; return whether it may be.

    Only to a store that has nothing but what every new store has, or what a start added
    that was killed while it added the demo.
    """
    mark = _read()
    if mark is None:
        if not _has_only(OF_EVERY_STORE):
            return False
        # no error if another process begins at the same time
        begun = {"begunAt": clock.now(), "isOpen": True}
        _rows().update_one({"_id": ID}, {"$setOnInsert": begun}, upsert=True)
        return True
    return bool(mark.get("isOpen")) and _has_only(OF_DEMO)


def end() -> None:
    """Mark that all of the demo workshop is added: what comes now is not of the demo."""
    _rows().update_one({"_id": ID}, {"$set": {"isOpen": False, "madeAt": clock.now()}})


def give_up() -> None:
    """Mark that the rest of a demo that was half added is not wanted."""
    _rows().update_one({"_id": ID, "isOpen": True}, {"$set": {"isOpen": False}})


def cleared() -> Mapping[str, Any]:
    """Return the mark of a store out of which the demo workshop was taken."""
    return {"_id": ID, "isOpen": False, "clearedAt": clock.now()}


def changed_since() -> dict[str, int]:
    """Return how many records were added or changed since the demo was made, by collection.

    All of them where a start was killed before that.
    """
    mark = _read() or {}
    since = mark.get("madeAt") or mark.get("begunAt")
    return _counts({"updatedAt": {"$gt": since}})


def records() -> dict[str, int]:
    """Return how many records the store has, by collection."""
    return _counts({})


def _has_only(files: seeding.Files) -> bool:
    """Return whether all records are those of the files, by their natural keys."""
    others: dict[str, dict[str, Any]] = {}
    for name, kind in files:
        key = others.setdefault(kind, {seeding.NATURAL_KEYS[kind]: {"$nin": []}})
        key[seeding.NATURAL_KEYS[kind]]["$nin"] += seeding.natural_keys(name, kind)
    free = SETTINGS | (OF_MATERIALS if "Material" in others else frozenset())
    return not any(
        model.collection().find_one(others.get(model.__name__, {}), {"_id": 1})
        for model in ALL
        if model.__name__ not in free
    )


def _counts(query: Mapping[str, Any]) -> dict[str, int]:
    collections = [model.collection() for model in ALL]
    found = {one.name: one.count_documents(query) for one in collections}
    return {name: count for name, count in found.items() if count}


def _read() -> dict[str, Any] | None:
    return get_db()[COLLECTION].find_one({"_id": ID})


def _rows() -> StoreCollection:
    return durable(COLLECTION)
