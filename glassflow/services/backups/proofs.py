"""Proves that a restored database holds what its backup says."""

from collections.abc import Mapping
from typing import NamedTuple

from mongoengine.connection import get_db
from pymongo.errors import OperationFailure

from glassflow import models
from glassflow.core.store import migrations
from glassflow.core.store.backup_file import BackupFile, Contents
from glassflow.core.store.progress import Progress, counted, silent
from glassflow.core.store.snapshot import snapshot
from glassflow.services import prepare
from glassflow.services.backups import content
from glassflow.services.prepare import IndexRefused, differences


class NotProved(Exception):
    """A restored database differs from its backup; the text says where."""


class Restored(NamedTuple):
    """A backup that was restored, and the migrations that it lacks."""

    collections: int
    documents: int
    event_head: int
    findings: Mapping[str, list[str]]
    pending: list[str]


def summary(backup: BackupFile) -> Restored:
    """Return what is restored with a backup, as its manifest says."""
    manifest = backup.manifest
    counts = [one["documents"] for one in backup.collections.values()]
    return Restored(
        len(counts),
        sum(counts),
        manifest["eventHead"],
        manifest["findings"],
        migrations.pending(manifest["migrations"]),
    )


def prove_contents(name: str, expected: Contents, progress: Progress = silent) -> None:
    """Compare before there are indexes, because some of them remove what has expired.

    Raises `NotProved`, as all here.
    """
    of = expected.documents
    stored = content.contents(
        counted(content.batches(name), progress, f"comparing {name}", of)
    )
    if (stored.documents, stored.digest) != (expected.documents, expected.digest):
        raise NotProved(
            f"{name} has {stored.documents} documents instead of "
            f"{expected.documents}, or others."
        )


def prove_findings(backup: BackupFile, progress: Progress) -> None:
    """Check events, stock and history; the checks must find what they found before."""
    with snapshot():
        head, findings = content.event_head(), {"stock": content.stock_findings()}
    findings["history"] = content.history_findings(progress, "verifying the history")
    if head != backup.manifest["eventHead"]:
        raise NotProved(f"The newest event is {head}, not the one of the backup.")
    for name, before in backup.manifest["findings"].items():
        if name in findings and findings[name] != before:
            raise NotProved(
                f"{name}: {'; '.join(findings[name]) or 'nothing is wrong'}."
            )


def create_indexes(backup: BackupFile, progress: Progress) -> None:
    """Create the indexes of the backup, and those that this release has besides."""
    of = sum(
        one["documents"] * len(one["indexes"]) for one in backup.collections.values()
    )
    done = 0
    for name, of_it in backup.collections.items():
        for index in of_it["indexes"]:
            progress(f"making the index {index['name']} of {name}", done, of)
            create_indexes_of(name, [index])
            done += of_it["documents"]
    try:
        prepare.ensure_indexes()
    except IndexRefused as error:
        raise NotProved(str(error)) from error
    missing = [f"{one.collection}.{one.index}" for one in differences(models.ALL)]
    for name, of_it in backup.collections.items():
        stored = get_db()[name].index_information()
        missing += [
            f"{name}.{index['name']}"
            for index in of_it["indexes"]
            if index["name"] not in stored
        ]
    if missing:
        raise NotProved(f"Indexes are missing: {', '.join(missing)}.")


def create_indexes_of(name: str, found: list[Mapping[str, object]]) -> None:
    """Create the indexes of a collection, as the store has described them."""
    secondary = [index for index in found if index["name"] != "_id_"]
    if not secondary:
        return
    try:
        get_db().command("createIndexes", name, indexes=secondary)
    except OperationFailure as error:
        raise NotProved(f"The indexes of {name}: {error}") from error
