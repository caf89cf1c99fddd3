"""Several processes of the service on one store, with a real redis-server of their own."""

import contextlib
import http.client
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import requests

from glassflow.core.embedded_store import free_port
from screens import Screen
from wider import need

ROOT = Path(__file__).resolve().parents[1]
GUNICORN = [sys.executable, "-m", "gunicorn", "-c", "config/gunicorn.py", "wsgi:app"]
OWN = {"JWT_SECRET", "WORKERS", "WEB_CONCURRENCY", "GLASSFLOW_CONFIG", "REDIS_URL"}
LOGIN = {"username": "admin", "password": "admin1234"}


def wait(condition, seconds=20, otherwise=lambda: ""):
    """Wait until something holds, and give it; it is a fault if it does not come."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"not within {seconds} s: {otherwise()}"
        time.sleep(0.02)
    return found


class Redis:
    """A redis-server that can be hung, killed and started again, on one port."""

    def __init__(self, folder):
        need(shutil.which("redis-server"), "redis-server is not installed")
        self.folder, self.port, self.process = folder, free_port(), None
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def start(self):
        given = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(
            ["redis-server", *given, "--dir", str(self.folder)],
            stdout=subprocess.DEVNULL,
        )
        wait(self.answers, 10)
        return self

    def answers(self):
        tried = ["redis-cli", "-p", str(self.port), "ping"]
        return b"PONG" in subprocess.run(tried, capture_output=True, timeout=5).stdout

    def hang(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)


class Service:
    """One gunicorn master with its workers, on a store that others may use too."""

    def __init__(self, folder, **settings):
        self.port = settings.setdefault("PORT", free_port())
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"service.{self.port}.log"
        kept = {name: value for name, value in os.environ.items() if name not in OWN}
        given = {"DATA_DIR": folder / "data", "LOG_LEVEL": "INFO", **settings}
        self.env = kept | {name: str(value) for name, value in given.items()}
        self.process, self._lines = None, []

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                GUNICORN,
                cwd=ROOT,
                env=self.env,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait(self.ready, 40, self.said)
        return self

    def ready(self):
        assert self.process.poll() is None, self.said()
        with contextlib.suppress(requests.RequestException):
            return requests.get(self.url + "/api/health", timeout=6).ok
        return False

    def said(self):
        return self.log.read_text("utf-8", errors="replace")[-4000:]

    @property
    def workers(self):
        """The processes that serve, but for a store that is the master's child too."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        found = [int(pid) for pid in path.read_text().split()]
        return [pid for pid in found if b"gunicorn" in _command(pid)]

    def signal(self, sig):
        self.process.send_signal(sig)

    def stop(self):
        """End it; tell how many seconds that took."""
        begin = time.monotonic()
        if self.process and self.process.poll() is None:
            self.signal(signal.SIGTERM)
            try:
                self.process.wait(25)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait(10)
        while self._lines:
            self._lines.pop().close()
        return time.monotonic() - begin

    def flask(self, *words):
        """Run a flask command beside it, with the same settings."""
        return subprocess.run(
            [sys.executable, "-m", "flask", *words],
            cwd=ROOT,
            env=self.env | {"FLASK_APP": "wsgi:app"},
            capture_output=True,
            text=True,
            timeout=40,
        )

    def login(self, **login):
        """Give a token; the demo's administrator by default."""
        answer = requests.post(
            self.url + "/api/auth/login", json=login or LOGIN, timeout=10
        )
        assert answer.ok, answer.text
        return answer.json()["data"]["token"]

    def serving(self, client_port):
        """The worker that has the other end of a connection."""
        inode = _inode(self.port, client_port)
        for pid in self.workers if inode else ():
            for entry in Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    if os.readlink(entry) == f"socket:[{inode}]":
                        return pid
        return None

    def line(self, token, pid=None):
        """A kept-alive REST connection, to one of the processes if it is named.

        It is closed when the service is stopped.
        """

        def to_somebody():
            made = Line(self, token)
            self._lines.append(made)
            assert made.get("/api/health")[0] == 200
            return made, made.port

        return self._reach(pid, to_somebody)

    def screen(self, token, pid=None):
        """A websocket client, in one of the processes if it is named."""

        def to_somebody():
            made = Screen(Caller(self.url, token))
            return made, port_of(made)

        return self._reach(pid, to_somebody)

    def _reach(self, pid, to_somebody):
        """Try until it is the process that is meant: whoever is awake first takes it."""

        def to_this():
            made, port = to_somebody()
            if pid in (None, self.serving(port)):
                return made
            made.close()
            return None

        return wait(to_this, 20, lambda: f"process {pid} takes no connections")


class Caller:
    """What a screen needs to know of who opens it."""

    def __init__(self, url, token):
        self.url, self.token = url, token


class Line:
    """One kept-alive connection: `get`, `post` and `patch` give status and body."""

    def __init__(self, service, token):
        self._http = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    @property
    def port(self):
        return self._http.sock.getsockname()[1]

    def ask(self, method, path, body=None):
        sent = None if body is None else json.dumps(body)
        self._http.request(method, path, sent, self._headers)
        answer = self._http.getresponse()
        return answer.status, json.loads(answer.read())

    def get(self, path):
        return self.ask("GET", path)

    def post(self, path, body=None):
        status, answer = self.ask("POST", path, body)
        assert status in (200, 201), answer
        return answer["data"]

    def patch(self, path, body):
        status, answer = self.ask("PATCH", path, body)
        assert status == 200, answer
        return answer["data"]

    def close(self):
        self._http.close()


def port_of(screen):
    """The local port of a screen's websocket."""
    return screen.socket.eio.ws.sock.getsockname()[1]


def units(screen):
    """The units of a material as a screen heard them, and their numbers."""
    return [
        (said["data"]["unit"], meta["seq"])
        for (event, said), meta in zip(list(screen.heard), screen.metas, strict=False)
        if event == "material:updated"
    ]


def settings(store, redis=None, **more):
    """Settings for services that share a store (in a database of its own) and Redis."""
    given = {
        "MONGODB_URI": store,
        "MONGODB_DB": f"several_{secrets.token_hex(4)}",
        "JWT_SECRET": secrets.token_hex(32),
        "PREPARE": 1,
        "ARGON2_TIME_COST": 1,
        "ARGON2_MEMORY_KIB": 1024,
        "LOGIN_ATTEMPTS_PER_MINUTE": 1000,
    }
    return given | ({"REDIS_URL": redis.url} if redis else {}) | more


def _command(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def _inode(server_port, client_port):
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        words = line.split()
        here, there = (int(words[i].rpartition(":")[2], 16) for i in (1, 2))
        if (here, there) == (server_port, client_port):
            return words[9]
    return None
