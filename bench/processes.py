"""The programs that the load programs start: the service, Redis, Node."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from demo import service
from demo.client import Api
from demo.service import free_port, start_process, stop_process, wait_until_healthy
from demo.workshop import demo_passwords
from glassflow.embedded import state_file

# All clients of a load program have one address, so that address needs high limits.
LIMITS = {
    "LOGIN_ATTEMPTS_PER_MINUTE": "10000",
    "LOGIN_ATTEMPTS_PER_ADDRESS": "10000",
    "LOGIN_ATTEMPTS_PER_USERNAME": "10000",
    "SOCKETS_PER_WORKER": "100000",
}


class Service(service.Service):
    """The service with the limits of a load test, and access to its processes."""

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, object] | None = None,
        *,
        app: str = "wsgi:app",
    ) -> None:
        super().__init__(folder, {**LIMITS, **(settings or {})}, app=app)

    def admin(self) -> Api:
        """Log in as the admin of the demo seeds."""
        return Api.login(self.url, "admin", demo_passwords()["admin"])

    def reload(self) -> None:
        """Send SIGHUP: new workers replace the present ones."""
        os.kill(self.pid, signal.SIGHUP)

    def kill_worker(self) -> None:
        """Kill one worker process with SIGKILL; gunicorn starts another one."""
        for pid in self.workers[:1]:
            os.kill(pid, signal.SIGKILL)

    @property
    def workers(self) -> list[int]:
        """The ids of the worker processes: those without children, except the store."""
        state = state_file.read_state(self.folder / "data")
        return sorted(_leaf_processes(self.pid, excluded=state.pid if state else 0))

    @property
    def store(self) -> str:
        """The URI of its embedded store, for a second service on the same store."""
        return self._store_state.uri

    @property
    def store_pid(self) -> int:
        """The id of the process of its embedded store."""
        return self._store_state.pid

    @property
    def _store_state(self) -> state_file.State:
        state = state_file.read_state(self.folder / "data")
        if state is None:
            raise RuntimeError("the service has no embedded store")
        return state


@contextmanager
def running_service(
    settings: Mapping[str, object] | None = None, *, app: str = "wsgi:app"
) -> Iterator[Service]:
    """Run a service with the data of the demo in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="glassflow-bench-") as folder:
        service = Service(Path(folder), settings, app=app)
        try:
            yield service.start()
        finally:
            service.stop()


class Redis:
    """A redis-server without persistence."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        program = shutil.which("redis-server")
        if program is None:
            raise RuntimeError("redis-server is needed (Debian: apt-get install redis)")
        command = [program, "--port", str(self.port), "--save", "", "--dir"]
        self._process = start_process([*command, str(folder)], folder / "redis.log")

    def stop(self) -> None:
        """Stop it."""
        stop_process(self._process)


class Node:
    """A Node.js program that listens on the port in `PORT` and answers `/health`."""

    def __init__(
        self, program: Path, log: Path, settings: Mapping[str, object]
    ) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        given = {**settings, "PORT": self.port, "NODE_ENV": "production"}
        environment = os.environ | {name: str(value) for name, value in given.items()}
        self._process = start_process(["node", str(program)], log, environment)
        self.workers = [self._process.pid]
        wait_until_healthy(self._process, f"{self.url}/health", log)

    def stop(self) -> None:
        """Stop it."""
        stop_process(self._process)


def _leaf_processes(pid: int, *, excluded: int) -> list[int]:
    """The descendants of a process without children; `excluded` is not searched."""
    leaves: list[int] = []
    for child in _children(pid):
        if child != excluded:
            leaves += _leaf_processes(child, excluded=excluded) or [child]
    return leaves


def _children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    try:
        return [int(child) for child in path.read_text().split()]
    except FileNotFoundError:  # it has ended
        return []
