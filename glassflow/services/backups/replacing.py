"""Replaces the data of a store by those of a proved database beside them.

While the data are replaced, the collection of migrations has a mark, with which no
process starts (`core.store.migrations`). It is set when the other database is proved, and
taken away when all of it is copied; only then the other one is dropped. So a kill leaves
either the old data, without a mark, or the new ones whole in the other database, and
`finish` copies them again from the begin.

They are copied: MongoDB copies too where it renames a collection to another database. An
embedded store comes here only with other databases in its files, or with a restore that an
earlier release has begun; else its files are replaced (`restoring.NewFiles`).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from mongoengine.connection import get_connection, get_db

from glassflow.core.process import clock
from glassflow.core.store import migrations
from glassflow.core.store.backup_file import Tally
from glassflow.core.store.connection import StoreCollection, durable, other_database
from glassflow.services import prepare
from glassflow.services.backups import content, documents, proofs
from glassflow.services.prepare import IndexRefused

SUFFIX = "_restored"


class Unfinished(Exception):
    """The data could not be replaced, and no process starts until they are."""


def staged_database() -> str:
    """Return the name of the database beside that of the service."""
    return f"{get_db().name}{SUFFIX}"


@contextmanager
def staging() -> Iterator[None]:
    """Let the block use the other database, which is empty, instead of the service's."""
    name = staged_database()
    drop_staged()
    with other_database(name):
        yield


def drop_staged() -> None:
    """Drop the other database."""
    client = get_connection()
    client.drop_database(staged_database())


def mark(backup: str) -> None:
    """Mark that the data are being replaced by a backup, named by its checksum."""
    values = {"$set": {"at": clock.now(), "backup": backup}}
    _rows().update_one({"_id": migrations.RESTORING}, values, upsert=True)


def unmark() -> None:
    """Take the mark back, before anything is replaced."""
    _rows().delete_one({"_id": migrations.RESTORING})


def unfinished() -> str | None:
    """Return the checksum of the backup whose data are proved and not all copied.

    None if there is none; "" for one that an earlier release was restoring, of which there
    is half.
    """
    row = _rows().find_one({"_id": migrations.RESTORING})
    if row is None:
        return None
    return str(row.get("backup", ""))


def finish() -> None:
    """Replace all data by those of the other database, which is dropped then.

    Raises `Unfinished` where there is none, or a copy is not like its original.
    """
    client = get_connection()
    staged = client[staged_database()]
    with other_database(staged.name):
        indexes = {name: content.indexes(name) for name in content.collections()}
    if not indexes:
        raise Unfinished(f"There is no database {staged.name}.")
    for name in content.collections():
        if name != migrations.COLLECTION:
            get_db().drop_collection(name)
    try:
        for name, of_it in indexes.items():
            if name != migrations.COLLECTION:
                _copy(staged[name], of_it)
        prepare.ensure_indexes()
    except (proofs.NotProved, IndexRefused) as error:
        raise Unfinished(str(error)) from error
    _replace_migrations(staged)
    drop_staged()


def _copy(original: Any, indexes: list[Mapping[str, Any]]) -> None:
    name = original.name
    get_db().create_collection(name)
    tally = Tally()
    for batch in original.find_raw_batches({}, batch_size=content.DOCUMENTS_PER_BATCH):
        tally.add(batch)
        documents.insert(name, batch)
    proofs.prove_contents(name, tally.contents())
    proofs.create_indexes_of(name, indexes)


def _replace_migrations(staged: Any) -> None:
    """Replace what migrations are done, and take the mark away with that."""
    _rows().delete_many({"_id": {"$ne": migrations.RESTORING}})
    done = list(staged[migrations.COLLECTION].find())
    if done:
        _rows().insert_many(done)
    unmark()


def _rows() -> StoreCollection:
    return durable(migrations.COLLECTION)
