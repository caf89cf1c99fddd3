"""Backups by the settings BACKUP_…: made in time, and only so many are kept."""

import re
from pathlib import Path

from glassflow.core.process import clock
from glassflow.services.backups import making, records
from glassflow.services.backups.making import Made

OWN = re.compile(r"\.?glassflow-\d{8}T\d{6}Z\.tar(\.part)?")


def is_due(every_s: int) -> bool:
    """Return whether the last backup, of whoever, is older than so many seconds."""
    found = records.last()
    return found is None or found.age_s >= every_s


def make(folder: Path, *, keep: int) -> Made:
    """Make a backup in a folder, named by the time, and delete the older ones there.

    Other files of the folder stay. Raises what `making.make` raises.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = making.make(folder / f"glassflow-{clock.now():%Y%m%dT%H%M%SZ}.tar")
    _delete_older(folder, made.path, keep)
    return made


def _delete_older(folder: Path, newest: Path, keep: int) -> None:
    """Delete what was made here before: too old backups, and parts of killed attempts."""
    own = [path for path in folder.iterdir() if OWN.fullmatch(path.name)]
    whole = sorted(path for path in own if path.suffix == ".tar" and path != newest)
    parts = [path for path in own if path.suffix == ".part"]
    for path in (*whole[: max(0, len(whole) - keep + 1)], *parts):
        path.unlink(missing_ok=True)
