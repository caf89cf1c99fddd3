"""Pane logs of finished work, moved out of the store into files beside it.

After years the logs are most records of a store, and nobody lists old ones: the timeline
and the passport of a pane ask for them, which read the files. What a figure or a paper
needs stays in the store: panes, orders, requests, quotes, deliveries, entries and claims.
Of the logs these stay:

- those of a pane that is open, or has changed since `until`;
- the newest one of a pane, by which scans, undoing and deletes know that it has been worked on;
- those with pictures, which belong to a record of the store;
- one of each worker, so that a worker who has worked is not deleted.

Each run writes one file and never changes an earlier one. A row of `archives` names it, and
only then its logs leave the store. So a command that is killed leaves each log in the store,
in the file, or in both; a reader shows it once.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import bson
from bson import ObjectId
from mongoengine.connection import get_db

from glassflow import runtime
from glassflow.core.process import clock, native_threads
from glassflow.core.store import archive_file, lease
from glassflow.core.store.archive_file import Unreadable
from glassflow.core.store.backup_file import split
from glassflow.core.store.connection import StoreCollection
from glassflow.core.store.progress import Progress, silent
from glassflow.core.store.timed_reads import in_time
from glassflow.domain.panes.status import TERMINAL, Status
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog

COLLECTION = "archives"
#: The reports of the office look back so far.
LEAST_AGE = timedelta(days=90)
PANES_PER_READ = 100
LOGS_PER_WRITE = 100
FINISHED = {
    "currentStatus": {"$in": sorted(TERMINAL - {Status.CLAIMED})},
    "heldFrom": None,  # no claim waits for a decision
}

Row = dict[str, Any]


class Refused(Exception):
    """Nothing is moved; the text says why."""


class ArchiveFile(NamedTuple):
    """A file with logs older than `until`, written `at` (UTC); `bytes` is its size.

    `is_there` is whether this machine has it.
    """

    name: str
    at: datetime
    until: datetime
    panes: int
    logs: int
    bytes: int
    is_there: bool


class Archived(NamedTuple):
    """The archived logs of a pane, and the files that should be read and cannot be."""

    rows: list[Row]
    missing: list[str]


def files() -> list[ArchiveFile]:
    """Return the files that the store names, the oldest first."""
    return [
        ArchiveFile(
            row["_id"],
            row["at"],
            row["until"],
            row["panes"],
            row["logs"],
            row["bytes"],
            _has_size(_path(row["_id"]), row),
        )
        for row in _rows()
    ]


def of_pane(pane: ObjectId) -> Archived:
    """Return what the files have of a pane, and which of them are not there or damaged."""
    rows: list[Row] = []
    missing: list[str] = []
    for row in _rows():
        try:
            rows += archive_file.of_record(_path(row["_id"]), pane)
        except Unreadable:
            if pane.generation_time.replace(tzinfo=None) < row["until"]:
                missing.append(row["_id"])
    return Archived(rows, missing)


def move(older_than: timedelta, progress: Progress = silent) -> ArchiveFile | None:
    """Move the logs of work that was finished so long ago; None if there are none.

    What a killed command has begun is finished first. Raises `Refused`, `OSError` and
    `Unreadable`, with no log lost.
    """
    if older_than < LEAST_AGE:
        raise Refused(f"Work of the last {LEAST_AGE.days} days is not archived.")
    with _alone():
        for row in _rows():
            if not row["isMoved"]:
                _delete_logs(row, progress)
        now = clock.now()
        until = now - older_than
        path = _path(f"pane-logs-{now:%Y%m%dT%H%M%SZ}.sqlite")
        made = _write(path, until, progress)
        if made is None:
            return None
        row = {
            "_id": path.name,
            "at": now,
            "until": until,
            "panes": made.records,
            "logs": made.documents,
            "bytes": made.bytes,
            "sha256": made.sha256,
            "isMoved": False,
        }
        _collection().insert_one(row)
        _delete_logs(row, progress)
    return next(one for one in files() if one.name == path.name)


def put_back(name: str, progress: Progress = silent) -> int:
    """Store the logs of a file again, and delete the file; return how many were stored.

    A log that the store has stays as it is. Raises `Refused` and `Unreadable`.
    """
    with _alone():
        row = _collection().find_one({"_id": name})
        if row is None:
            raise Refused(f"The store names no archive {name}.")
        path = _path(name)
        stored = done = 0
        for logs in _logs_of(path):
            stored += _store_missing(logs)
            done += len(logs)
            progress("storing logs", done, row["logs"])
        _collection().delete_one({"_id": name})
        path.unlink()
    return stored


def damages() -> dict[str, str]:
    """Read all files, and return by name what is wrong with those that are not as written."""
    found = {}
    for row in _rows():
        path = _path(row["_id"])
        if not path.is_file():
            found[row["_id"]] = f"is not in {path.parent}"
        elif archive_file.checksum(path) != row["sha256"]:
            found[row["_id"]] = "is not as it was written"
    return found


def unnamed() -> list[str]:
    """Return the files that the store does not name: a command that wrote one was killed.

    Or the store was restored as it was before. Their logs are in the store.
    """
    named = {row["_id"] for row in _rows()}
    found = runtime.current().archive_folder.glob("pane-logs-*.sqlite")
    return sorted(path.name for path in found if path.name not in named)


def copy_missing(source: Path, target: Path) -> list[str]:
    """Copy the files that the store names into a directory that lacks them; return which.

    A backup takes them along, and a restore brings them back. `source` may lack some, too.
    """
    copied = []
    for row in _rows():
        old, new = source / row["_id"], target / row["_id"]
        if not _has_size(old, row) or _has_size(new, row):
            continue
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        native_threads.run_apart(_copy, old, new)
        copied.append(new.name)
    return copied


def _copy(old: Path, new: Path) -> None:
    draft = _draft_of(new)
    draft.touch(mode=0o600)
    shutil.copyfile(old, draft)
    archive_file.sync(draft)
    draft.rename(new)


def _write(
    path: Path, until: datetime, progress: Progress
) -> archive_file.Written | None:
    """Write the logs that may leave the store to a new file; None if there are none."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = _draft_of(path)
    try:
        made = archive_file.write(draft, _movable(until, progress))
        if not made.records:
            return None
        draft.rename(path)
    finally:
        draft.unlink(missing_ok=True)
    archive_file.sync(path.parent)
    return made


