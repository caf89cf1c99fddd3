"""`python -m glassflow.embedded.run [APP]`: the parent process of `make run`.

It starts the embedded store (unless MONGODB_URI is set), adds indexes and seeds if
PREPARE is set, runs gunicorn, and keeps both running. It ends when gunicorn ends, with
the same exit code. SIGTERM and SIGINT stop gunicorn first and then the store; SIGHUP
makes gunicorn reload. Run it in the repository's directory.
"""

import http.client
import logging
import logging.config
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import FrameType
from typing import Any

from config.logging import logging_config
from glassflow.embedded import console, store
from glassflow.embedded.die_with_parent import dies_with_parent
from glassflow.embedded.hang_watch import HangWatch
from glassflow.embedded.listener import bind
from glassflow.embedded.process import StoreError, StoreProcess
from glassflow.host.data_files import REPOSITORY
from glassflow.host.private_files import UMASK
from glassflow.host.tls_files import require_certificate
from glassflow.settings import StartError, load_settings

POLL_INTERVAL_S = 0.2
HEALTH_TIMEOUT_S = 2.0
WORKERS_END_S = (
    15.0  # workers without their master end within 2 s, on a busy machine later
)
STORE_RETRY_S = 5.0  # after a store that could not be started again
GUNICORN_STOP_TIMEOUT_S = 17.0  # longer than gunicorn's graceful_timeout, 15 s
DEFAULT_APP = "wsgi:app"

log = logging.getLogger("glassflow.embedded.run")  # its __name__ is __main__


class StopRequested(Exception):
    """SIGTERM or SIGINT arrived; raised by the signal handler in the main thread."""

    def __init__(self, signum: int) -> None:
        super().__init__(signum)
        self.signum = signum


