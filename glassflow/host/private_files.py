"""Files that only their owner may read: DATA_DIR has password hashes and secrets."""

import os
import stat
from pathlib import Path

UMASK = 0o077  # of processes that write into DATA_DIR
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_private(folder: Path) -> None:
    """Let only the owner use a directory and what is in it.

    An earlier release made files that every user of the machine could read. Files of
    another owner stay as they are. Symbolic links are not followed.
    """
    _close(folder)
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            _close(Path(parent, name))


def is_exposed(path: Path) -> bool:
    """Return whether other users of the machine may use a file or a directory."""
    try:
        mode = path.lstat().st_mode
    except OSError:  # not there, or removed meanwhile
        return False
    return bool(mode & OTHERS) and not stat.S_ISLNK(mode)


def _close(path: Path) -> None:
    if not is_exposed(path):
        return
    try:
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~OTHERS)
    except OSError:  # removed meanwhile, or of another owner
        return
