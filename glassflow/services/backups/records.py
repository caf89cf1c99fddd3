"""When the last backup of a store was made, kept in the store for all its processes."""

import socket
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from mongoengine.connection import get_db

from glassflow.core.process import clock
from glassflow.core.store.connection import StoreCollection
from glassflow.services.backups import content

LAST, FAILED = "last", "failed"
LATE_AFTER = 2  # times the interval of the schedule


class Last(NamedTuple):
    """The last backup: when it was made (UTC), where it is, and its size in bytes.

    `took_s` is how many seconds it took; None for one that an earlier release made.
    """

    at: datetime
    file: str
    host: str
    size: int
    took_s: float | None

    @property
    def age_s(self) -> float:
        """Its age in seconds."""
        # a time in the far future comes from a wrong clock, and is no recent one either
        return abs((clock.now() - self.at).total_seconds())


def store(path: Path, *, size: int, documents: int, took_s: float) -> None:
    """Record that a backup was made; an attempt that failed before it is forgotten."""
    values = {"bytes": size, "documents": documents, "seconds": round(took_s, 1)}
    _set(LAST, {"file": str(path.absolute()), **values})
    _records().delete_one({"_id": FAILED})


def store_failure(reason: str) -> None:
    """Record that a scheduled backup failed."""
    _set(FAILED, {"reason": reason})


def last() -> Last | None:
    """Return the last backup; None if there was none."""
    row = _records().find_one({"_id": LAST})
    if row is None:
        return None
    return Last(row["at"], row["file"], row["host"], row["bytes"], row.get("seconds"))


def failure() -> str | None:
    """Return why the attempts since the last backup failed; None if none did."""
    row = _records().find_one({"_id": FAILED})
    return row["reason"] if row else None


def is_late(found: Last | None, every_s: int) -> bool:
    """Return whether a backup is overdue that is due every so many seconds; 0: never."""
    return bool(every_s) and (found is None or found.age_s > LATE_AFTER * every_s)


def _set(name: str, values: dict[str, Any]) -> None:
    row = {"at": clock.now(), "host": socket.gethostname(), **values}
    _records().replace_one({"_id": name}, row, upsert=True)


def _records() -> StoreCollection:
    return get_db()[content.RECORDS]
