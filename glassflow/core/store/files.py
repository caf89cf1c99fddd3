"""Files in the store, in the form of GridFS, written in the transaction of their record.

The driver's own GridFS writes outside of transactions only: a process that died between
the file and its record would leave one without the other. These functions write the same
documents with the caller's unit of work; the driver and MongoDB's tools can read them.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from bson import ObjectId
from mongoengine.connection import get_db

from glassflow.core.process import clock
from glassflow.core.store.connection import StoreCollection

BUCKET = "fs"  # the default of GridFS, which its tools expect
CHUNK_BYTES = 255 * 1024  # its default too
IDS_PER_QUERY = 100  # a store may compare each id of `$in` with each document


def ensure() -> None:
    """Create the collections with the indexes that GridFS prescribes, and our own."""
    documents().create_index([("filename", 1), ("uploadDate", 1)])
    documents().create_index([("metadata.unusedSince", 1)], sparse=True)
    _chunks().create_index([("files_id", 1), ("n", 1)], unique=True)


def insert(
    contents: Mapping[ObjectId, bytes], metadata: Mapping[str, Any] | None = None
) -> None:
    """Store files by id, in two round trips; call it inside the unit of work.

    `metadata` are the facts about these files that their documents hold.
    """
    if not contents:
        return
    extra = {"metadata": dict(metadata)} if metadata else {}
    documents().insert_many(
        [
            {
                "_id": file_id,
                "length": len(content),
                "chunkSize": CHUNK_BYTES,
                "uploadDate": clock.now(),
                **extra,
            }
            for file_id, content in contents.items()
        ]
    )
    _chunks().insert_many(
        [
            {"files_id": file_id, "n": n, "data": part}
            for file_id, content in contents.items()
            for n, part in enumerate(_parts(content))
        ]
    )


def _parts(content: bytes) -> Iterator[bytes]:
    """Split a file into chunks; an empty one still gets a chunk, so that it is found."""
    for start in range(0, max(len(content), 1), CHUNK_BYTES):
        yield content[start : start + CHUNK_BYTES]


def read_files(file_ids: Collection[ObjectId]) -> dict[ObjectId, bytes]:
    """Return the contents of files by id, without those that do not exist."""
    parts: dict[ObjectId, list[tuple[int, bytes]]] = {}
    for query in _queries("files_id", file_ids):
        for row in _chunks().find(query):
            parts.setdefault(row["files_id"], []).append((row["n"], row["data"]))
    return {
        file_id: b"".join(data for _, data in sorted(found))
        for file_id, found in parts.items()
    }


def delete(file_ids: Collection[ObjectId]) -> None:
    """Delete files; call it inside the unit of work that removes their references."""
    for query in _queries("files_id", file_ids):
        _chunks().delete_many(query)
    for query in _queries("_id", file_ids):
        documents().delete_many(query)


def _queries(field: str, ids: Collection[ObjectId]) -> Iterator[dict[str, Any]]:
    listed: Sequence[ObjectId] = list(dict.fromkeys(ids))
    for start in range(0, len(listed), IDS_PER_QUERY):
        yield {field: {"$in": listed[start : start + IDS_PER_QUERY]}}


def documents() -> StoreCollection:
    """Return the collection of the documents that describe files."""
    return get_db()[f"{BUCKET}.files"]


def _chunks() -> StoreCollection:
    return get_db()[f"{BUCKET}.chunks"]
