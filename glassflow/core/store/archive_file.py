"""A file of documents that have left the store, found by the id of the record they are about.

It is a database of SQLite, which reads one record's documents without the others and which
other programs can open. The table `documents` has a row for each record: its id, and its
documents in BSON, one after another, compressed by zlib. A file is written once and never
changed.
"""

import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from hashlib import file_digest
from pathlib import Path
from typing import Any, NamedTuple

import bson
from bson import ObjectId
from bson.codec_options import CodecOptions

OPTIONS: CodecOptions[dict[str, Any]] = CodecOptions(tz_aware=False)
RECORDS_PER_COMMIT = 1000


class Unreadable(Exception):
    """A file is not there, or is no whole archive; the text says which."""


class Written(NamedTuple):
    """What a new file has, its size in bytes and its SHA-256 as hexadecimal."""

    records: int
    documents: int
    bytes: int
    sha256: str


def write(path: Path, found: Iterable[tuple[ObjectId, list[bytes]]]) -> Written:
    """Write the documents of records, in BSON, to a new file, which only its owner can read.

    The file is on the disk when this returns. Raises `OSError`, also for a full disk.
    """
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    records = documents = 0
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            # it is a draft until it is whole: no journal has to repair it
            file.execute("PRAGMA journal_mode = OFF")
            file.execute("PRAGMA synchronous = OFF")
            file.execute(
                "CREATE TABLE documents (record BLOB PRIMARY KEY, bson BLOB NOT NULL)"
                " WITHOUT ROWID"
            )
            file.execute("BEGIN")
            for record, rows in found:
                content = zlib.compress(b"".join(rows))
                file.execute(
                    "INSERT INTO documents VALUES (?, ?)", (record.binary, content)
                )
                records, documents = records + 1, documents + len(rows)
                if records % RECORDS_PER_COMMIT == 0:
                    file.execute("COMMIT")
                    file.execute("BEGIN")
            file.execute("COMMIT")
    except sqlite3.Error as error:
        raise OSError(f"{path} cannot be written: {error}") from error
    sync(path)
    sync(path.parent)
    return Written(records, documents, path.stat().st_size, checksum(path))


def of_record(path: Path, record: ObjectId) -> list[dict[str, Any]]:
    """Return the documents of a record, as they were written; raises `Unreadable`."""
    rows = _select(path, "WHERE record = ?", (record.binary,))
    return [document for _, found in rows for document in found]


def all_documents(path: Path) -> Iterator[tuple[ObjectId, list[dict[str, Any]]]]:
    """Yield the documents of each record; raises `Unreadable`."""
    return _select(path)


def _select(
    path: Path, condition: str = "", values: tuple[Any, ...] = ()
) -> Iterator[tuple[ObjectId, list[dict[str, Any]]]]:
    # a file that nobody changes needs no locks
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as file:
            query = f"SELECT record, bson FROM documents {condition}"
            for record, content in file.execute(query, values):
                found = bson.decode_all(zlib.decompress(content), OPTIONS)
                yield ObjectId(record), found
    except (sqlite3.Error, zlib.error, bson.errors.BSONError) as error:
        raise Unreadable(f"{path}: {error}") from error


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file as hexadecimal."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def sync(path: Path) -> None:
    """Let a file or a directory be on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
