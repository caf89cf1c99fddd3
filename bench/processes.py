"""The programs that the load programs start: the service and Redis."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pymongo import MongoClient
from pymongo.database import Database

from bench.costs import cpu_seconds
from demo import service
from demo.client import Api, HttpClient
from demo.service import free_port, start_process, stop_process
from demo.workshop import demo_passwords
from glassflow.embedded import state_file

APP = "bench.app:app"  # glassflow, with routes that only load programs use
# All clients of a load program have one address, so that address needs high limits.
LIMITS = {
    "LOGIN_ATTEMPTS_PER_MINUTE": "10000",
    "LOGIN_ATTEMPTS_PER_ADDRESS": "10000",
    "LOGIN_ATTEMPTS_PER_USERNAME": "10000",
    "SOCKETS_PER_WORKER": "100000",
}
PUBLISH_TIMEOUT_S = 60
REQUEST_TIMEOUT_S = 120
POLL_INTERVAL_S = 0.01


class Processor(NamedTuple):
    """Processor time of the service and of its store, in seconds."""

    service_s: float
    store_s: float

    def since(self, before: Processor) -> Processor:
        """Return what was used after an earlier reading."""
        return Processor(
            self.service_s - before.service_s, self.store_s - before.store_s
        )


class Service(service.Service):
    """The service with the limits of a load test, and access to its processes."""

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, object] | None = None,
        *,
        app: str = APP,
    ) -> None:
        super().__init__(folder, {**LIMITS, **(settings or {})}, app=app)

    def admin(self) -> Api:
        """Log in as the admin of the demo seeds."""
        http = HttpClient(self.url, timeout_s=REQUEST_TIMEOUT_S)
        return Api.login(self.url, "admin", demo_passwords()["admin"], http)

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
        return sorted(_leaf_processes(self.pid, excluded=self.store_pid))

    @property
    def store_pid(self) -> int:
        """The id of the process of its embedded store."""
        return self._store_state.pid

    @cached_property
    def database(self) -> Database[dict[str, Any]]:
        """Its store, past the service, until it is stopped."""
        client: MongoClient[dict[str, Any]] = MongoClient(self._store_state.uri)
        return client["glassflow"]

    def stop(self) -> None:
        """Stop it, and close the connections to its store."""
        database = self.__dict__.pop("database", None)
        if database is not None:
            database.client.close()
        super().stop()

    def used(self) -> Processor:
        """Return the processor time so far."""
        return Processor(cpu_seconds(self.workers), cpu_seconds([self.store_pid]))

    def commands(self) -> Mapping[str, Mapping[str, float]]:
        """Return its commands to the store so far: `count`, and `sum` of the seconds."""
        return HttpClient(self.url).send_once("GET", "/bench/commands").body

    def wait_until_published(self) -> None:
        """Wait until the outbox is empty: publishing is part of what a request costs.

        Raises `RuntimeError` after `PUBLISH_TIMEOUT_S`.
        """
        deadline = time.monotonic() + PUBLISH_TIMEOUT_S
        while self.database["outbox"].find_one({}, {"_id": 1}):
            if time.monotonic() > deadline:
                raise RuntimeError("the outbox does not become empty")
            time.sleep(POLL_INTERVAL_S)

    @property
    def _store_state(self) -> state_file.State:
        state = state_file.read_state(self.folder / "data")
        if state is None:
            raise RuntimeError("the service has no embedded store")
        return state


@contextmanager
def running_service(
    settings: Mapping[str, object] | None = None, *, app: str = APP
) -> Iterator[Service]:
    """Run a service with the data of the demo in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="glassflow-bench-") as folder:
        started = Service(Path(folder), settings, app=app)
        try:
            yield started.start()
        finally:
            started.stop()


class Redis:
    """A redis-server without persistence."""

    def __init__(self, folder: Path) -> None:
        port = free_port()
        self.url = f"redis://127.0.0.1:{port}/0"
        program = shutil.which("redis-server")
        if program is None:
            raise RuntimeError("redis-server is needed (Debian: apt-get install redis)")
        command = [program, "--port", str(port), "--save", "", "--dir"]
        self._process = start_process([*command, str(folder)], folder / "redis.log")

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
