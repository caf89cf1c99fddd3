"""The service as a process of its own: started, observed, signalled and stopped.

`Service` is the only class of the tests that starts it.
"""

import contextlib
import os
import secrets
import signal
import subprocess
import sys
from pathlib import Path

import requests

from clients import Api
from described_service import assert_as_described
from glassflow.embedded import state_file
from ports import free_port
from screens import Screen
from waiting import (
    REQUEST_TIMEOUT_S,
    START_TIMEOUT_S,
    STOP_TIMEOUT_S,
    wait_until,
)

ROOT = Path(__file__).resolve().parents[1]
PROCFILE_COMMAND = (ROOT / "Procfile").read_text().splitlines()[0].partition(": ")[2]
COMMAND = [sys.executable, "-m", "glassflow.embedded.run"]
DEMO_ADMIN = {"username": "admin", "password": "admin1234"}
#: For services in which many passwords are set; their logins then cost next to nothing.
QUICK_HASHES = {"ARGON2_TIME_COST": "1", "ARGON2_MEMORY_KIB": "1024"}
OUTPUT_LIMIT = 4000  # characters of the log in the message of a failed test


class Service:
    """The parent process with gunicorn and its workers, on files that outlive them.

    `settings` are added to the environment of the test run, or to `environment` where
    a test defines all of it.
    """

    def __init__(
        self, folder, *, command=COMMAND, cwd=ROOT, environment=None, **settings
    ):
        self.port = settings.setdefault("PORT", free_port())
        self.url = f"http://127.0.0.1:{self.port}"
        self.data_dir = folder / "data"
        self.log = folder / f"service.{self.port}.log"
        self.process = None
        self._command, self._cwd = command, cwd
        if environment is None:
            environment = dict(os.environ)  # reduced by `environment.prepare`
            settings = {"DATA_DIR": self.data_dir, "LOG_LEVEL": "INFO", **settings}
        self.environment = environment | {
            name: str(value) for name, value in settings.items()
        }

    def start(self, **settings):
        """Start it and wait until it is ready; `settings` are for this start only."""
        self.launch(**settings)
        return self.wait_until_ready()

    def launch(self, **settings):
        """Start it without waiting."""
        added = {name: str(value) for name, value in settings.items()}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self._command,
                cwd=self._cwd,
                env=self.environment | added,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        return self

    def wait_until_ready(self):
        """Wait until it can serve; raise `AssertionError` with its output if not."""
        wait_until(self._is_ready, START_TIMEOUT_S, self.output)
        return self

    def _is_ready(self):
        assert self.process.poll() is None, self.output()
        with contextlib.suppress(requests.RequestException):
            return requests.get(f"{self.url}/api/health/ready", timeout=6).ok
        return False

    def output(self):
        """The last part of what it has printed and logged."""
        return self.log.read_text("utf-8", errors="replace")[-OUTPUT_LIMIT:]

    @property
    def store(self):
        """What identifies its embedded store; None where none runs."""
        return state_file.read_state(self.data_dir)

    @property
    def workers(self):
        """The process ids of the workers: the children of gunicorn's master."""
        children = _children(self.process.pid)
        masters = [pid for pid in children if _is_gunicorn(pid)]
        return [pid for master in masters for pid in _children(master)]

    def signal(self, number):
        self.process.send_signal(number)

    def kill_workers(self):
        """Kill the workers; the master starts others."""
        for pid in self.workers:
            os.kill(pid, signal.SIGKILL)

    def kill_all(self):
        """Kill the master and its workers; the embedded store ends with its parent."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(STOP_TIMEOUT_S)

    def stop(self):
        """Stop it with SIGTERM, and kill it if it does not end."""
        if self.process and self.process.poll() is None:
            self.signal(signal.SIGTERM)
            try:
                self.process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self.kill_all()

    def flask(self, *arguments):
        """Run a flask command with the same settings; return its result."""
        return subprocess.run(
            [sys.executable, "-m", "flask", "--app", "wsgi:app", *arguments],
            cwd=self._cwd,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=START_TIMEOUT_S,
        )

    def assert_history_is_whole(self):
        """Let `flask history verify` append what is published, and verify the chain."""
        done = self.flask("history", "verify")
        assert done.returncode == 0, done.stdout + done.stderr

    def login(self, **credentials):
        """Return a token; the demo administrator's by default."""
        answer = requests.post(
            f"{self.url}/api/auth/login",
            json=credentials or DEMO_ADMIN,
            timeout=REQUEST_TIMEOUT_S,
        )
        assert answer.ok, answer.text
        return answer.json()["data"]["token"]

    def connect(self, token):
        """Return a client whose answers have to be as the API's description says."""
        return DescribedApi(self.url, token)

    def screen(self, token):
        """Open a websocket client."""
        return Screen(Account(self.url, token))


class DescribedApi(Api):
    """Each answer has to be as the API's description says."""

    def call(self, method, path, **options):
        answer = super().call(method, path, **options)
        assert_as_described(method, path, answer.status, answer.body)
        return answer

    def close(self):
        self.http.close()


class Account:
    """An address and a token: what a screen needs to connect."""

    def __init__(self, url, token):
        self.url, self.token = url, token


def shared_settings(store, demo_workshop, redis=None, **more):
    """Settings for services that share a store and Redis.

    The store has a database for them, with the demo workshop.
    """
    settings = {
        "MONGODB_URI": store,
        "MONGODB_DB": demo_workshop.copy_database(store),
        "JWT_SECRET": secrets.token_hex(32),
        **QUICK_HASHES,
        "LOGIN_ATTEMPTS_PER_MINUTE": 1000,
        "LOGIN_ATTEMPTS_PER_ADDRESS": 1000,
        "LOGIN_ATTEMPTS_PER_USERNAME": 1000,
    }
    return settings | ({"REDIS_URL": redis.url} if redis else {}) | more


def _children(pid):
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()]


def _is_gunicorn(pid):
    """Whether a process is gunicorn, which writes its title where setproctitle is installed."""
    parts = _command_line(pid)
    return b"gunicorn" in parts or any(part.startswith(b"gunicorn:") for part in parts)


def _command_line(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return []
