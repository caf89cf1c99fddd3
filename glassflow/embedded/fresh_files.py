"""New files of the embedded store, which take the place of its files as a whole.

    DATA_DIR/db                  the files of the store
    DATA_DIR/restored/db         the new ones, until they are complete
    DATA_DIR/restored/replaced   the old ones, from then on

`DATA_DIR/restored` is a directory like DATA_DIR, in which a second store fills the new
files. They take the place of the others by two renames. A kill leaves one of the two whole,
and `settle` finishes what it has interrupted: without `db`, the new ones were complete.
"""

import os
import shutil
from pathlib import Path

FILES = "db"
BESIDE = "restored"
REPLACED = "replaced"


def beside(folder: Path) -> Path:
    """Return the directory of the new files."""
    return folder / BESIDE


def swap(folder: Path) -> None:
    """Let the new files take the place of the old ones, which stay beside them.

    No store runs on either. Raises `OSError`, with the old files in their place or as
    `settle` finds them.
    """
    _sync(beside(folder) / FILES)
    _move(folder / FILES, beside(folder) / REPLACED)
    _move(beside(folder) / FILES, folder / FILES)


def settle(folder: Path) -> None:
    """Finish what a kill has interrupted, and delete what stands beside the files."""
    new, old = beside(folder) / FILES, beside(folder) / REPLACED
    if old.exists() and not (folder / FILES).exists():
        _move(new if new.exists() else old, folder / FILES)
    shutil.rmtree(beside(folder), ignore_errors=True)


def _move(source: Path, target: Path) -> None:
    """Rename a directory, and wait until the disk has that."""
    source.rename(target)
    for parent in {source.parent, target.parent}:
        _sync(parent)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
