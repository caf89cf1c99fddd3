"""The process of the embedded store: start it, wait for it, stop it."""

import importlib.util
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from glassflow.core.process import disk
from glassflow.embedded import incomplete_tables, state_file
from glassflow.embedded.die_with_parent import dies_with_parent
from glassflow.embedded.ping import responds
from glassflow.host.private_files import UMASK
from glassflow.settings_rules import StartError

#: SecantusDB with the extension, and the package that it needs.
PROGRAM = "glassflow.embedded.store_extension"
PACKAGE = "secantus"
#: The only user of the store. The program takes the password from this variable, which
#: other accounts of the machine cannot read, as they can read a command line.
USER = "glassflow"
PASSWORD_VARIABLE = "GLASSFLOW_STORE_PASSWORD"
#: With an arena for each thread, the pages that one connection read into the cache were
#: freed where others do not allocate: after a `flask history verify` of a year and a backup
#: the process had 2,862 MB, with one arena 1,790 MB.
ONE_ARENA = {"MALLOC_ARENA_MAX": "1"}
LOG = "store.log"
START_TIMEOUT_S = 30.0
STOP_TIMEOUT_S = 10.0
STACKS_TIMEOUT_S = 2.0
MAX_LOG_BYTES = 1_000_000
NOT_INSTALLED = (
    "There is no MONGODB_URI, and the embedded store is not installed: "
    "set MONGODB_URI, or run: pip install 'glassflow[embedded]'"
)
#: What the engine and the extension print of a file that is damaged or missing.
SIGNS_OF_DAMAGE = (
    "potential hardware corruption",
    "does not appear to be a WiredTiger file",
    "failed to read",
    "is smaller than allocation size",
    "WT_TRY_SALVAGE",
    "FileMissing:",
)
DATA_FILE = re.compile(r"\b(secantus_\w+\.wt|WiredTiger\w*\.\w+)\b")


class StoreError(StartError):
    """The embedded store cannot be used; the message says why and what helps."""


class IncompleteTable(StoreError):
    """A kill has interrupted the creation of a table (`incomplete_tables`)."""


@dataclass
class StoreProcess:
    """A running embedded store that this process started and must stop."""

    folder: Path
    port: int
    process: "subprocess.Popen[bytes]"
    owner: int
    log_start: int
    password: str = field(repr=False)

    @property
    def uri(self) -> str:
        """The address for the driver, with the password: as secret as the data."""
        login = f"{USER}:{self.password}"
        return f"mongodb://{login}@127.0.0.1:{self.port}/?directConnection=true"

    def alive(self) -> bool:
        """Return whether the store's process still runs."""
        return self.process.poll() is None

    def stop(self) -> None:
        """Stop the store and wait for it; does nothing in a forked child, or twice."""
        if os.getpid() != self.owner:
            return
        if self.alive():
            # This takes two seconds, in which the store waits in accept(). A connection
            # would end that earlier, but then one of six stops hangs.
            self.process.terminate()
            try:
                self.process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self.process.kill()  # acknowledged writes are on disk
                self.process.wait()
        state_file.remove(self.folder, pid=self.process.pid)

    def stop_in_order(self, timeout_s: float) -> None:
        """Stop the store, which then has written all to the disk.

        Raises `StoreError` where it does not end in time, or has ended by itself.
        """
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout_s)
        if self.process.poll() != 0:
            raise StoreError(f"The store did not stop in order (more in {self.log}).")

    @property
    def log(self) -> Path:
        """The file of what the store prints."""
        return self.folder / LOG

    def printed(self) -> str:
        """Return what this process of the store has printed."""
        return self.log.read_bytes()[self.log_start :].decode(errors="replace").strip()

    def damage(self) -> str:
        """Return a sentence on the file that this process has found damaged; "" if none."""
        return damage_in(self.printed(), self.folder)

    def kill_with_stacks(self) -> str:
        """Kill a store that hangs; return the stacks of its threads, also in its log.

        It loses no acknowledged write. The stacks are "" if it could not print them.
        """
        begin = self.log.stat().st_size
        self.process.send_signal(signal.SIGUSR1)  # store_extension/__main__.py
        deadline, printed = time.monotonic() + STACKS_TIMEOUT_S, begin
        while time.monotonic() < deadline:
            time.sleep(0.2)
            before, printed = printed, self.log.stat().st_size
            if begin < before == printed:
                break
        self.process.kill()
        self.process.wait()
        return self.log.read_bytes()[begin:].decode(errors="replace")


