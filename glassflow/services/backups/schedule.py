"""Backups by the settings BACKUP_…: made in time, and only so many are kept."""

import re
from datetime import datetime
from pathlib import Path

from glassflow.core.process import clock
from glassflow.services.backups import making, records
from glassflow.services.backups.making import Made

NAME = "glassflow-%Y%m%dT%H%M%SZ.tar"
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
    made = making.make(folder / clock.now().strftime(NAME))
    _delete_older(folder, made.path, keep)
    return made


def oldest(folder: Path) -> datetime | None:
    """Return when the oldest backup of a folder was made (UTC); None if none is there."""
    try:
        whole, _ = _own(folder)
        return datetime.strptime(whole[0].name, NAME) if whole else None
    except (OSError, ValueError):  # there is no folder, or a name that is no time
        return None


def _delete_older(folder: Path, newest: Path, keep: int) -> None:
    """Delete what was made here before: too old backups, and parts of killed attempts."""
    whole, parts = _own(folder)
    older = [path for path in whole if path != newest]
    for path in (*older[: max(0, len(older) - keep + 1)], *parts):
        path.unlink(missing_ok=True)


def _own(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the backups that `make` has made, the oldest first, and parts of others."""
    own = sorted(path for path in folder.iterdir() if OWN.fullmatch(path.name))
    whole = [path for path in own if path.suffix == ".tar"]
    return whole, [path for path in own if path.suffix == ".part"]
