"""Restores a backup, and proves that the store then is what was backed up.

The file is read as a whole before anything changes. Its data are stored beside those of
the service and proved there. Then they replace those: on MongoDB from a database beside
the service's (`replacing`); the embedded store goes on with the files of a second one
(`NewFiles`). A restore that is killed leaves the old data, or the new ones, whole.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from mongoengine.connection import get_connection, get_db
from pymongo.errors import OperationFailure

from glassflow import models, runtime
from glassflow.core.access import rate_limits
from glassflow.core.events import event_numbers, publisher_lease
from glassflow.core.process import clock
from glassflow.core.store import lease, migrations, service_processes
from glassflow.core.store.backup_file import BackupFile
from glassflow.core.store.connection import other_store
from glassflow.core.store.progress import Progress, counted, silent
from glassflow.services import archives
from glassflow.services.backups import content, documents, proofs, replacing
from glassflow.services.backups.proofs import NotProved, Restored

UNAUTHORIZED = 13  # MongoDB's error code


#: What a restore leaves as it is: counted attempts to log in, and when backups were made.
LEFT = (rate_limits.COLLECTION, content.RECORDS)
#: Bytes on the disk for each byte of a document: its records, and entries of indexes.
ROOM = 1.7


class Refused(Exception):
    """A backup is not restored, and nothing has changed; the text says why."""


class NewFiles(Protocol):
    """An embedded store that nobody else uses, and which can replace all its files."""

    #: Those that it has besides the service's.
    databases: frozenset[str]

    def free_bytes(self) -> int:
        """Return how many bytes the disk of the files has left."""

    def beside(self) -> AbstractContextManager[str]:
        """Return the address of a second store on new files, for a block."""

    def take_place(self) -> None:
        """Let the new files take the place of the others; the address stays."""


def restore(
    path: Path,
    *,
    replace: bool,
    files: NewFiles | None = None,
    progress: Progress = silent,
) -> Restored:
    """Restore a backup into a store without records, or `replace` all that it holds.

    `files` are those of an embedded store. The archives of pane logs that are beside the
    backup are copied to where the service reads them. A restore that was killed while it
    replaced the data in a database is finished first. Raises `Damaged`, `Refused` and
    `NotProved`, with nothing changed, and `Unfinished`, after which no process starts on the
    store.
    """
    backup = checked(path, progress)
    with alone():
        killed = replacing.unfinished()
        if killed:
            replacing.finish()
        if killed != backup.checksum:
            _replace_all_by(backup, replace, files, progress, is_half=killed == "")
        archives.copy_missing(path.parent, runtime.current().archive_folder)
    return proofs.summary(backup)


def _replace_all_by(
    backup: BackupFile,
    replace: bool,
    files: NewFiles | None,
    progress: Progress,
    *,
    is_half: bool,
) -> None:
    if not replace and not is_half:
        _refuse_records()
    replace_all(
        lambda: _store(backup, progress),
        files,
        size=sum(one["bytes"] for one in backup.collections.values()),
        name=backup.checksum,
        is_half=is_half,
    )


def finish() -> bool:
    """Finish a restore that was killed while it replaced the data; return if there was one.

    Raises `Refused`, with nothing changed, and `Unfinished`.
    """
    with alone():
        killed = replacing.unfinished()
        if killed == "":
            raise Refused(
                "An earlier release was killed while it restored: run `flask restore FILE`."
            )
        if killed is None:
            return False
        replacing.finish()
    return True


def checked(path: Path, progress: Progress = silent) -> BackupFile:
    """Return a backup that is whole, and not that of a newer release.

    Raises `Damaged` and `Refused`.
    """
    backup = BackupFile(path)
    backup.verify(
        watched=lambda name, found: counted(
            found, progress, f"reading {name}", backup.contents(name).documents
        )
    )
    if migrations.is_newer(backup.manifest["migrations"]):
        raise Refused(
            "A newer release of glassflow has made this backup: restore it there."
        )
    return backup


@contextmanager
def alone() -> Iterator[None]:
    """Keep other restores and migrations away; raises `Refused` if the service runs."""
    with lease.held(migrations.COLLECTION, on_wait=_refuse):
        _refuse_use()
        yield


def _refuse(owner: str) -> None:
    raise Refused(f"Another process ({owner}) migrates or restores this store.")


def _refuse_use() -> None:
    publisher = publisher_lease.holder()
    owners = service_processes.running() or ([publisher] if publisher else [])
    if owners:
        raise Refused(
            f"The service (process {', '.join(owners)}) uses this store: stop it first. "
            "One that was killed counts for a minute, if it was of another machine."
        )


def _refuse_records() -> None:
    filled = [m.__name__ for m in models.ALL if m.collection().find_one({}, {})]
    if filled:
        raise Refused(
            f"The store has records ({', '.join(filled)}): `--replace` deletes all that "
            "it holds."
        )


def _store(backup: BackupFile, progress: Progress) -> None:
    """Store the backup in the database that is in use, and prove it there."""
    for name in backup.collections:
        get_db().create_collection(name)
        expected = backup.contents(name)
        found = backup.batches(name)
        step = f"storing {name}"
        for batch in counted(found, progress, step, expected.documents):
            documents.insert(name, batch)
        proofs.prove_contents(name, expected, progress)
    proofs.prove_findings(backup, progress)
    proofs.create_indexes(backup, progress)
    event_numbers.skip_to(first_unused_number())


def replace_all(
    fill: Callable[[], None],
    files: NewFiles | None,
    *,
    size: int,
    name: str,
    is_half: bool = False,
) -> None:
    """Replace all data by those that `fill` stores in the database that is then in use.

    They have `size` bytes, and a `name` by which a repeated command knows what was killed.
    `is_half` says that the present ones are half a backup, on which no process may start
    any more. A process that has started meanwhile is noticed before anything is replaced.
    Raises `Refused`, and what `fill` raises, with nothing changed.
    """
    if files is not None and not _others(files):
        _replace_files(fill, files, size)
        return
    try:
        with _staging():
            fill()
    except NotProved:
        replacing.drop_staged()
        raise
    _replace_by_staged(name, is_half=is_half)


def _others(files: NewFiles) -> set[str]:
    """Return the databases in the files that are not of this service, and have to stay."""
    names = set(get_connection().list_database_names()) - files.databases
    return names - {get_db().name, replacing.staged_database()}


def _replace_files(fill: Callable[[], None], files: NewFiles, size: int) -> None:
    needed, free = round(ROOM * size), files.free_bytes()
    if free < needed:
        raise Refused(
            f"The disk has {free / 1e6:,.0f} MB free, and this needs {needed / 1e6:,.0f} "
            "MB beside the present data."
        )
    left = {name: list(get_db()[name].find()) for name in LEFT}
    with files.beside() as uri:
        with other_store(uri):
            fill()
            for name, rows in left.items():
                if rows:
                    get_db()[name].insert_many(rows)
        _refuse_use()
        files.take_place()


@contextmanager
def _staging() -> Iterator[None]:
    """Let the block use the database beside the service's; raises `Refused` if none may."""
    try:
        with replacing.staging():
            yield
    except OperationFailure as error:
        if error.code != UNAUTHORIZED:
            raise
        raise Refused(
            f"The user of MONGODB_URI may not write the database "
            f"{replacing.staged_database()}, which this needs: grant that."
        ) from error


def first_unused_number() -> int:
    """Return a number that no event has which was published since a backup was made.

    Clients may have received those events, also of a store that no longer exists, and must
    not take others for what follows them. So it is the time in milliseconds: no log grows
    by a thousand events a second from one restore to the next.
    """
    return round(clock.epoch_s(clock.now()) * 1000)


def _replace_by_staged(name: str, *, is_half: bool) -> None:
    replacing.mark(name)
    try:
        _refuse_use()
    except Refused:
        if not is_half:
            replacing.unmark()
            replacing.drop_staged()
        raise
    replacing.finish()
