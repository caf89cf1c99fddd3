"""The store gone or silent: refused within five seconds, and mended by itself."""

import os
import signal
import threading
import time

import pytest
import requests
from floor_under_fire import Service

from demo.workshop import demo_passwords

LIMIT = 5.0  # seconds
AWAY = 8.0
KILLS = 8
CLIENTS = 12
CLEAN = {200, 201}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


@pytest.fixture
def service(tmp_path):
    """A service of its own, with the demo workshop."""
    running = Service(tmp_path)
    yield running.start(PREPARE=1, DEMO=1)
    running.stop()


class Crowd:
    """Clients that write and read without a pause, and note how each request ended."""

    def __init__(self, service):
        self.url = service.url
        login = {"username": "admin", "password": demo_passwords()["admin"]}
        answer = requests.post(f"{self.url}/api/auth/login", json=login, timeout=10)
        self.headers = {"Authorization": f"Bearer {answer.json()['data']['token']}"}
        self.stored, self.open, self.ends = set(), set(), []
        self.over = threading.Event()
        self.threads = [
            threading.Thread(target=self._run, args=(n,), daemon=True)
            for n in range(CLIENTS)
        ]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join(20)

    def _run(self, n):
        with requests.Session() as session:
            session.headers.update(self.headers)
            serial = 0
            while not self.over.is_set():
                serial += 1
                name = f"ลูกค้า {n}-{serial}"
                status = self._ask(session, "POST", {"name": name})
                (self.stored if status == 201 else self.open).add(name)
                if serial % 4 == 0:
                    self._ask(session, "GET", None)

    def _ask(self, session, method, body):
        begun = time.monotonic()
        try:
            answer = session.request(
                method, f"{self.url}/api/customers", json=body, timeout=30
            )
            status, envelope = answer.status_code, answer.json()
        except (requests.RequestException, ValueError) as error:
            status, envelope = 0, {"message": repr(error)}
        seconds = time.monotonic() - begun
        self.ends.append((begun, seconds, status, envelope))
        return status

    def since(self, moment):
        """The requests that began at or after a moment."""
        return [end for end in self.ends if end[0] >= moment]

    def wait_until_served(self, seconds=20):
        """Wait until all that is asked is answered well again; tell how long it took."""
        begun = time.monotonic()
        while time.monotonic() - begun < seconds:
            mark = time.monotonic()
            time.sleep(0.3)
            ends = self.since(mark)
            if len(ends) >= CLIENTS and {status for *_, status, _ in ends} <= CLEAN:
                return mark - begun
        raise AssertionError(f"not served again within {seconds} s: {ends[-3:]}")

    def names(self):
        """The customers' names as the store has them."""
        names, page, pages = [], 1, 1
        while page <= pages:
            answer = requests.get(
                f"{self.url}/api/customers",
                params={"limit": 100, "page": page, "sort": "createdAt"},
                headers=self.headers,
                timeout=10,
            ).json()
            names += [row["name"] for row in answer["data"]]
            pages, page = answer["pagination"]["totalPages"], page + 1
        return names


def judge(crowd, what, served_after, capsys, *, noticed=True):
    """Hold what the crowd met against what it had to meet; print the figures."""
    refused = [end for end in crowd.ends if end[2] not in CLEAN]
    worst = max(seconds for _, seconds, _, _ in crowd.ends)
    slowest = max((seconds for _, seconds, _, _ in refused), default=0)
    names = crowd.names()
    with capsys.disabled():
        print(
            f"\nstore {what}: {len(crowd.ends)} requests, {len(refused)} answered 503,"
            f" the slowest of these after {slowest:.2f} s (of all {worst:.2f} s);"
            f" served again {served_after:.1f} s after it was back;"
            f" {len(crowd.stored)} acknowledged changes, none missing"
        )
    assert refused or not noticed, "nobody noticed: the store was never away"
    for _, _, status, envelope in refused:
        assert status == 503, envelope
        assert envelope["success"] is False, envelope
        assert envelope["message"], envelope
    assert worst < LIMIT
    assert crowd.stored
    assert crowd.stored <= set(names)
    mine = [name for name in names if name in crowd.stored | crowd.open]
    assert len(mine) == len(set(mine)), "something was stored twice"


def kill_again_and_again(service):
    """Kill the store in the middle of its commits; each time the launcher starts anew."""
    for _ in range(KILLS):
        old = service.store
        os.kill(old.pid, signal.SIGKILL)
        while service.store in (old, None):
            time.sleep(0.02)
        time.sleep(0.8)


def kill_and_keep_away(service):
    """Kill the store while its launcher cannot start another, for longer than a limit."""
    os.kill(service.process.pid, signal.SIGSTOP)
    try:
        os.kill(service.store.pid, signal.SIGKILL)
        time.sleep(AWAY)
    finally:
        os.kill(service.process.pid, signal.SIGCONT)


def silence(service):
    """Let the store hold its peace for longer than a limit."""
    pid = service.store.pid
    os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(AWAY)
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize(
    ("fault", "noticed"),
    [(kill_again_and_again, False), (kill_and_keep_away, True), (silence, True)],
)
def test_a_store_that_is_away_is_a_503_in_time_and_mends_by_itself(
    service, fault, noticed, capsys
):
    with Crowd(service) as crowd:
        time.sleep(1)
        fault(service)
        served_after = crowd.wait_until_served()
    what = fault.__name__.replace("_", " ")
    judge(crowd, f"fault: {what}", served_after, capsys, noticed=noticed)
