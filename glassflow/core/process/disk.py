"""The free space of the directories into which the service writes."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

#: Bytes. The engine of the embedded store makes log files of 100 MB ahead.
FULL_BYTES = 100_000_000


def directories(config: Mapping[str, Any]) -> dict[str, Path]:
    """Return the directories by what they hold: `data`, and `backups` if there are any."""
    given = {"data": config["DATA_DIR"], "backups": config["BACKUP_DIR"]}
    return {name: Path(path) for name, path in given.items() if path}


def free_bytes(folder: Path) -> int | None:
    """Return the bytes that the disk of a directory has left; None if it is not there."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def is_read_only(folder: Path) -> bool:
    """Return whether nothing can be written to a directory, as after a fault of its disk."""
    return folder.exists() and not os.access(folder, os.W_OK)


def is_full(folder: Path) -> bool:
    """Return whether the disk of a directory has less than `FULL_BYTES` left."""
    free = free_bytes(folder)
    return free is not None and free < FULL_BYTES
