"""Files that are stored before the record that will refer to them.

Their document names the owner, who alone can use a file, and when it was stored. A file
that is used loses both, so that it is used once; one that is not used is deleted.
"""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from bson import ObjectId

from glassflow.core.process import clock
from glassflow.core.store import files, retry_queue

DELETED_AT_ONCE = 50


def insert(
    file_id: ObjectId, content: bytes, owner: ObjectId, facts: Mapping[str, Any]
) -> None:
    """Store a file with facts about it; call it inside the unit of work."""
    unused = {**facts, "owner": owner, "unusedSince": clock.now()}
    files.insert({file_id: content}, metadata=unused)


def find(file_id: ObjectId) -> Mapping[str, Any] | None:
    """Return the facts about a file; None if there is no file with this id."""
    found = files.documents().find_one({"_id": file_id}, {"metadata": 1})
    return None if found is None else found.get("metadata") or {}


def use(
    file_ids: Collection[ObjectId], owner: ObjectId, kept_for: timedelta
) -> dict[ObjectId, Mapping[str, Any]]:
    """Use files of an owner; return the facts about those that can be used, by id.

    Those that were stored longer than `kept_for` ago cannot.

    Call it inside the unit of work that stores the references. Of two that use one file
    at the same time one conflicts, repeats, and finds it used.
    """
    query = {
        "_id": {"$in": list(file_ids)},
        "metadata.owner": owner,
        "metadata.unusedSince": {"$gte": clock.now() - kept_for},
    }
    found = {row["_id"]: row["metadata"] for row in files.documents().find(query)}
    if found:
        retry_queue.writing(files.documents().name, *found)
        used = {"$in": list(found)}
        files.documents().update_many({"_id": used}, {"$unset": {"metadata": 1}})
    return found


def delete_expired(kept_for: timedelta) -> None:
    """Delete some of the files that nobody has used for so long, in the unit of work."""
    query = {"metadata.unusedSince": {"$lt": clock.now() - kept_for}}
    rows = files.documents().find(query, {"_id": 1}).limit(DELETED_AT_ONCE)
    files.delete([row["_id"] for row in rows])
