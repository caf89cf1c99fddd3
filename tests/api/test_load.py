"""More requests at once than the service works on: it says that it is busy, and recovers."""

import http.client
from collections import Counter
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from urllib.parse import urlsplit

import gevent
import pymongo
import pytest
import requests
from flask import Request
from gevent.event import Event
from gevent.lock import BoundedSemaphore
from pymongo.errors import (
    OperationFailure,
    ServerSelectionTimeoutError,
    WaitQueueTimeoutError,
)

from clients import Api
from concurrency import run_concurrently
from factories import PASSWORD
from glassflow.blueprints import customers, health
from glassflow.core.process import deadlines
from glassflow.web import gate as gate_module
from glassflow.web.gate import Gate
from greenlets import spawn
from store_commands import record_commands
from waiting import REQUEST_TIMEOUT_S, wait_until

BUSY = "The service is busy, please try again"


@pytest.fixture
def gate(app, monkeypatch):
    """A gate for a single request, which gives up at once."""
    made = Gate(1)
    monkeypatch.setitem(app.extensions, "gate", made)
    monkeypatch.setattr(deadlines, "GATE_TIMEOUT_S", 0.01)
    return made


@contextmanager
def occupied(gate):
    """Hold a slot, as a request in work does."""
    gate.acquire()
    yield
    gate.release()


def log_in(url, username):
    credentials = {"username": username, "password": PASSWORD}
    return Api(url).post("/api/auth/login", credentials)


def test_busy_service_refuses_before_any_work_and_asks_to_come_back(gate, admin):
    with occupied(gate):
        answers = [admin.get("/api/customers") for _ in range(20)]
    for answer in answers:
        assert (answer.status, answer.message) == (503, BUSY)
        assert answer.errors == {"code": "BUSY"}
        assert answer.headers["X-Request-ID"]
    waits = {int(answer.headers["Retry-After"]) for answer in answers}
    assert len(waits) > 1
    assert waits <= set(range(1, 6))
    assert admin.get("/api/customers").status == 200


def test_refused_requests_are_counted_and_named_in_the_log(gate, admin, scrape, caplog):
    before = scrape().sum("http_refused_busy_total")
    with occupied(gate):
        answers = [admin.get("/api/customers") for _ in range(3)]
    ids = {answer.headers["X-Request-ID"] for answer in answers}
    assert scrape().sum("http_refused_busy_total") == before + 3

    def named():
        lines = (one.getMessage() for one in caplog.records)
        return {
            word for one in lines if "refused as busy" in one for word in one.split()
        }

    wait_until(lambda: ids <= named())


def test_health_and_login_are_answered_while_the_service_is_busy(
    gate, admin, server, workshop
):
    with occupied(gate):
        assert admin.get("/api/health").status == 200
        assert admin.get("/api/health/ready").status == 200
        assert log_in(server, admin.worker.username).status == 200
        assert admin.get("/api/nothing").status == 404


def test_many_who_ask_whether_the_service_is_ready_cause_one_look_at_the_store(
    app, anonymous, monkeypatch
):
    def ask():
        return anonymous.get("/api/health/ready")

    looks = record_commands(monkeypatch, lambda one: "hello" in one, of_all=True)
    ready = ask().data
    assert len(looks.sent) == 1
    monkeypatch.setattr(deadlines, "READINESS_KEPT_S", REQUEST_TIMEOUT_S)
    monkeypatch.setitem(app.extensions, "readiness", health.shared_look())
    answers = run_concurrently([ask] * 50)
    assert [(one.status, one.data) for one in answers] == [(200, ready)] * 50
    assert len(looks.sent) == 2


def test_store_that_goes_away_while_readiness_is_looked_up_is_unreachable(
    anonymous, monkeypatch
):
    def fails():
        raise ServerSelectionTimeoutError("away")

    monkeypatch.setattr(health.migrations, "done", fails)
    answer = anonymous.get("/api/health/ready")
    assert (answer.status, answer.errors["database"]) == (503, "unreachable")


def test_refused_and_failed_requests_leave_the_gate(gate, admin, monkeypatch):
    for status, path in ((404, f"/api/customers/{'0' * 24}"), (200, "/api/customers")):
        assert admin.get(path).status == status

    def breaks(*_, **__):
        raise RuntimeError

    monkeypatch.setattr(customers.resource.schema.__class__, "read", breaks)
    assert admin.post("/api/customers", {"name": "a"}).status == 500
    assert admin.get("/api/customers").status == 200


def test_event_stream_leaves_the_gate(gate, admin):
    headers = {
        "Authorization": f"Bearer {admin.token}",
        "Accept": "text/event-stream",
    }
    with requests.get(
        f"{admin.url}/api/events",
        headers=headers,
        stream=True,
        timeout=REQUEST_TIMEOUT_S,
    ) as stream:
        assert next(stream.iter_lines(chunk_size=1)) == b": listening"
        assert admin.get("/api/customers").status == 200


def test_large_body_that_arrives_slowly_holds_no_slot(gate, admin, server):
    half_sent, others_answered = Event(), Event()

    def slow_body():
        yield b'{"name": "' + b"x" * 5000
        half_sent.set()
        assert others_answered.wait(REQUEST_TIMEOUT_S)
        yield b'"}'

    def upload():
        headers = {"Content-Type": "application/json"}
        slow = Api(server, admin.token)
        return slow.call("POST", "/api/customers", data=slow_body(), headers=headers)

    uploading = spawn(upload)
    assert half_sent.wait(REQUEST_TIMEOUT_S)
    wait_until(lambda: admin.get("/api/customers").status == 200)
    others_answered.set()
    assert uploading.get().status == 201


