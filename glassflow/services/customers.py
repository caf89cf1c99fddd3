"""Merge customers that were entered more than once."""

from collections.abc import Sequence

from bson import ObjectId

from glassflow.core.store import locks, outbox, reference_locks, retry_queue
from glassflow.core.store.unit_of_work import lock_before, unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import Invalid, NotFound
from glassflow.models.base import Record
from glassflow.models.customer import Customer
from glassflow.services import records
from glassflow.services.records import references

KIND = Customer.__name__
# Filled from the customers that are merged, where the one that stays has none.
FILLED = ("phone", "address", "notes")


@unit_of_work
def merge(*, record_id: ObjectId, others: Sequence[ObjectId]) -> Customer:
    """Merge other customers into one: it gets all that refers to them, they are deleted.

    Its own fields stay; of `FILLED` the empty ones are filled from the others. Raises
    `Invalid` for a customer that is named twice or is the one that stays, `NotFound`,
    `Stale` if the caller expects another version of it, and `TooMany`.
    """
    if len({record_id, *others}) <= len(others):
        raise Invalid([{"field": "customers", "message": texts.MERGED_TWICE}])
    names = [reference_locks.lock_name(KIND, one) for one in others]
    lock_before(names, reference_locks.deleting)
    kept = records.load(Customer, record_id)
    merged = {one.pk: one for one in Customer.find_many({"_id": {"$in": [*others]}})}
    if len(merged) < len(others):
        raise NotFound(texts.NOT_FOUND.format(label=Customer.label))
    # who deletes it meanwhile, or merges it into another, conflicts
    locks.touch(Customer, [record_id])
    _move_references(others, kept)
    for one in others:
        for name in FILLED:
            kept[name] = kept[name] or merged[one][name]
    kept.save()
    _delete([merged[one] for one in others], kept)
    return kept


def _move_references(others: Sequence[ObjectId], kept: Customer) -> None:
    for model, name in references.fields_naming(KIND):
        field = model._fields[name].db_field
        moved: list[Record] = model.find_many({field: {"$in": [*others]}})
        for record in moved:
            record[name] = kept.pk
        records.save_all(moved)


def _delete(merged: Sequence[Customer], kept: Customer) -> None:
    collection = Customer._get_collection()
    ids = [one.pk for one in merged]
    retry_queue.writing(collection.name, *ids)
    collection.delete_many({"_id": {"$in": ids}})
    for one in merged:
        stored = one.stored_form()
        outbox.record(KIND, stored, "deleted")
        Customer.record_deletion(stored, successor=kept.pk)
