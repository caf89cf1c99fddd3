"""The batches in the outbox, as the publisher reads and removes them."""

from collections.abc import Collection, Iterator
from typing import Any

from bson import ObjectId
from mongoengine.connection import get_db

from glassflow.core.store import outbox
from glassflow.core.store.outbox_entries import OutboxBatch, read_batch


class BatchesTaken(Exception):
    """Another process has removed some of the batches from the outbox."""


class OthersPending(Exception):
    """Not just these batches are in the outbox, up to the newest of them."""


def pending(limit: int) -> list[ObjectId]:
    """Return the ids of the batches in the outbox, in the order of their changes."""
    rows = get_db()[outbox.COLLECTION].find({}, {"_id": 1}).sort("_id", 1)
    return [row["_id"] for row in rows.limit(limit)]


def read_batches(ids: Collection[ObjectId]) -> Iterator[OutboxBatch]:
    """Read batches from the outbox, in no particular order."""
    for row in get_db()[outbox.COLLECTION].find({"_id": {"$in": list(ids)}}):
        yield read_batch(row)


def still_pending(ids: Collection[ObjectId]) -> set[ObjectId]:
    """Return which of these batches are in the outbox."""
    rows = get_db()[outbox.COLLECTION].find({"_id": {"$in": list(ids)}}, {"_id": 1})
    return {row["_id"] for row in rows}


def remove(ids: Collection[ObjectId]) -> None:
    """Remove batches, inside a transaction; raises `BatchesTaken` if one is missing."""
    if _delete({"$in": list(ids)}) < len(ids):
        raise BatchesTaken


def remove_oldest(ids: Collection[ObjectId]) -> None:
    """Remove batches, inside a transaction, if they are the oldest in the outbox.

    One round trip, without a look at the outbox. Raises `OthersPending` if there are
    other batches before the newest of these, or if one of these is missing.
    """
    if _delete({"$lte": max(ids)}) != len(ids):
        raise OthersPending


def _delete(ids: Any) -> int:
    return int(get_db()[outbox.COLLECTION].delete_many({"_id": ids}).deleted_count)
