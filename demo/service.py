"""Starts the service as a child process, and checks whether one is running."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from demo.client import HttpClient, NoResponse

ROOT = Path(__file__).resolve().parent.parent
COMMAND = (sys.executable, "-m", "glassflow.embedded.run")
START_TIMEOUT_S = 60
STOP_TIMEOUT_S = 20
HEALTH_TIMEOUT_S = 6
LOG_TAIL_CHARS = 3000
#: Settings of the environment that must not reach a service with its own store.
NOT_INHERITED = frozenset(
    {"JWT_SECRET", "MONGODB_URI", "WORKERS", "WEB_CONCURRENCY", "GLASSFLOW_CONFIG"}
)


class Service:
    """glassflow with an embedded store, in child processes; data stays in the folder.

    It can be stopped and started again on the same data and port.
    """

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, object] | None = None,
        *,
        app: str = "wsgi:app",
    ) -> None:
        """`settings` are environment variables that replace the defaults."""
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "service.log"
        self._command = [*COMMAND, app]
        self._settings = {name: str(value) for name, value in (settings or {}).items()}
        self._process: subprocess.Popen[bytes] | None = None
        self._startup_log_chars = 0
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def pid(self) -> int:
        """The id of the process that was started; raises `RuntimeError` before."""
        if self._process is None:
            raise RuntimeError("the service has not been started")
        return self._process.pid

    def start(self) -> Self:
        """Start it and wait until it is ready; raises `RuntimeError` with its log."""
        inherited = {k: v for k, v in os.environ.items() if k not in NOT_INHERITED}
        defaults = {
            "DATA_DIR": str(self.folder / "data"),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "PREPARE": "1",
            "DEMO": "1",
        }
        environment = inherited | defaults | self._settings
        self._process = start_process(self._command, self.log, environment)
        try:
            wait_until_ready(self._process, self.url, self.log)
        except RuntimeError:
            self.stop()
            raise
        self._startup_log_chars = self._startup_log_chars or len(self._read_log())
        return self

    def stop(self) -> None:
        """Terminate it, and kill it if it does not end in time."""
        if self._process:
            stop_process(self._process)

    def log_tail(self) -> str:
        """The end of its log, without the messages of its first start."""
        return self._read_log()[self._startup_log_chars :][-LOG_TAIL_CHARS:].strip()

    def _read_log(self) -> str:
        return self.log.read_text("utf-8", errors="replace")


@contextmanager
def temporary_service() -> Iterator[Service]:
    """Start the service in a temporary directory; stop and delete it at the end."""
    with tempfile.TemporaryDirectory(prefix="glassflow-demo-") as directory:
        service = Service(Path(directory))
        try:
            service.start()
            yield service
        finally:
            service.stop()


def is_glassflow(url: str) -> bool:
    """True if a service runs at the address and returns its health."""
    try:
        health = _health_client(url).send_once("GET", "/api/health")
    except NoResponse:
        return False
    return health.ok and bool(health.body.get("success"))


def free_port() -> int:
    """A loopback port that no program listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_process(
    command: list[str], log: Path, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a program in the repository's root; its output is appended to `log`."""
    with log.open("ab") as output:
        return subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=output, stderr=output
        )


def wait_until_ready(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    """Wait until the service at `url` is ready.

    Raises `RuntimeError` with the end of the log if the process ends before, or after
    `START_TIMEOUT_S`.
    """
    deadline = time.monotonic() + START_TIMEOUT_S
    while not _is_ready(url):
        if process.poll() is not None or time.monotonic() > deadline:
            tail = log.read_text("utf-8", errors="replace")[-LOG_TAIL_CHARS:].strip()
            raise RuntimeError(f"{url} did not become ready:\n{tail}")
        time.sleep(0.1)


def stop_process(process: subprocess.Popen[bytes]) -> None:
    """Terminate a program, and kill it if it does not end in time."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _is_ready(url: str) -> bool:
    try:
        return _health_client(url).send_once("GET", "/api/health/ready").ok
    except NoResponse:
        return False


def _health_client(url: str) -> HttpClient:
    return HttpClient(url, timeout_s=HEALTH_TIMEOUT_S)
