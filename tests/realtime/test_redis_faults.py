"""Redis is slow, hangs or is killed: requests do not wait, no client misses an event.

Neither does a webhook, and the history has every change. What is sent again with its
`Idempotency-Key` to another process is carried out once.
"""

import statistics
import time
from contextlib import contextmanager

import gevent
import pytest

from greenlets import spawn
from multi_process import connection_to, screen_at
from redis_server import RedisServer
from screens import material_units
from service import Service, shared_settings
from waiting import wait_until
from webhook_receiver import Receiver

pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.timeout(400)]
CHANGES_BEFORE, CHANGES_DURING, CHANGES_AFTER = 30, 60, 15
KEYS = 10
PAUSE_S = 0.03  # between two changes
HISTORY_LIMIT = 200  # more than all changes of a fault
MAX_LINES_PER_FAULT = 20
MAX_SLOWDOWN = 10  # a request that waits for Redis is a hundred times slower


@pytest.fixture(scope="module")
def redis(tmp_path_factory):
    running = RedisServer(tmp_path_factory.mktemp("redis")).start()
    yield running
    running.resume()
    running.kill()


@pytest.fixture(scope="module")
def service(store, demo_workshop, redis, tmp_path_factory):
    settings = shared_settings(
        store, demo_workshop, redis, WORKERS=2, WEBHOOK_NETWORKS="127.0.0.0/8"
    )
    running = Service(tmp_path_factory.mktemp("faults"), **settings)
    yield running.start()
    running.stop()


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.close()


@contextmanager
def hung(redis):
    redis.suspend()
    try:
        yield
    finally:
        redis.resume()


@contextmanager
def killed(redis):
    redis.kill()
    try:
        yield
    finally:
        redis.start()


@contextmanager
def slow(redis):
    """Redis repeatedly delays all commands by 0.4 s."""

    def delay():
        while True:
            redis.pause_clients(400)
            gevent.sleep(0.45)

    delaying = spawn(delay)
    try:
        yield
    finally:
        delaying.kill()


class Writer:
    """Changes one material in alternating processes; times each request."""

    def __init__(self, connections, name):
        body = {"name": name, "unit": "none", "reorderPoint": 0}
        self._connections = connections
        self._name = name
        self._path = "/api/materials/"
        self._path += connections[0].post("/api/materials", body).data["_id"]
        self.written = ["none"]

    def change(self, count):
        """Make `count` changes; return the median duration of one in seconds."""
        seconds = []
        for _ in range(count):
            unit = str(len(self.written))
            begin = time.perf_counter()
            connection = self._connections[len(self.written) % 2]
            assert connection.patch(self._path, {"unit": unit}).data
            seconds.append(time.perf_counter() - begin)
            self.written.append(unit)
            gevent.sleep(PAUSE_S)
        return statistics.median(seconds)

    def assert_received(self, screens):
        """Wait until every screen has received all changes, in order and once each."""
        count = len(self.written)
        for screen in screens:
            screen.wait_for(lambda one=screen: len(material_units(one)) >= count)
            received = material_units(screen)
            assert [unit for unit, _ in received] == self.written
            numbers = [seq for _, seq in received]
            assert numbers == sorted(set(numbers))

    def assert_delivered(self, receiver):
        """Wait until a webhook has received all changes, in order and once each."""

        def units():
            found = [one.event["data"]["data"] for one in receiver.accepted]
            return [one["unit"] for one in found if one["name"] == self._name]

        wait_until(
            lambda: len(units()) >= len(self.written), describe=receiver.describe
        )
        assert units() == self.written
        receiver.assert_in_order()

    def assert_in_history(self):
        """The history of the material has all changes, in order and once each."""
        path = f"{self._path}/history?limit={HISTORY_LIMIT}"
        entries = self._connections[0].get(path).data
        changes = [change for entry in entries for change in entry["changes"]]
        units = [one["to"] for one in changes if one["field"] == "unit"]
        assert units[::-1] == self.written


def create_again(connections, name, count):
    """Create customers, each with a key that is then sent to the other processes too.

    Each process answers with the same record, which is there once.
    """
    names = [f"{name} {number}" for number in range(count)]
    for number, one in enumerate(names):
        key = {"Idempotency-Key": f"{one} of a redis fault"}
        first = number % len(connections)
        asked = [*connections[first:], *connections[:first]]
        answers = [
            connection.post("/api/customers", {"name": one}, headers=key).data
            for connection in asked
        ]
        assert answers == [answers[0]] * len(connections)
    rows = connections[0].get(f"/api/customers?search={name}&limit=100").data
    assert sorted(row["name"] for row in rows) == sorted(names)


@pytest.mark.parametrize("fault", [slow, hung, killed])
def test_clients_receive_everything_and_requests_do_not_wait_for_redis(
    service, redis, receiver, fault
):
    token = service.login()
    pids = service.workers
    connections = [connection_to(service, token, pid) for pid in pids]
    screens = [screen_at(service, token, pids[n % 2]) for n in range(6)]
    for screen in screens:
        screen.join("join_inventory")
    hook = {"url": receiver.url, "events": ["material:updated"]}
    hook = connections[0].post("/api/webhooks", hook).data
    writer = Writer(connections, fault.__name__)
    logged = len(service.log.read_text())
    try:
        before = writer.change(CHANGES_BEFORE)
        with fault(redis):
            during = writer.change(CHANGES_DURING)
            writer.assert_received(screens)  # despite the fault
            create_again(connections, fault.__name__, KEYS)
            for _ in range(3):
                service.login()
        writer.change(CHANGES_AFTER)
        writer.assert_received(screens)
        writer.assert_delivered(receiver)
        writer.assert_in_history()
    finally:
        connections[0].patch(f"/api/webhooks/{hook['_id']}", {"isActive": False})
        for one in screens:
            one.close()
    lines = [line for line in service.log.read_text()[logged:].splitlines() if line]
    print(f"\n{fault.__name__}: {len(lines)} lines logged", *lines[:20], sep="\n")
    assert during < MAX_SLOWDOWN * before
    assert len(lines) < MAX_LINES_PER_FAULT
    assert "Traceback" not in "\n".join(lines)
