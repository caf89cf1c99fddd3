"""The derived fields of records that an earlier release has stored.

Such records lack them (`models.derived`). Until `flask indexes` has set them, lists are
read without derived fields: slower, and right.
"""

from collections.abc import Mapping
from typing import Any

from pymongo import UpdateOne

from glassflow.core import conflict_queue, kept
from glassflow.core.unit_of_work import unit_of_work
from glassflow.models import derived, search_blocks
from glassflow.models.base import Record

BATCH = 200  # records in one transaction
# The index of `derived` answers this; a missing field counts as null.
OUTDATED: Mapping[str, Any] = {"derived": {"$in": [None, *range(1, derived.VERSION)]}}


def is_incomplete(model: type[Record]) -> bool:
    """Return whether some records lack the derived fields; one query of an index."""
    return model._get_collection().find_one(OUTDATED, {"_id": 1}) is not None


def is_complete(model: type[Record]) -> bool:
    """Return whether all records have the derived fields; asks the store twice a minute."""
    name = model._get_collection_name()
    complete: bool = kept.value(("derived", name), lambda: not is_incomplete(model))
    return complete


def derive_all(model: type[Record], *, again: bool = False) -> int:
    """Set the derived fields of the records that lack them; return how many did.

    `again` derives those of all records. Records keep their versions, and no event is
    sent: nothing that clients see changes.
    """
    collection = model._get_collection()
    found = collection.find({} if again else OUTDATED, {"_id": 1})
    ids = [row["_id"] for row in found]
    parts = (ids[start : start + BATCH] for start in range(0, len(ids), BATCH))
    count = sum(_derive(model, part) for part in parts)
    kept.forget(("derived", collection.name))
    if count and model.has_search_blocks:
        search_blocks.clear(model)
    return count


@unit_of_work
def _derive(model: type[Record], ids: list[Any]) -> int:
    collection = model._get_collection()
    writes = []
    for raw in collection.find({"_id": {"$in": ids}}):
        record = model._from_son(raw)
        record.derive()
        stored = record.to_mongo()
        values = {name: stored.get(name) for name in derived.NAMES if name in stored}
        writes.append(UpdateOne({"_id": raw["_id"]}, {"$set": values}))
    if writes:
        conflict_queue.writing(collection.name, *ids)
        collection.bulk_write(writes)
    return len(writes)
