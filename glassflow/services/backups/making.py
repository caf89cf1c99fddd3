"""Makes a backup, while the service runs, that shows the store at one moment."""

import errno
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pymongo
from mongoengine.connection import get_db
from pymongo.errors import ConnectionFailure, PyMongoError

from glassflow import __version__, runtime
from glassflow.core.process import clock, deadlines, native_threads
from glassflow.core.store import migrations
from glassflow.core.store.backup_file import BackupWriter
from glassflow.core.store.progress import Progress, counted, silent
from glassflow.core.store.snapshot import snapshot
from glassflow.services import archives
from glassflow.services.backups import content, records

ATTEMPTS = 3  # a process that starts may end all transactions of the embedded store


class Made(NamedTuple):
    """A backup that was made: sizes, the newest event's number, what proofs found.

    `took_s` is how many seconds that took.
    """

    path: Path
    bytes: int
    collections: int
    documents: int
    event_head: int
    findings: Mapping[str, list[str]]
    took_s: float


def make(path: Path, progress: Progress = silent) -> Made:
    """Write a backup of the store to a new file, which only its owner can read.

    It takes as long as it takes, but a store that hangs ends it. The file has its name when
    it is whole, and the archives of pane logs are beside it. Raises `FileExistsError`,
    `OSError`, `UnusableStore` while a backup is restored, and `PyMongoError`.
    """
    if path.exists():
        raise FileExistsError(f"{path} exists already")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"There is no directory {path.parent}")
    migrations.refuse_unfinished_restore()
    draft = path.with_name(f".{path.name}.part")
    begun = time.monotonic()
    of_history = content.history_findings(progress, "verifying the history")
    try:
        made = _write_repeatedly(path, draft, of_history, progress)
        made = made._replace(took_s=time.monotonic() - begun)
        archives.copy_missing(runtime.current().archive_folder, path.parent)
        os.rename(draft, path)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise OSError(f"The disk of {path.parent} is full") from error
        raise
    finally:
        draft.unlink(missing_ok=True)
    records.store(
        made.path, size=made.bytes, documents=made.documents, took_s=made.took_s
    )
    return made


def _write_repeatedly(
    path: Path, draft: Path, of_history: list[str], progress: Progress
) -> Made:
    """Write the archive, again where the store has ended the snapshot."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _write(path, draft, of_history, progress)
        except PyMongoError as error:
            if isinstance(error, ConnectionFailure) or attempt == ATTEMPTS:
                raise
    raise AssertionError("unreachable")


def _write(path: Path, draft: Path, of_history: list[str], progress: Progress) -> Made:
    indexes = {name: content.indexes(name) for name in content.collections()}
    counts = {name: content.count(name) for name in indexes}
    # a file that is there already may be another user's, and keep its mode
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        writer = BackupWriter(file, get_db().name)
        with snapshot():
            with pymongo.timeout(deadlines.LONG_WORK_TIMEOUT_S):
                facts = _facts(of_history)
            for name, of_it in indexes.items():
                found = counted(content.batches(name), progress, name, counts[name])
                writer.add(name, found, of_it)
        writer.finish(facts)
        size = file.tell()
        file.flush()
        native_threads.run_apart(os.fsync, file.fileno())
    return Made(
        path,
        size,
        len(indexes),
        writer.documents,
        facts["eventHead"],
        facts["findings"],
        took_s=0,
    )


def _facts(of_history: list[str]) -> dict[str, Any]:
    """Return what the manifest says of the store; in the snapshot.

    The findings are what is wrong with it: a restored store must have the same.
    """
    return {
        "glassflow": __version__,
        "madeAt": clock.now().isoformat(timespec="seconds"),
        "migrations": sorted(migrations.done()),
        "eventHead": content.event_head(),
        "findings": {"stock": content.stock_findings(), "history": of_history},
    }