def test_connection_of_a_refused_request_serves_the_next_one(gate, server):
    connection = http.client.HTTPConnection(
        urlsplit(server).netloc, timeout=REQUEST_TIMEOUT_S
    )
    connection.connect()
    socket = connection.sock
    with occupied(gate):
        for _ in range(2):
            connection.request("POST", "/api/customers", b'{"name": "refused"}')
            assert connection.getresponse().read().count(b"BUSY") == 1
    connection.request("GET", "/api/health")
    assert connection.getresponse().status == 200
    assert connection.sock is socket
    connection.close()


def test_burst_waits_and_an_overload_is_refused_at_once(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    time = SimpleNamespace(monotonic=lambda: clock.now)
    monkeypatch.setattr(gate_module, "time", time)
    monkeypatch.setattr(deadlines, "GATE_TIMEOUT_S", REQUEST_TIMEOUT_S)
    gate = Gate(1)
    assert gate.acquire()
    burst = [spawn(gate.acquire) for _ in range(20)]
    gevent.sleep(0)
    assert not any(one.ready() for one in burst)
    clock.now = REQUEST_TIMEOUT_S + 1.0  # the queue has lasted for so long
    assert not gate.acquire()
    for one in burst:
        gate.release()
        assert one.get()
    gate.release()
    assert gate.acquire(), "the queue is empty"


@pytest.fixture
def limits_seen(monkeypatch):
    """Records what is left of the time limit on the store while a function runs."""
    seen = []

    def record(owner, name):
        function = getattr(owner, name)

        def recording(*args, **kwargs):
            seen.append(pymongo._csot.remaining())
            return function(*args, **kwargs)

        monkeypatch.setattr(owner, name, recording)
        return seen

    return record


def test_receiving_a_body_does_not_spend_the_time_limit_on_the_store(
    admin, limits_seen
):
    seen = limits_seen(Request, "get_data")
    assert admin.post("/api/customers", {"name": "a" * 9_000}).status == 201
    fields = [{"id": str(number), "x": 0.5} for number in range(5_000)]
    assert admin.post("/api/customers", {"name": "a", "odd": fields}).status == 400
    assert seen == [None, None]


def test_logins_at_once_wait_for_their_turn_without_a_time_limit_on_the_store(
    app, server, workshop, limits_seen, monkeypatch
):
    hasher = app.extensions["runtime"].passwords
    turns = SimpleNamespace(acquire=None, release=None)
    one = BoundedSemaphore(1)
    turns.acquire, turns.release = one.acquire, one.release
    monkeypatch.setattr(hasher, "_turns", turns)
    seen = limits_seen(turns, "acquire")
    names = [workshop.worker().username for _ in range(25)]
    answers = run_concurrently([lambda n=n: log_in(server, n) for n in names])
    assert Counter(answer.status for answer in answers) == {200: 25}
    assert seen == [None] * 25


@pytest.fixture
def hash_turns(app, monkeypatch):
    """The turns of those who hash, of which there is one."""
    turns = BoundedSemaphore(1)
    monkeypatch.setattr(app.extensions["runtime"].passwords, "_turns", turns)
    return turns


@pytest.mark.parametrize("what", ["new worker", "own password", "PIN"])
def test_who_waits_for_a_hash_holds_no_slot(gate, hash_turns, admin, workshop, what):
    worker = workshop.worker()
    role = str(worker.role)
    new = {"name": "a", "username": "nok", "password": PASSWORD, "position": "Glazier"}
    own = {"password": f"{PASSWORD} 2", "currentPassword": PASSWORD}
    send = {
        "new worker": partial(admin.post, "/api/workers", {**new, "role": role}),
        "own password": partial(admin.patch, "/api/auth/me", own),
        "PIN": partial(admin.put, f"/api/workers/{worker.pk}/pin", {"pin": "2580"}),
    }[what]
    with occupied(hash_turns):
        waiting = spawn(send)
        wait_until(lambda: hash_turns.linkcount())
        assert admin.get("/api/customers").status == 200
        assert not waiting.ready()
    assert waiting.get().status in (200, 201)


def test_login_that_waited_too_long_for_its_turn_is_asked_to_come_back(
    app, server, workshop, monkeypatch
):
    monkeypatch.setattr(deadlines, "HASH_QUEUE_TIMEOUT_S", 0.01)
    hasher = app.extensions["runtime"].passwords
    turns = BoundedSemaphore(1)
    monkeypatch.setattr(hasher, "_turns", turns)
    name = workshop.worker().username
    with occupied(turns):
        answer = log_in(server, name)
    assert answer.status == 429
    assert 1 <= int(answer.headers["Retry-After"]) <= 10
    assert log_in(server, name).status == 200


@pytest.mark.parametrize(
    ("error", "message", "errors"),
    [
        (WaitQueueTimeoutError, BUSY, {"code": "BUSY"}),
        (
            ServerSelectionTimeoutError,
            "The store is not available",
            {"code": "STORE_UNAVAILABLE"},
        ),
        (
            lambda text: OperationFailure(text, code=1),
            "The store is not available",
            {"code": "STORE_UNAVAILABLE"},
        ),
    ],
)
def test_a_busy_service_is_told_from_a_store_that_is_away(
    admin, monkeypatch, error, message, errors
):
    def fails(*_, **__):
        raise error("no connection")

    monkeypatch.setattr(customers.resource.schema.__class__, "read", fails)
    answer = admin.post("/api/customers", {"name": "a"})
    assert (answer.status, answer.message, answer.errors) == (503, message, errors)
    assert int(answer.headers["Retry-After"]) >= 1
