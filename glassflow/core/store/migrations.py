"""Migrations: numbered steps that bring the data of an earlier release up to date.

A step is a file of `FOLDER`, `0001_photos_to_files.py`, with a function `up(db)`. It runs
once in a store, and then its name is in the collection `migrations`. It may run again
after it was killed halfway, so it must be repeatable. Processes of the release before may
run meanwhile (a rolling upgrade), so they must be able to read what it leaves, and this
release must be able to read what it has not reached yet.

The newest step is the store's release: code that does not know it is too old to start.
"""

import importlib.util
import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from mongoengine.connection import get_db

from glassflow.core.process import clock
from glassflow.core.store import lease

COLLECTION = "migrations"
FOLDER = Path(__file__).parents[2] / "migrations"
STEP = re.compile(r"[0-9]{4}_")
# Stands in the collection, beside the names of steps, while all data are being replaced.
RESTORING = "restoring"

NEWER = (
    "A newer release of glassflow has migrated this store: start that release, or "
    "restore a backup of this one."
)


RESTORE_UNFINISHED = (
    "The data of this store are being replaced (`flask restore`, `flask demo clear`), or "
    "were, and that did not get to its end: wait for the command, or run it again."
)


class UnusableStore(Exception):
    """This release must not use the data of the store; the text says why."""


def known() -> list[str]:
    """Return the names of the steps of this release, in their order."""
    return sorted(path.stem for path in FOLDER.glob("[0-9][0-9][0-9][0-9]_*.py"))


def done() -> set[str]:
    """Return the names of the steps that this store has behind it."""
    rows = get_db()[COLLECTION].find({}, {"_id": 1})
    return {row["_id"] for row in rows if _is_step(row["_id"])}


def pending(done_steps: Iterable[str]) -> list[str]:
    """Return the steps of this release that are not among those done, in their order."""
    return [name for name in known() if name not in set(done_steps)]


def is_newer(done_steps: Iterable[str]) -> bool:
    """Return whether a store with these steps belongs to a newer release."""
    newest = max(map(_number, known()), default=0)
    return any(_number(name) > newest for name in done_steps)


def run(*, on_wait: Callable[[str], None] = lambda owner: None) -> Iterator[str]:
    """Run the pending steps, one process at a time; yield the name of each that is done.

    Where another process migrates, wait for its end; `on_wait` is called with its name.
    Raises `UnusableStore`, with nothing changed, and whatever a step raises.
    """
    refuse_unusable()
    if not pending(done()):
        return
    with lease.held(COLLECTION, on_wait=on_wait):
        refuse_unusable()
        for name in pending(done()):
            began = time.monotonic()
            _load(name).up(get_db())
            _record(name, time.monotonic() - began)
            yield name


def why_unusable(rows: Iterable[Any]) -> str | None:
    """Return why a store with these documents in the collection must not be used."""
    ids = [row["_id"] for row in rows]
    if RESTORING in ids:
        return RESTORE_UNFINISHED
    return NEWER if is_newer(filter(_is_step, ids)) else None


def refuse_unusable() -> None:
    """Raise `UnusableStore` if a newer release, or half a backup, is in the store."""
    if sentence := why_unusable(get_db()[COLLECTION].find({}, {"_id": 1})):
        raise UnusableStore(sentence)


def refuse_unfinished_restore() -> None:
    """Raise `UnusableStore` if half a backup is in the store."""
    if get_db()[COLLECTION].find_one({"_id": RESTORING}):
        raise UnusableStore(RESTORE_UNFINISHED)


def _record(name: str, seconds: float) -> None:
    # no error if another process has done the same: see `core.store.lease`
    values = {"at": clock.now(), "seconds": round(seconds, 3)}
    get_db()[COLLECTION].update_one({"_id": name}, {"$set": values}, upsert=True)


def _load(name: str) -> ModuleType:
    """Import the file of a step, whose name is not one that `import` could write."""
    path = FOLDER / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"glassflow.migrations.{name}", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _is_step(name: Any) -> bool:
    """Return whether an id in the collection is a step's name; other programs may use it."""
    return isinstance(name, str) and STEP.match(name) is not None


def _number(name: str) -> int:
    return int(name.partition("_")[0])
