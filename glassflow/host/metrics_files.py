"""The directory through which the worker processes of one gunicorn master share metrics.

Each worker counts into files of its own, and whichever answers a scrape adds up all of
them. The files are named by slot: the smallest number that no live worker has. A worker
that takes over a slot goes on with its files, so that counters never decrease and the
number of files does not grow with restarts. A slot is a lock on a file, which the kernel
releases however its worker ends, also by SIGKILL.

Imports nothing that gevent patches: gunicorn's master uses it.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"  # the name is prometheus-client's
PREFIX = "glassflow-metrics-"
NEW_S = 60.0  # a younger directory may not be locked yet by its master

_held: list[int] = []  # file descriptors whose locks last as long as their processes


def create_directory() -> None:
    """Make the directory of this master, and name it to the workers that it starts.

    Directories of masters that were killed are removed.
    """
    _remove_abandoned()
    path = tempfile.mkdtemp(prefix=PREFIX)
    # The workers inherit the descriptor: it stays locked until the last of them ends.
    descriptor = os.open(path, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    _held.append(descriptor)
    os.environ[VARIABLE] = path


def remove_directory() -> None:
    """Remove the directory of this master, whose workers have ended."""
    if path := os.environ.pop(VARIABLE, None):
        shutil.rmtree(path, ignore_errors=True)


def take_slot(path: str) -> int:
    """Return a slot that no other process has as long as this one lives."""
    for slot in count():
        descriptor = os.open(Path(path, f"{slot}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        if _lock(descriptor):
            _held.append(descriptor)
            return slot
        os.close(descriptor)
    raise AssertionError("unreachable")


def slots(path: str) -> list[int]:
    """List the slots that were ever taken, by live and by dead processes."""
    return sorted(int(file.stem) for file in Path(path).glob("*.lock"))


@contextmanager
def reserved(path: str, slot: int) -> Iterator[bool]:
    """Keep others from taking a slot inside the block; False where a process has it."""
    descriptor = os.open(Path(path, f"{slot}.lock"), os.O_RDWR)
    try:
        yield _lock(descriptor)
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _remove_abandoned() -> None:
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            is_old = time.time() - path.stat().st_mtime > NEW_S
            descriptor = os.open(path, os.O_RDONLY)
        except OSError:  # another user's, or removed meanwhile
            continue
        if is_old and _lock(descriptor):
            shutil.rmtree(path, ignore_errors=True)
        os.close(descriptor)
