"""The store that comes along: SecantusDB as a child process, for one workshop.

It speaks MongoDB's protocol on a free loopback port and keeps its files under
`DATA_DIR/db`. `DATA_DIR/store.json` says where it answers, so that commands find the
running one. It ends with the process that started it; a second one on the same files
is refused. It is not for production: there, MONGODB_URI names a replica set.
"""

import os
import signal
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from glassflow.core import store_note
from glassflow.core.store_ping import answers
from glassflow.core.store_process import Store, StoreError, launch, wait_for

__all__ = ["Store", "StoreError", "find", "open_store", "start"]

ORPHAN_SECONDS = 8.0


def find(data_dir: str) -> str | None:
    """Return the URI of the store that runs on these files and answers, if any does."""
    note = _running(Path(data_dir))
    return note.uri if note else None


def start(data_dir: str, *, port: int | None = None) -> Store:
    """Start the store on these files and wait until it answers.

    Raises `StoreError` if it is not installed, if another one has the files, or if it
    does not come up.
    """
    folder = Path(data_dir).absolute()
    _refuse_a_second(folder)
    _make(folder)
    store = launch(folder, port or free_port())
    try:
        wait_for(store)
        note = store_note.Note(store.uri, store.process.pid, store.port, store.owner)
        store_note.write(folder, note)
    except BaseException:
        store.stop()
        raise
    return store


@contextmanager
def open_store(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the URI to use: MONGODB_URI, else the running store's, else one's own.

    A store started here is stopped at the end of the block.
    """
    uri = settings["MONGODB_URI"] or find(settings["DATA_DIR"])
    if uri:
        yield uri
        return
    store = start(settings["DATA_DIR"])
    try:
        yield store.uri
    finally:
        store.stop()


def _running(folder: Path) -> store_note.Note | None:
    note = store_note.read(folder)
    if note and store_note.runs(note.pid) and answers(note.port):
        return note
    return None


def _refuse_a_second(folder: Path) -> None:
    _let_an_orphan_end(folder)
    note = _running(folder)
    if note:
        raise StoreError(
            f"Another glassflow (process {note.owner}, its store is process "
            f"{note.pid}) uses the data in {folder} already: stop it first, or choose "
            "another DATA_DIR."
        )


def _let_an_orphan_end(folder: Path) -> None:
    """Wait for a store whose owner was killed: it is ending, or hangs and is killed."""
    note = store_note.read(folder)
    if note is None or store_note.runs(note.owner):
        return
    deadline = time.monotonic() + ORPHAN_SECONDS
    while _is_a_store_on(folder, note.pid):
        if time.monotonic() > deadline:
            os.kill(note.pid, signal.SIGKILL)  # what it acknowledged is on disk
        time.sleep(0.02)


def _is_a_store_on(folder: Path, pid: int) -> bool:
    """Tell whether this number is still a store's on these files, nobody else's."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return os.fsencode(folder / "db") in command


def _make(folder: Path) -> None:
    try:
        (folder / "db").mkdir(parents=True, exist_ok=True)
        # named on the command line, so that no settings file of the user's is found
        (folder / "store.toml").write_text("# made by glassflow: no settings\n")
    except OSError as error:
        raise StoreError(
            f"DATA_DIR {folder} cannot be used: {error.strerror}."
        ) from error


def free_port() -> int:
    """Return a loopback port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
