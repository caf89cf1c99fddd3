"""The programs that the load programs start: the service, Redis, Node."""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from demo.service import stop
from glassflow.core import store_note
from glassflow.core.embedded_store import free_port

HOME = Path(__file__).resolve().parent.parent
START_SECONDS = 60
OWN = {"JWT_SECRET", "MONGODB_URI", "WORKERS", "WEB_CONCURRENCY", "GLASSFLOW_CONFIG"}
# A load program is many people behind one address.
CROWDED = {"LOGIN_ATTEMPTS_PER_MINUTE": "10000", "SOCKETS_PER_WORKER": "100000"}


class Service:
    """glassflow under gunicorn, on files that outlive its processes."""

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, object] | None = None,
        *,
        app: str = "wsgi:app",
    ) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "service.log"
        self._app = app
        self._settings = _texts(settings or {})
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)

    def start(self) -> Service:
        """Start it and wait until it can work; raises `RuntimeError` with its words."""
        given = {
            "DATA_DIR": str(self.folder / "data"),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "PREPARE": "1",
            "DEMO": "1",
        }
        kept = {name: value for name, value in os.environ.items() if name not in OWN}
        command = [sys.executable, "-m", "gunicorn", "-c", "config/gunicorn.py"]
        self._process = _begin(
            [*command, self._app],
            self.log,
            kept | given | CROWDED | self._settings,
        )
        deadline = time.monotonic() + START_SECONDS
        while not answers(self.port, "/api/health/ready"):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"the service did not start:\n{self.said()}")
            time.sleep(0.1)
        return self

    def stop(self) -> None:
        """Ask it to stop, and kill it if it does not."""
        if self._process:
            stop(self._process)

    def hang_up(self) -> None:
        """Let it load itself anew: other workers take over from those it has."""
        os.kill(self.pid, signal.SIGHUP)

    def kill_a_worker(self) -> None:
        """Kill one of those who serve; the master puts another in its place."""
        for pid in self.workers[:1]:
            os.kill(pid, signal.SIGKILL)

    @property
    def pid(self) -> int:
        """The master."""
        assert self._process
        return self._process.pid

    @property
    def workers(self) -> list[int]:
        """The processes that serve: the master's children but its store."""
        note = store_note.read(self.folder / "data")
        path = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        children = [int(pid) for pid in path.read_text().split()]
        return sorted(pid for pid in children if note is None or pid != note.pid)

    @property
    def store(self) -> str:
        """The address of its embedded store, for a second service beside it."""
        note = store_note.read(self.folder / "data")
        assert note
        return note.uri

    def said(self) -> str:
        """The end of its log."""
        return self.log.read_text(errors="replace")[-3000:]


class Redis:
    """A redis-server that keeps nothing."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        program = shutil.which("redis-server")
        if program is None:
            raise RuntimeError("redis-server is needed (Debian: apt-get install redis)")
        command = [program, "--port", str(self.port), "--save", "", "--dir"]
        self._process = _begin([*command, str(folder)], folder / "redis.log")

    def stop(self) -> None:
        """Stop it."""
        stop(self._process)


class Node:
    """A program for Node.js that listens on the port that it gets as `PORT`."""

    def __init__(
        self, program: Path, log: Path, settings: Mapping[str, object]
    ) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        given = _texts({**settings, "PORT": self.port, "NODE_ENV": "production"})
        self._process = _begin(["node", str(program)], log, {**os.environ, **given})
        self.workers = [self._process.pid]
        deadline = time.monotonic() + START_SECONDS
        while not answers(self.port, "/health"):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"Node did not start:\n{log.read_text()[-2000:]}")
            time.sleep(0.1)

    def stop(self) -> None:
        """Stop it."""
        stop(self._process)


def answers(port: int, path: str) -> bool:
    """Tell whether a service on this machine says that it is well."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=6)
    try:
        line.request("GET", path)
        return line.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        line.close()


def _texts(settings: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in settings.items()}


def _begin(
    command: list[str], log: Path, env: Mapping[str, str] | None = None
) -> subprocess.Popen[Any]:
    with log.open("ab") as said:
        return subprocess.Popen(command, cwd=HOME, env=env, stdout=said, stderr=said)
