"""Stores documents as a backup has them, byte by byte."""

from bson.raw_bson import RawBSONDocument
from mongoengine.connection import get_db

from glassflow.core.store.backup_file import split

PER_WRITE = 2000


def insert(collection: str, batch: bytes) -> None:
    """Insert whole documents, which follow one another."""
    rows = [RawBSONDocument(bytes(one)) for one in split(batch)]
    for start in range(0, len(rows), PER_WRITE):
        get_db()[collection].insert_many(rows[start : start + PER_WRITE], ordered=False)