def _movable(
    until: datetime, progress: Progress
) -> Iterator[tuple[ObjectId, list[bytes]]]:
    """Yield the logs that may leave the store, by pane, in BSON."""
    workers: set[Any] = set()  # of whom the store keeps a log
    panes = Pane.collection().estimated_document_count()
    for seen, pane, logs in _finished(until):
        progress("reading logs of panes", seen, panes)
        *earlier, newest = logs
        workers.add(newest.facts.get("worker"))
        if newest.facts["createdAt"] >= until:
            continue
        moved = []
        for log in earlier:
            worker = log.facts.get("worker")
            if log.facts.get("photos") or worker not in workers:
                workers.add(worker)
            else:
                moved.append(log.document)
        if moved:
            yield pane, moved


class _Log(NamedTuple):
    facts: Row
    document: bytes


def _finished(until: datetime) -> Iterator[tuple[int, ObjectId, list[_Log]]]:
    """Yield the panes that are finished since `until`, with their logs, the oldest first.

    With each, how many panes have been looked at.
    """
    seen = 0
    finished = {**FINISHED, "updatedAt": {"$lt": until}}
    for portion in _portions_of_panes():
        seen += len(portion)
        found = Pane.collection().find(
            {"_id": {"$in": portion}, **finished}, {"_id": 1}
        )
        wanted = [row["_id"] for row in found]
        logs: dict[ObjectId, list[_Log]] = {}
        query = {"pane": {"$in": wanted}}
        for batch in in_time(PaneLog.collection().find_raw_batches(query)):
            for document in map(bytes, split(batch)):
                facts = bson.decode(document)
                logs.setdefault(facts["pane"], []).append(_Log(facts, document))
        for pane, of_it in logs.items():
            yield seen, pane, sorted(of_it, key=_age)


def _portions_of_panes() -> Iterator[list[ObjectId]]:
    last = None
    while True:
        query: Row = {"_id": {"$gt": last}} if last else {}
        found = Pane.collection().find(query, {"_id": 1}).sort("_id", 1)
        portion = [row["_id"] for row in found.limit(PANES_PER_READ)]
        if not portion:
            return
        yield portion
        last = portion[-1]


def _age(log: _Log) -> tuple[datetime, ObjectId]:
    """Return what `undo.newest_log` sorts by."""
    return log.facts["createdAt"], log.facts["_id"]


def _delete_logs(row: Row, progress: Progress) -> None:
    """Delete from the store what a file has; what cannot be read there stays."""
    done = 0
    for logs in _logs_of(_path(row["_id"])):
        PaneLog.collection().delete_many({"_id": {"$in": [one["_id"] for one in logs]}})
        done += len(logs)
        progress("deleting logs", done, row["logs"])
    _collection().update_one({"_id": row["_id"]}, {"$set": {"isMoved": True}})


def _logs_of(path: Path) -> Iterator[list[Row]]:
    """Yield the logs of a file, some at a time."""
    logs: list[Row] = []
    for _, found in archive_file.all_documents(path):
        logs += found
        if len(logs) >= LOGS_PER_WRITE:
            yield logs
            logs = []
    if logs:
        yield logs


def _store_missing(logs: list[Row]) -> int:
    ids = [one["_id"] for one in logs]
    query = {"_id": {"$in": ids}}
    there = {row["_id"] for row in PaneLog.collection().find(query, {"_id": 1})}
    missing = [one for one in logs if one["_id"] not in there]
    if missing:
        PaneLog.collection().insert_many(missing)
    return len(missing)


@contextmanager
def _alone() -> Iterator[None]:
    """Keep other commands away from the archive; raises `Refused` if one is at work."""
    with lease.held("archive", on_wait=_refuse):
        yield


def _refuse(owner: str) -> None:
    raise Refused(f"Another process ({owner}) writes or puts back an archive.")


def _path(name: str) -> Path:
    return runtime.current().archive_folder / name


def _draft_of(path: Path) -> Path:
    """Return the name of a file while it is not whole; what a killed one left is deleted."""
    draft = path.with_name(f".{path.name}.part")
    draft.unlink(missing_ok=True)
    return draft


def _has_size(path: Path, row: Row) -> bool:
    try:
        return path.stat().st_size == int(row["bytes"])
    except OSError:
        return False


def _rows() -> list[Row]:
    return list(_collection().find().sort("at", 1))


def _collection() -> StoreCollection:
    return get_db()[COLLECTION]
