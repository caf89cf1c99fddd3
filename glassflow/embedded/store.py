"""The embedded store: SecantusDB as a child process, for one workshop.

It speaks MongoDB's protocol on a free loopback port and keeps its files under
`DATA_DIR/db`. `DATA_DIR/store.json` holds its address, so that commands find the
running one. The address has the password that the store asks for; each start makes a new
one, which is stored nowhere else. It ends with the process that started it; a second one
on the same files is refused. It is not for production: there, MONGODB_URI names a replica set.
"""

import fcntl
import os
import random
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from glassflow.embedded import fresh_files, incomplete_tables, state_file
from glassflow.embedded.ping import responds
from glassflow.embedded.process import (
    IncompleteTable,
    StoreError,
    StoreProcess,
    launch,
    new_password,
    wait_for,
)
from glassflow.host.private_files import make_private

ORPHAN_TIMEOUT_S = 8.0
# Below those that Linux gives to outgoing connections, from 32,768 on. A store that is
# started again needs the same port, which such a connection could have taken meanwhile:
# even one of a client that looks for the store, which then is connected to itself.
PORTS = range(30_000, 32_768)
# In a whole test run the store stopped for ever: a writer waited for room in the
# cache (1 GB by default) while it held the lock that all other threads needed.
CACHE_SIZE = "2G"
#: Of a second store beside it, which nobody but one command uses.
FRESH_CACHE_SIZE = "1G"
SETTINGS = """\
# written by glassflow
[storage]
cache_size = "{cache_size}"
"""


def find(data_dir: str) -> str | None:
    """Return the URI of the store that runs on these files; None if none responds."""
    state = _running(Path(data_dir))
    return state.uri if state else None


def start(data_dir: str, *, is_fresh: bool = False) -> StoreProcess:
    """Start the store on these files and wait until it responds.

    With `is_fresh` what it writes is on the disk only when it is stopped in order. Raises
    `StoreError` if it is not installed, if another one uses the files, or if it does not
    come up.
    """
    folder = Path(data_dir).absolute()
    return _start(folder, free_port(), new_password(), is_fresh=is_fresh)


def start_again(ended: StoreProcess) -> StoreProcess:
    """Start a store that has ended at the address that it had; else as `start`."""
    return _start(ended.folder, ended.port, ended.password)


def _start(
    folder: Path, port: int, password: str, *, is_fresh: bool = False
) -> StoreProcess:
    with locked(folder):
        _refuse_a_second(folder)
        settle(folder)
        _create(folder, FRESH_CACHE_SIZE if is_fresh else CACHE_SIZE)
        try:
            return _launch(folder, port, password, is_fresh)
        except IncompleteTable:
            if not incomplete_tables.remove(folder / fresh_files.FILES):
                raise
            return _launch(folder, port, password, is_fresh)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Let no store start on these files inside the block; wait for one that does.

    Raises `StoreError` where there can be no such directory.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise _unusable(folder, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        # gevent closes it later
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def settle(folder: Path) -> None:
    """Finish or drop the replacement of these files by a command that was killed."""
    _wait_for_orphan(fresh_files.beside(folder))
    try:
        fresh_files.settle(folder)
    except OSError as error:
        raise _unusable(folder, error) from error


def _launch(folder: Path, port: int, password: str, is_fresh: bool) -> StoreProcess:
    store = launch(folder, port, password, is_fresh=is_fresh)
    try:
        wait_for(store)
        state = state_file.State(store.uri, store.process.pid, store.port, store.owner)
        state_file.write(folder, state)
    except BaseException:
        store.stop()
        raise
    return store


def free_port() -> int:
    """Return a loopback port that is free at the moment, one of `PORTS` if possible."""
    for port in random.SystemRandom().sample(PORTS, len(PORTS)):
        if _is_free(port):
            return port
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # as the store does: ports of connections that were just closed are free
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _running(folder: Path) -> state_file.State | None:
    state = state_file.read_state(folder)
    if state and state_file.is_running(state.pid) and responds(state.port):
        return state
    return None


def was_killed(data_dir: str) -> bool:
    """Return whether the service that used these files last was killed."""
    state = state_file.read_state(Path(data_dir).absolute())
    return state is not None and not state_file.is_running(state.owner)


def _refuse_a_second(folder: Path) -> None:
    _wait_for_orphan(folder)
    state = _running(folder)
    if state:
        raise StoreError(
            f"Another glassflow (process {state.owner}, its store is process "
            f"{state.pid}) uses the data in {folder} already: stop it first, or choose "
            "another DATA_DIR."
        )


def _wait_for_orphan(folder: Path) -> None:
    """Wait until a store without its owner has ended; kill it if it hangs."""
    state = state_file.read_state(folder)
    if state is None or state_file.is_running(state.owner):
        return
    deadline = time.monotonic() + ORPHAN_TIMEOUT_S
    while _is_store_on(folder, state.pid):
        if time.monotonic() > deadline:
            os.kill(state.pid, signal.SIGKILL)  # acknowledged writes are on disk
        time.sleep(0.02)


def _is_store_on(folder: Path, pid: int) -> bool:
    """Return whether this process is a store on these files; ids are reused."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return os.fsencode(folder / fresh_files.FILES) in command


def _create(folder: Path, cache_size: str) -> None:
    try:
        (folder / fresh_files.FILES).mkdir(exist_ok=True)
        # named on the command line, so that the store reads no settings file elsewhere
        (folder / "store.toml").write_text(SETTINGS.format(cache_size=cache_size))
        make_private(folder)
    except OSError as error:
        raise _unusable(folder, error) from error


def _unusable(folder: Path, error: OSError) -> StoreError:
    return StoreError(f"DATA_DIR {folder} cannot be used: {error.strerror}.")