class ChildFailed(Exception):
    """A child process has failed and printed why."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(exit_code)
        self.exit_code = exit_code


class ParentProcess:
    """Starts the store and gunicorn, keeps them running, and stops them."""

    def __init__(self, settings: Mapping[str, Any], app: str = DEFAULT_APP) -> None:
        self._settings = settings
        self._app = app
        self._store: StoreProcess | None = None
        self._hang_watch: HangWatch | None = None
        self._gunicorn: subprocess.Popen[bytes] | None = None
        self._address: tuple[str, int] = ("", 0)
        self._answered = False
        self._reload_requested = False
        self._stopping = False
        self._next_store_start = 0.0  # on time.monotonic()'s clock

    def run(self) -> int:
        """Run the service until it ends; return the exit code."""
        try:
            for signum in (signal.SIGTERM, signal.SIGINT):
                signal.signal(signum, self._on_stop)
            signal.signal(signal.SIGHUP, self._on_hangup)
            self._start()
            code = self._supervise()
            if code:
                self._print_damage()
            return code
        except StopRequested as stop:
            return self._stop_gunicorn(stop.signum)
        except StartError as error:
            console.print_error(str(error))
            return 1
        except ChildFailed as failure:
            self._print_damage()
            return failure.exit_code
        finally:
            self._stopping = True
            self._stop_gunicorn(signal.SIGTERM)
            self._stop_watch()
            if self._store:
                self._store.stop()

    def _start(self) -> None:
        require_certificate(self._settings)
        host, https_port = self._settings["HOST"], self._settings["HTTPS_PORT"]
        wait_s = WORKERS_END_S if store.was_killed(self._settings["DATA_DIR"]) else 0
        with ExitStack() as bound:
            first = bind(host, self._settings["PORT"], wait_s=wait_s)
            listeners = [bound.enter_context(first)]
            self._address = listeners[0].getsockname()[:2]
            if https_port:
                listeners.append(bound.enter_context(bind(host, https_port)))
            os.environ |= {  # for the children
                "MONGODB_URI": self._open_store(),
                "MONGODB_DB": self._settings["MONGODB_DB"],
            }
            if self._settings["PREPARE"]:
                if self._store is None:
                    self._run_to_end("glassflow.core.store.mongo_check")
                self._run_to_end("flask", "--app", DEFAULT_APP, "prepare")
            self._start_gunicorn(listeners)

    def _open_store(self) -> str:
        uri: str = self._settings["MONGODB_URI"]
        if not uri:
            self._store = store.start(self._settings["DATA_DIR"])
            uri = self._store.uri
        return uri

    def _run_to_end(self, *module: str) -> None:
        """Run `python -m module`; raise `ChildFailed` if it fails."""
        child = subprocess.Popen(
            dies_with_parent([sys.executable, "-m", *module]),
            cwd=REPOSITORY,
            start_new_session=True,  # Ctrl-C reaches this process, which ends the child
        )
        try:
            child.wait()
        except StopRequested:
            child.terminate()
            child.wait()
            raise
        if code := _exit_code(child):
            raise ChildFailed(code)

    def _start_gunicorn(self, listeners: Sequence[socket.socket]) -> None:
        config = "config/gunicorn.py"
        if self._store:
            config = str(Path(__file__).with_name("gunicorn_config.py"))
        command = [sys.executable, "-m", "gunicorn", "-c", config]
        numbers = [listener.fileno() for listener in listeners]
        command += [f"--bind=fd://{number}" for number in numbers]
        command.append(self._app)
        # gunicorn ignores Ctrl-C until it has its own handler: no traceback while it
        # starts. It stays in this process group, as a terminal expects.
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self._gunicorn = subprocess.Popen(
                dies_with_parent(command),
                cwd=REPOSITORY,
                pass_fds=numbers,
            )
        finally:
            signal.signal(signal.SIGINT, handler)

    def _supervise(self) -> int:
        """Keep the store running until gunicorn ends; return gunicorn's exit code."""
        assert self._gunicorn
        self._watch_store()
        while self._gunicorn.poll() is None:
            if not self._answered and responds(*self._address):
                self._on_first_answer()
            self._keep_store()
            time.sleep(POLL_INTERVAL_S)
        self._wait_for_workers()
        return _exit_code(self._gunicorn)

    def _wait_for_workers(self) -> None:
        """Wait until the workers of a killed gunicorn have left the port.

        A supervisor that starts the service again then finds it free.
        """
        with suppress(StartError):
            bind(*self._address, wait_s=WORKERS_END_S).close()

    def _on_first_answer(self) -> None:
        self._answered = True
        if self._reload_requested and self._gunicorn:
            self._gunicorn.send_signal(signal.SIGHUP)
        if self._settings["PREPARE"]:
            host, port = self._address
            console.greet(
                self._settings,
                _reachable(host),
                port,
                embedded_store=self._store is not None,
            )

    def _watch_store(self) -> None:
        """Begin to look whether the present store hangs."""
        self._stop_watch()
        if self._store:
            self._hang_watch = HangWatch(self._store)

    def _stop_watch(self) -> None:
        if self._hang_watch:
            self._hang_watch.stop()

    def _keep_store(self) -> None:
        """Start the store again, on the same port, if it has ended or hangs."""
        if self._store is None:
            return
        if self._store.alive():
            if self._hang_watch is None or not self._hang_watch.hangs:
                return
            self._print_damage()
            self._store.kill_with_stacks()
            log.error(
                "the embedded store hung, or failed every write, and was killed; the "
                "stacks of its threads are in %s",
                self._store.log,
            )
        if time.monotonic() < self._next_store_start:
            return
        log.warning("the embedded store ended; starting it again")
        try:
            self._store = store.start_again(self._store)
            self._watch_store()
        except StoreError as error:
            log.error("%s", error)
            self._next_store_start = time.monotonic() + STORE_RETRY_S

    def _print_damage(self) -> None:
        """Print which file of the store is damaged, if one is, and what to do."""
        if self._store and (damage := self._store.damage()):
            console.print_error(damage)

    def _stop_gunicorn(self, signum: int) -> int:
        """Stop gunicorn if it runs; return the exit code of this process."""
        if self._gunicorn is None:
            return 128 + signum
        deadline = time.monotonic() + GUNICORN_STOP_TIMEOUT_S
        while self._gunicorn.poll() is None:
            if time.monotonic() > deadline:
                self._gunicorn.kill()
            # before it answers it may not handle SIGINT yet
            self._gunicorn.send_signal(signum if self._answered else signal.SIGTERM)
            try:
                self._gunicorn.wait(1)  # then again: it may not have been ready for it
            except subprocess.TimeoutExpired:
                pass
        if self._answered and self._gunicorn.returncode == -signum:
            # It had handled the signal and was done: a terminal sends Ctrl-C to both
            # processes, and Python has removed its handlers when the second one comes.
            return 0
        return _exit_code(self._gunicorn)

    def _on_stop(self, signum: int, frame: FrameType | None) -> None:
        if not self._stopping:
            self._stopping = True
            raise StopRequested(signum)
        if self._gunicorn:  # Ctrl-C after SIGTERM: gunicorn then stops at once
            self._gunicorn.send_signal(signum)

    def _on_hangup(self, signum: int, frame: FrameType | None) -> None:
        if self._gunicorn and self._answered:
            self._gunicorn.send_signal(signum)
        else:  # gunicorn would end: it has no handler yet
            self._reload_requested = True


def responds(host: str, port: int) -> bool:
    """Return whether the service answers requests at this address."""
    connection = http.client.HTTPConnection(
        _reachable(host), port, timeout=HEALTH_TIMEOUT_S
    )
    try:
        connection.request("GET", "/api/health")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _reachable(host: str) -> str:
    """Return an address of this machine for one that means all its addresses."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


def _exit_code(process: "subprocess.Popen[bytes]") -> int:
    code = process.wait()
    return code if code >= 0 else 128 - code


def main(arguments: Sequence[str]) -> int:
    """Load the settings and run the service; return the exit code."""
    os.umask(UMASK)
    try:
        settings = load_settings()
    except StartError as error:
        console.print_error(str(error))
        return 1
    logging.config.dictConfig(logging_config(settings))
    return ParentProcess(settings, *arguments[:1]).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
