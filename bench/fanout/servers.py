"""The compared servers behind one interface: glassflow, and a minimal one in Node.js."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Protocol

from bench.connection import Connection
from bench.processes import Node, Redis, Service
from demo.service import ROOT

ADMIN = {"username": "admin", "password": "admin1234"}  # of the demo workshop
SECRET = "bench-bench-bench-bench-bench-bench"
NODE = Path(__file__).resolve().parent / "node"
APP = "bench.fanout.emitter:app"


class Process(Protocol):
    """A server process, or one with several workers, under load."""

    port: int

    @property
    def workers(self) -> list[int]:
        """The ids of the processes that serve."""

    def stop(self) -> None:
        """Stop it."""


class Server:
    """One or two processes of one kind, which share their rooms."""

    name: str
    health_path: str
    token = ""
    processes: list[Process]

    def connect(self) -> Connection:
        """Return a new connection to the first process."""
        return Connection(self.processes[0].port, self.token)

    def change(self, connection: Connection, number: int) -> None:
        """Send the request that causes the event with this number."""
        raise NotImplementedError

    @property
    def ports(self) -> list[int]:
        """The ports to which the clients connect."""
        return [process.port for process in self.processes]

    @property
    def pids(self) -> list[int]:
        """The ids of the processes whose costs are measured."""
        return [pid for process in self.processes for pid in process.workers]

    def stop(self) -> None:
        """Stop the processes, the last one first: the first may own the store."""
        for process in reversed(self.processes):
            process.stop()


class Glassflow(Server):
    """The service, with additional routes that only emit."""

    name, health_path = "glassflow", "/api/health"

    def __init__(self, folder: Path, redis: Redis | None = None) -> None:
        settings = {"JWT_SECRET": SECRET, "REDIS_URL": redis.url if redis else ""}
        first = Service(folder / "one", settings, app=APP).start()
        self.processes = [first]
        if redis:
            settings["MONGODB_URI"] = first.store
            second = Service(folder / "two", settings, app=APP)
            self.processes.append(second.start())
        login = Connection(first.port).request("POST", "/api/auth/login", ADMIN)
        self.token = login["data"]["token"]
        rows = self.connect().request("GET", "/api/materials?limit=1")["data"]
        self.material: dict[str, Any] = rows[0]

    def change(self, connection: Connection, number: int) -> None:
        """Change a material, whose event goes to the room."""
        path = f"/api/materials/{self.material['_id']}"
        connection.request("PATCH", path, {"name": f"bench-{number}"})


class NodeServer(Server):
    """The minimal Socket.IO server for Node.js."""

    name, health_path = "node", "/health"

    def __init__(self, folder: Path, redis: Redis | None = None) -> None:
        settings = {"REDIS_URL": redis.url if redis else ""}
        program = NODE / "server.mjs"
        self.processes = [
            Node(program, folder / f"node-{number}.log", settings)
            for number in range(2 if redis else 1)
        ]

    def change(self, connection: Connection, number: int) -> None:
        """Emit once, which is all that this server does for a request."""
        body = {"first": number, "times": 1, "every": 0}
        connection.request("POST", "/bench/emit", body)


class ClientProcess:
    """Runs `bench.fanout.client_process`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.fanout.client_process"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def call(self, name: str, **arguments: Any) -> Any:
        """Call one of its functions, and return the result."""
        assert self._process.stdin
        assert self._process.stdout
        line = json.dumps({"call": name, **arguments}).encode() + b"\n"
        self._process.stdin.write(line)
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def kill(self) -> None:
        """End the process and all its connections."""
        self._process.kill()
        self._process.communicate()


def set_up_node() -> None:
    """Install the dependencies of the Node server once, from its package-lock.json."""
    if not (NODE / "node_modules" / "socket.io").is_dir():
        command = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(command, cwd=NODE, check=True)
