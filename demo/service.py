"""The service under the demo: the one that runs, or one of its own for the day."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import requests

HOME = Path(__file__).resolve().parent.parent
START_SECONDS = 60
STOP_SECONDS = 20


def answers(url: str) -> bool:
    """True if a service is up and ready at the address."""
    try:
        response = requests.get(f"{url.rstrip('/')}/api/health", timeout=2)
        return response.ok and bool(response.json().get("success"))
    except (requests.RequestException, ValueError):
        return False


@dataclass(frozen=True)
class Service:
    """A running service of the demo's own: its address, and what it says."""

    url: str
    log: Path
    greeted: int = 0

    def last_words(self) -> str:
        """The end of its log, without what it said when it started well."""
        return self.log.read_text(errors="replace")[self.greeted :][-3000:].strip()


@contextmanager
def own_service() -> Iterator[Service]:
    """Start the service with a store of its own, and stop it afterwards.

    The store is a temporary directory that is gone in the end.
    """
    with tempfile.TemporaryDirectory(prefix="glassflow-demo-") as directory:
        port = free_port()
        service = Service(f"http://127.0.0.1:{port}", Path(directory) / "service.log")
        with service.log.open("wb") as output:
            process = _start(directory, port, output.fileno())
            try:
                _wait_until_up(process, service)
                yield replace(
                    service, greeted=len(service.log.read_text(errors="replace"))
                )
            finally:
                stop(process)


def free_port() -> int:
    """A loopback port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _start(directory: str, port: int, output: int) -> subprocess.Popen[bytes]:
    environment = os.environ | {
        "DATA_DIR": str(Path(directory) / "data"),
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "PREPARE": "1",
        "DEMO": "1",
    }
    environment.pop("MONGODB_URI", None)  # never into somebody's own store
    command = [sys.executable, "-m", "gunicorn", "-c", "config/gunicorn.py", "wsgi:app"]
    return subprocess.Popen(
        command, cwd=HOME, env=environment, stdout=output, stderr=output
    )


def _wait_until_up(process: subprocess.Popen[bytes], service: Service) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not answers(service.url):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the service did not start:\n{service.last_words()}")
        time.sleep(0.2)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ask a program to end, and end it if it does not."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
