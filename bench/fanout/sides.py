"""The two servers that are compared, seen alike: where they are and how they emit."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Protocol

from bench.processes import HOME, Node, Redis, Service

ADMIN = {"username": "admin", "password": "admin1234"}  # of the demo workshop
SECRET = "bench-bench-bench-bench-bench-bench"
NODE = Path(__file__).resolve().parent / "node"
APP = "bench.fanout.emitter:app"


class Server(Protocol):
    """A server under load: its address and the processes that are paid for."""

    port: int

    @property
    def workers(self) -> list[int]:
        """The processes that serve."""

    def stop(self) -> None:
        """Stop it."""


class Line:
    """A kept HTTP connection to a server."""

    def __init__(self, port: int, token: str = "") -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request and give the answer's body; raises `RuntimeError`."""
        text = None if body is None else json.dumps(body)
        self._line.request(method, path, text, self._headers)
        answer = self._line.getresponse()
        said = json.loads(answer.read())
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path} answered {answer.status}: {said}")
        return said


class Side:
    """One or two servers of a kind that share their rooms, and who talks to them."""

    name: str
    health: str
    token = ""
    servers: list[Server]

    def line(self) -> Line:
        """Give a new connection to the first server."""
        return Line(self.servers[0].port, self.token)

    def change(self, line: Line, number: int) -> None:
        """Send the request of which the room is told."""
        raise NotImplementedError

    @property
    def ports(self) -> list[int]:
        """Where the clients connect."""
        return [server.port for server in self.servers]

    @property
    def pids(self) -> list[int]:
        """The processes that are paid for."""
        return [pid for server in self.servers for pid in server.workers]

    def stop(self) -> None:
        """Stop them, the last one first: the first may own what others need."""
        for server in reversed(self.servers):
            server.stop()


class Glassflow(Side):
    """The service, with the routes that emit besides."""

    name, health = "glassflow", "/api/health"

    def __init__(self, folder: Path, redis: Redis | None = None) -> None:
        settings = {"JWT_SECRET": SECRET, "REDIS_URL": redis.url if redis else ""}
        first = Service(folder / "one", settings, app=APP).start()
        self.servers = [first]
        if redis:
            settings["MONGODB_URI"] = first.store
            second = Service(folder / "two", settings, app=APP)
            self.servers.append(second.start())
        login = Line(first.port).ask("POST", "/api/auth/login", ADMIN)
        self.token = login["data"]["token"]
        line = self.line()
        rows = line.ask("GET", "/api/materials?limit=1")["data"]
        self.material: dict[str, Any] = rows[0]

    def change(self, line: Line, number: int) -> None:
        """Change a material for real, which is told in the room."""
        path = f"/api/materials/{self.material['_id']}"
        line.ask("PATCH", path, {"name": f"bench-{number}"})


class NodeServer(Side):
    """The minimal Socket.IO server for Node.js."""

    name, health = "node", "/health"

    def __init__(self, folder: Path, redis: Redis | None = None) -> None:
        settings = {"REDIS_URL": redis.url if redis else ""}
        program = NODE / "server.mjs"
        self.servers = [
            Node(program, folder / f"node-{number}.log", settings)
            for number in range(2 if redis else 1)
        ]

    def change(self, line: Line, number: int) -> None:
        """Emit once, which is all that this one does at a request."""
        order = {"first": number, "times": 1, "every": 0}
        line.ask("POST", "/bench/emit", order)


class People:
    """The crowd of clients, in a process of its own."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.fanout.crowd"],
            cwd=HOME,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def do(self, order: str, **values: Any) -> Any:
        """Give an order, and wait for what comes of it."""
        self.begin(order, **values)
        return self.end()

    def begin(self, order: str, **values: Any) -> None:
        """Give an order."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"do": order, **values}).encode() + b"\n")
        self._process.stdin.flush()

    def end(self) -> Any:
        """Wait for what came of the order."""
        assert self._process.stdout
        return json.loads(self._process.stdout.readline())

    def leave(self) -> None:
        """End the process, and so all its connections."""
        self._process.kill()
        self._process.communicate()


def set_up_node() -> None:
    """Install what the Node server needs, once, as its package-lock.json has it."""
    if not (NODE / "node_modules" / "socket.io").is_dir():
        command = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(command, cwd=NODE, check=True)
