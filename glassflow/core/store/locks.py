"""Make two transactions conflict that would otherwise both pass.

Snapshot isolation detects two writes of one document, not a decision on documents that
another transaction is changing (write skew). Two withdrawals of the last sheet read the
same lots, take from different ones and both commit; two administrators each demote the
other and none is left. A rule that reads several documents therefore also writes one
document that all who apply the rule share: their parent, their material, or a named
document where no record is common to them. Of two such transactions one gets a write
conflict, repeats, and decides on what the other has stored.

`touch` is not a mutex: it does not wait and protects nothing outside its transaction.
References to records that are being deleted have their own, see
`core.store.reference_locks`.
"""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from bson import ObjectId
from mongoengine.connection import get_db
from pymongo.errors import DuplicateKeyError

from glassflow.core.store import retry_queue
from glassflow.core.store.connection import StoreCollection

COLLECTION = "locks"
# Not a field of any model: nothing reads it, and no record shows it.
FIELD = "touched"
ROLE_CHANGES = "role_changes"
NEW_WEBHOOKS = "new_webhooks"
READY_MADE_STATIONS = "ready_made_stations"
INVOICES = "invoices"
NAMED = (ROLE_CHANGES, NEW_WEBHOOKS, READY_MADE_STATIONS, INVOICES)


class Stored(Protocol):
    """A model, of which this package knows the collection only."""

    @classmethod
    def collection(cls) -> StoreCollection:
        """Return the collection of the driver."""


def touch(
    model: type[Stored],
    record_ids: Collection[ObjectId],
    condition: Mapping[str, Any] | None = None,
) -> int:
    """Write records, without a visible change, inside the open unit of work.

    One round trip. Returns how many of them exist and match the condition, a filter of
    the store.
    """
    ids = list(record_ids)
    if not ids:
        return 0
    collection = model.collection()
    retry_queue.writing(collection.name, *ids)
    query = {"_id": {"$in": ids} if len(ids) > 1 else ids[0], **(condition or {})}
    return int(collection.update_many(query, {"$inc": {FIELD: 1}}).matched_count)


def reserve(model: type[Stored], record_ids: Collection[ObjectId]) -> None:
    """Let other units of work of this process that reserve these records wait.

    For records that many units write, as early as the unit knows that it writes them.
    It makes conflicts cheaper and protects nothing: other processes do not see it.
    """
    retry_queue.reserve(model.collection().name, *record_ids)


def touch_and_read(
    model: type[Stored], record_id: ObjectId
) -> Mapping[str, Any] | None:
    """Write a record as `touch` does and return it in stored form, in one round trip."""
    collection = model.collection()
    retry_queue.writing(collection.name, record_id)
    return collection.find_one_and_update({"_id": record_id}, {"$inc": {FIELD: 1}})


def touch_named(name: str) -> None:
    """Write the document of this name (one of `NAMED`), made when it is missing."""
    retry_queue.writing(COLLECTION, name)
    get_db()[COLLECTION].update_one({"_id": name}, {"$inc": {FIELD: 1}}, upsert=True)


def ensure() -> None:
    """Create the named documents, so that no transaction has to."""
    collection = get_db()[COLLECTION]
    for name in NAMED:
        try:
            collection.insert_one({"_id": name, FIELD: 0})
        except DuplicateKeyError:
            pass