def new_password() -> str:
    """Return a password that nobody can guess; it needs no quoting in an address."""
    return secrets.token_urlsafe(32)


def launch(
    folder: Path, port: int, password: str, *, is_fresh: bool = False
) -> StoreProcess:
    """Start the program on these files, without waiting until it responds.

    With `is_fresh` a kill may lose what it has acknowledged.
    """
    if importlib.util.find_spec(PACKAGE) is None:
        raise StoreError(NOT_INSTALLED)
    # -P: the directory where it runs, that of the data, has no modules
    command = [sys.executable, "-P", "-m", PROGRAM]
    command += ["--config", str(folder / "store.toml")]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    command += ["--storage-path", str(folder / "db")]
    command += ["--log-level", "WARNING"]
    if not is_fresh:  # without the sync a killed store loses acknowledged writes
        command += ["--sync-on-commit"]
    command += ["--auth"]  # other accounts of the machine reach the port
    log = folder / LOG
    log.touch(mode=0o600)
    too_long = log.stat().st_size > MAX_LOG_BYTES
    with log.open("wb" if too_long else "ab") as output:
        log_start = output.tell()
        process = subprocess.Popen(
            dies_with_parent(command),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=folder,
            env=ONE_ARENA | os.environ | {PASSWORD_VARIABLE: password},
            umask=UMASK,
            # its own session: Ctrl-C in the terminal must not reach the store, which is
            # stopped after the last request
            start_new_session=True,
        )
        return StoreProcess(folder, port, process, os.getpid(), log_start, password)


def wait_for(store: StoreProcess) -> None:
    """Wait until the store responds; raise `StoreError` if it ends or takes too long."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while not responds(store.port):
        if not store.alive():
            raise _error_of(store)
        if time.monotonic() > deadline:
            raise StoreError(
                f"The embedded store did not respond within {START_TIMEOUT_S:.0f} "
                f"seconds; its log is {store.folder / 'store.log'}."
            )
        time.sleep(0.02)


def damage_in(output: str, folder: Path) -> str:
    """Return what to do about a damaged file that a store has printed; "" if it has not."""
    for line in output.splitlines():
        if any(sign in line for sign in SIGNS_OF_DAMAGE):
            found = DATA_FILE.search(line)
            name = f"The file {found[1]}" if found else "A file"
            return (
                f"{name} of the store in {folder / 'db'} is damaged or missing. Stop the "
                "service, move that directory to another disk, and restore the newest "
                "backup: flask restore FILE."
            )
    return ""


def _error_of(store: StoreProcess) -> StoreError:
    output = store.printed()
    is_incomplete = incomplete_tables.MESSAGE in output
    kind = IncompleteTable if is_incomplete else StoreError
    return kind(_why_it_ended(store, output))


def _why_it_ended(store: StoreProcess, output: str) -> str:
    if "resource busy" in output:
        state = state_file.read_state(store.folder)
        known = state is not None and state_file.is_running(state.pid)
        user = f"process {state.pid}" if state and known else "another process"
        return (
            f"The files in {store.folder / 'db'} are in use by {user}: stop it first, "
            "or choose another DATA_DIR."
        )
    if disk.is_full(store.folder):
        return (
            f"The embedded store did not start: the disk of {store.folder} is full. Free "
            "space; nothing that was acknowledged is lost."
        )
    if damage := damage_in(output, store.folder):
        return f"The embedded store did not start. {damage}"
    last = output.splitlines()[-1] if output else "it printed nothing"
    return f"The embedded store did not start: {last} (more in {store.log})."
