"""All records have the fields that lists read, and nothing that lists needed is left.

Records of early releases lacked the derived fields (`models.derived`), which lists now rely
on. Search blocks and the field `derived` with its indexes are not read any more.
"""

from typing import Any

from pymongo import UpdateOne

from glassflow import models
from glassflow.core.store import retry_queue
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.models import derived
from glassflow.models.base import Record
from glassflow.services import prepare

BATCH = 200  # records in one transaction
OLD_INDEX = "derived_1"
SEARCH_BLOCKS = ("claims", "customers", "orders", "pane_logs", "panes", "requests")


def up(db: Any) -> None:
    """Derive the fields of the records that lack them, and drop what is not read.

    Records keep their versions, and no event is sent: nothing that clients see changes.
    """
    for model in models.ALL:
        collection = model.collection()
        rows = list(collection.find({"searchText": None}, {"_id": 1}))
        ids = [row["_id"] for row in rows]
        for start in range(0, len(ids), BATCH):
            derive(model, ids[start : start + BATCH])
        prepare.drop(collection, OLD_INDEX)
    for name in SEARCH_BLOCKS:
        db.drop_collection(f"{name}_search")


@unit_of_work
def derive(model: type[Record], ids: list[Any]) -> None:
    """Set the derived fields of these records."""
    collection = model.collection()
    writes = []
    for raw in collection.find({"_id": {"$in": ids}}):
        record = model.from_stored(raw)
        record.derive()
        stored = record.to_mongo()
        values = {name: stored[name] for name in derived.NAMES if name in stored}
        writes.append(UpdateOne({"_id": raw["_id"]}, {"$set": values}))
    if writes:
        retry_queue.writing(collection.name, *ids)
        collection.bulk_write(writes)
