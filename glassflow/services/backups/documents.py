"""Stores documents as a backup has them, byte by byte."""

from bson.raw_bson import RawBSONDocument

from glassflow.core.store.backup_file import split
from glassflow.core.store.connection import durable

PER_WRITE = 1000


def insert(collection: str, batch: bytes) -> None:
    """Insert whole documents, which follow one another; waits for the majority."""
    rows = [RawBSONDocument(bytes(one)) for one in split(batch)]
    for start in range(0, len(rows), PER_WRITE):
        durable(collection).insert_many(rows[start : start + PER_WRITE], ordered=False)
