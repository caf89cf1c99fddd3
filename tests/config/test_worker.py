"""gunicorn's worker ends what its requests have open in the store before it exits."""

import gc
import http.client
import logging
import socket
import sys
from types import SimpleNamespace

import gevent
import gunicorn.http
import pytest
from gevent.server import StreamServer
from gunicorn.config import Config
from gunicorn.http.message import Request
from gunicorn.workers.ggevent import GeventWorker

from config import worker as config_worker
from config.worker import Worker
from glassflow.web.early_refusal import refuse_early
from waiting import REQUEST_TIMEOUT_S


@pytest.fixture
def calls():
    """What a worker calls when it ends, in order."""
    return []


@pytest.fixture
def worker(calls):
    """A worker that serves an application, without gunicorn's master."""
    made = Worker.__new__(Worker)
    realtime = SimpleNamespace(
        stop=lambda: calls.append("publish"),
        end_streams=lambda: None,
        close_sockets=lambda: None,
    )
    extensions = {
        "realtime": realtime,
        "end_transactions": lambda: calls.append("end transactions"),
    }
    made.wsgi = SimpleNamespace(extensions=extensions)
    made.cfg = SimpleNamespace(worker_int=lambda _: None)
    made.idle, made.serving, made.alive = {}, True, True
    switch_s, thresholds = sys.getswitchinterval(), gc.get_threshold()
    yield made
    sys.setswitchinterval(switch_s)
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def test_application_tells_the_worker_how(app):
    assert callable(app.extensions["end_transactions"])


def test_worker_that_stops_publishes_first(worker, calls, monkeypatch):
    monkeypatch.setattr(GeventWorker, "run", lambda self: None)
    monkeypatch.setattr(Worker, "_close_when_stopped", lambda self: None)
    worker.run()
    assert calls == ["publish", "end transactions"]


def test_worker_that_starts_warms_its_application_up_once(worker, calls, monkeypatch):
    worker.wsgi.extensions["warm_up"] = lambda: calls.append("warm up")
    monkeypatch.setattr(GeventWorker, "run", lambda self: gevent.sleep())
    monkeypatch.setattr(Worker, "_close_when_stopped", lambda self: None)
    worker.run()
    assert calls == ["warm up", "publish", "end transactions"]


def test_worker_asks_whether_it_may_serve_and_says_when_it_has_published_the_rest(
    worker, calls, monkeypatch
):
    monkeypatch.setattr(GeventWorker, "run", lambda self: calls.append("serve"))
    monkeypatch.setattr(Worker, "_close_when_stopped", lambda self: None)
    worker.wsgi.extensions["begin"] = lambda: calls.append("begin")
    worker.wsgi.extensions["end"] = lambda: calls.append("end")
    worker.run()
    assert calls == ["begin", "serve", "publish", "end", "end transactions"]


def test_event_loop_waits_neither_for_threads_nor_for_the_garbage_of_what_is_loaded(
    worker, monkeypatch
):
    found = []

    def serve(_):
        counts = gc.get_freeze_count(), gc.get_threshold()[0]
        found.extend([sys.getswitchinterval(), *counts])

    monkeypatch.setattr(GeventWorker, "run", serve)
    monkeypatch.setattr(Worker, "_close_when_stopped", lambda self: None)
    looked_at = len(gc.get_objects())
    worker.run()
    switch_s, left_out, threshold = found
    assert switch_s == pytest.approx(config_worker.THREAD_SWITCH_S)
    assert left_out > looked_at / 2  # the rest was garbage
    assert threshold == config_worker.GC_THRESHOLD


def test_worker_that_quits_ends_the_transactions_of_its_requests(
    worker, calls, monkeypatch
):
    monkeypatch.setattr(config_worker, "QUIT_GRACE_S", 0)
    with pytest.raises(SystemExit):
        worker._quit()
    assert calls == ["end transactions"]


def test_worker_whose_exit_has_begun_may_still_publish(worker, calls, monkeypatch):
    monkeypatch.setattr(config_worker, "QUIT_GRACE_S", 0)
    worker.serving = False
    worker._quit()
    assert calls == []


class Overloaded:
    """A WSGI application of which `refuse_early` refuses all that is not in `/free`."""

    reads_bodies = True

    def __init__(self, app):
        self.bodies = []
        self.extensions = {
            "is_overloaded": lambda: True,
            "refuse_early": self.refuse_early,
        }
        self._app = app

    def refuse_early(self, method, path, headers):
        if path.startswith("/free"):
            return None
        return refuse_early(self._app, method, path, headers)

    def __call__(self, environ, start_response):
        body = environ["wsgi.input"].read() if self.reads_bodies else b""
        start_response("200 OK", [("Content-Length", "6")])
        self.bodies.append(body)
        return [b"served"]


