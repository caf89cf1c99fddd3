"""A service that is killed at will, and the line over which a day's people reach it.

The line keeps every change that was acknowledged, so that none can go missing in
silence, and it can hold everybody's requests while the store is being looked at.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import requests

from demo.line import NO_WORD, Line
from glassflow.core import embedded_store, store_note

ROOT = Path(__file__).resolve().parents[2]
GUNICORN = [sys.executable, "-m", "gunicorn", "-c", "config/gunicorn.py", "wsgi:app"]
START_SECONDS = 40
OWN = {"JWT_SECRET", "MONGODB_URI", "WORKERS", "GLASSFLOW_CONFIG"}


class Service:
    """The service as it is really started, on files that outlive its processes."""

    def __init__(self, folder):
        self.folder = folder / "data"
        self.log = folder / "service.log"
        self.port = embedded_store.free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None

    def start(self, **settings):
        """Start it and wait until it can work."""
        kept = {name: value for name, value in os.environ.items() if name not in OWN}
        given = {"DATA_DIR": self.folder, "PORT": self.port, **settings}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                GUNICORN,
                cwd=ROOT,
                env=kept | {name: str(value) for name, value in given.items()},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        return self.up()

    def up(self):
        """Wait until it can work; its own words if it cannot."""
        deadline = time.monotonic() + START_SECONDS
        while not self.ready():
            assert time.monotonic() < deadline, self.said()
            assert self.process.poll() is None, self.said()
            time.sleep(0.05)
        return self

    def ready(self):
        try:
            return requests.get(f"{self.url}/api/health/ready", timeout=6).ok
        except requests.RequestException:
            return False

    def said(self):
        return self.log.read_text("utf-8", errors="replace")[-3000:]

    @property
    def store(self):
        """What its store is known by."""
        return store_note.read(self.folder)

    @property
    def workers(self):
        """The processes that serve: the master's children but its store."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        children = {int(pid) for pid in path.read_text().split()}
        return children - {self.store.pid}

    def kill_worker(self):
        """Kill those who serve; the master puts others in their place."""
        for pid in self.workers:
            os.kill(pid, signal.SIGKILL)

    def kill_all(self):
        """Kill the service with its master; the store ends, as nobody owns it."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill_all()


class WatchedLine(Line):
    """Counts what is under way, holds what comes while it is closed, keeps answers."""

    def __init__(self):
        super().__init__()
        self.open = threading.Event()
        self.open.set()
        self.under_way = 0
        self.kept = Acknowledged()

    def ask(self, method, url, body, query, token):
        self.open.wait()
        self.under_way += 1
        path = url.partition("/api/")[2]
        told = False
        try:
            answer = super().ask(method, url, body, query, token)
            told = answer.status not in NO_WORD
            if answer.ok and method != "GET":
                self.kept.keep(method, path, answer.data)
            return answer
        finally:
            if method == "DELETE" and not told:
                self.kept.forget(path)
            self.under_way -= 1

    def hold(self, seconds=30):
        """Let no request out any more, and wait for those that are under way."""
        self.open.clear()
        deadline = time.monotonic() + seconds
        while self.under_way:
            assert time.monotonic() < deadline, f"{self.under_way} are not answered"
            time.sleep(0.02)


#: Under which members of an answer to an act there are records, and of which kind.
PARTS = {
    "pane": "panes",
    "panes": "panes",
    "remadePane": "panes",
    "log": "pane-logs",
    "logs": "pane-logs",
    "source": "inventories",
    "target": "inventories",
}


class Acknowledged:
    """The latest state of each record that an answer has shown, and what is deleted."""

    def __init__(self):
        self.records = {}
        self.gone = set()
        self.changes = 0

    def keep(self, method, path, data):
        """Keep what was acknowledged; a login changes nothing."""
        kind, _, rest = path.partition("/")
        if kind == "auth":
            return
        self.changes += 1
        if method == "DELETE":
            self.gone.add((kind, data["_id"]))
            self.records.pop((kind, data["_id"]), None)
        elif "_id" in data:
            kind = "claims" if rest.endswith("claims") else kind
            self._keep(kind, data)
        else:
            for name, part in data.items():
                for record in part if isinstance(part, list) else [part]:
                    if name in PARTS and isinstance(record, dict):
                        self._keep(PARTS[name], record)

    def forget(self, path):
        """Forget a record's state: nobody said whether it is deleted."""
        kind, _, record_id = path.partition("/")
        self.records.pop((kind, record_id), None)

    def _keep(self, kind, record):
        known = self.records.get((kind, record["_id"]))
        if known is None or known["version"] <= record["version"]:
            self.records[kind, record["_id"]] = record

    def missing(self, state):
        """What was acknowledged and is not so: older, different, or not there at all."""
        wrong = []
        for (kind, record_id), said in self.records.items():
            is_now = state[kind].get(record_id)
            if is_now is None:
                wrong.append(f"{kind} {record_id} is gone: {said}")
            elif is_now["version"] < said["version"]:
                wrong.append(f"{kind} {record_id} is back at v{is_now['version']}")
            elif is_now["version"] == said["version"] and is_now != said:
                wrong.append(f"{kind} {record_id} differs: {is_now} was {said}")
        back = [one for one in self.gone if one[1] in state[one[0]]]
        return wrong + [f"{kind} {record_id} is back" for kind, record_id in back]
