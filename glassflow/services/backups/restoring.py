"""Restores a backup, and proves that the store then is what was backed up.

The file is read as a whole before anything changes. Its data are stored in a database
beside that of the service and proved there; then they replace what the service's has
(`replacing`). A restore that is killed leaves the old data, or the new ones, whole.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mongoengine.connection import get_db
from pymongo.errors import OperationFailure

from glassflow import models
from glassflow.core.events import event_numbers, publisher_lease
from glassflow.core.process import clock
from glassflow.core.store import lease, migrations, service_processes
from glassflow.core.store.backup_file import BackupFile
from glassflow.services.backups import documents, proofs, replacing
from glassflow.services.backups.proofs import NotProved, Restored

UNAUTHORIZED = 13  # MongoDB's error code


class Refused(Exception):
    """A backup is not restored, and nothing has changed; the text says why."""


def restore(path: Path, *, replace: bool) -> Restored:
    """Restore a backup into a store without records, or `replace` all that it holds.

    A restore that was killed while it replaced the data is finished first. Raises
    `Damaged`, `Refused` and `NotProved`, with nothing changed, and `Unfinished`, after
    which no process starts on the store.
    """
    backup = checked(path)
    with alone():
        killed = replacing.unfinished()
        if killed:
            replacing.finish()
            if killed == backup.checksum:
                return proofs.summary(backup)
        is_half = killed == ""
        if not replace and not is_half:
            _refuse_records()
        _stage(backup)
        replace_by_staged(backup.checksum, is_half=is_half)
    return proofs.summary(backup)


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


def checked(path: Path) -> BackupFile:
    """Return a backup that is whole, and not that of a newer release.

    Raises `Damaged` and `Refused`.
    """
    backup = BackupFile(path)
    backup.verify()
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


def _stage(backup: BackupFile) -> None:
    """Store the backup in the database beside the service's, and prove it there."""
    try:
        with staging():
            for name in backup.collections:
                get_db().create_collection(name)
                for batch in backup.batches(name):
                    documents.insert(name, batch)
                proofs.prove_contents(name, backup.contents(name))
            proofs.prove_findings(backup)
            proofs.create_indexes(backup)
            event_numbers.skip_to(first_unused_number())
    except NotProved:
        replacing.drop_staged()
        raise


@contextmanager
def staging() -> Iterator[None]:
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


def replace_by_staged(checksum: str, *, is_half: bool = False) -> None:
    """Replace the data; a process that has started meanwhile is noticed before.

    `checksum` is that of the backup, by which a repeated command knows what was killed.
    `is_half` says that they are half a backup, on which no process may start any more.
    """
    replacing.mark(checksum)
    try:
        _refuse_use()
    except Refused:
        if not is_half:
            replacing.unmark()
            replacing.drop_staged()
        raise
    replacing.finish()