@pytest.fixture
def overloaded(app, worker, monkeypatch):
    """A connection to a worker whose gate is full, and its application."""
    monkeypatch.setattr(type(app.extensions["gate"]), "is_overloaded", lambda *_: True)
    worker.wsgi, worker.tls = Overloaded(app), None
    worker.nr, worker.max_requests = 0, 9
    worker.cfg, worker.log = Config(), logging.getLogger("test")
    worker.log.access = lambda *_: None
    worker.cfg.set("keepalive", int(REQUEST_TIMEOUT_S))
    monkeypatch.setattr(GeventWorker, "init_process", lambda _: None)
    monkeypatch.setattr(gunicorn.http, "get_parser", gunicorn.http.get_parser)
    worker.init_process()

    def serve(client, addr):
        worker.handle(server.socket, client, addr)

    server = StreamServer(("127.0.0.1", 0), serve)
    server.start()
    address = ("127.0.0.1", server.server_port)
    with (
        socket.create_connection(address, timeout=REQUEST_TIMEOUT_S) as client,
        client.makefile("rb") as answers,
    ):
        yield Connection(client, answers), worker.wsgi
    server.stop()


def request(method, path, body=b""):
    head = f"{method} {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


class Connection:
    """A client that reads all answers from one buffer, so that no byte gets lost."""

    def __init__(self, client, answers):
        self._client = client
        self._answers = answers

    def ask(self, method, path, body=b""):
        self.send(request(method, path, body))
        return self.answer(method)

    def send(self, data):
        self._client.sendall(data)

    def answer(self, method="GET"):
        status = self._answers.readline().decode()
        headers = http.client.parse_headers(self._answers)
        length = 0 if method == "HEAD" else int(headers["Content-Length"])
        return status, self._answers.read(length)


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "DELETE"])
def test_connection_of_a_refused_request_serves_the_next_one(overloaded, method):
    connection, application = overloaded
    body = b'{"name": "refused"}' if method == "POST" else b""
    for _ in range(2):
        status, refusal = connection.ask(method, "/api/customers", body)
        assert status.startswith("HTTP/1.1 503 ")
        assert (b"BUSY" in refusal) is (method != "HEAD")
    served = connection.ask("POST", "/free", b"own body")
    assert served == ("HTTP/1.1 200 OK\r\n", b"served")
    assert application.bodies == [b"own body"]


def test_refused_request_is_not_parsed(overloaded, monkeypatch):
    """gunicorn's parser takes longer than the refusal."""
    connection, _ = overloaded
    parsed = []
    parse = Request.parse
    monkeypatch.setattr(
        Request,
        "parse",
        lambda self, reader: parsed.append(self) or parse(self, reader),
    )
    for _ in range(3):
        status, _ = connection.ask("POST", "/api/customers", b"{}")
        assert status.startswith("HTTP/1.1 503 ")
    assert len(parsed) == 0
    connection.ask("POST", "/free")
    assert len(parsed) == 1


def test_request_that_arrives_in_parts_is_refused_once(overloaded):
    connection, application = overloaded
    data = request("POST", "/api/customers", b'{"name": "refused"}')
    for part in (data[:20], data[20:-5], data[-5:]):
        connection.send(part)
        gevent.sleep(0.05)
    assert connection.answer()[0].startswith("HTTP/1.1 503 ")
    assert connection.ask("POST", "/free", b"own")[1] == b"served"
    assert application.bodies == [b"own"]


def test_requests_that_arrive_together_are_answered_one_by_one(overloaded):
    connection, application = overloaded
    refused, free = request("GET", "/api/customers"), request("POST", "/free", b"own")
    connection.send(refused + free + refused + free[:10])
    gevent.sleep(0.05)
    connection.send(free[10:] + refused)
    statuses = [connection.answer()[0][9:12] for _ in range(5)]
    assert statuses == ["503", "200", "503", "200", "503"]
    assert application.bodies == [b"own", b"own"]


def test_body_that_nobody_reads_is_no_request(overloaded, monkeypatch):
    connection, application = overloaded
    monkeypatch.setattr(application, "reads_bodies", False)
    body = request("GET", "/api/customers")
    connection.send(request("POST", "/free", body)[: -len(body)])
    gevent.sleep(0.05)
    connection.send(body)
    assert connection.answer()[1] == b"served"
    assert connection.ask("POST", "/free")[1] == b"served"


def test_refused_client_has_the_whole_time_for_its_next_request(overloaded, worker):
    connection, _ = overloaded
    connection.ask("GET", "/api/customers")
    (timeout,) = worker.idle.values()
    first_end = timeout.timer.at
    gevent.sleep(0.05)
    connection.ask("GET", "/api/customers")
    assert timeout.timer.at > first_end
