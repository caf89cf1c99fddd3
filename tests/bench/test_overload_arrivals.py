"""The clients of the overload, against a small service."""

import json
import socket

import pytest
from gevent.pywsgi import WSGIServer

from bench.overload import arrivals
from bench.overload.arrivals import NO_ANSWER, Clients
from bench.overload.requests import name_of

TOKEN, CUSTOMER, PREFIX = "token", "c1", "p-"


@pytest.fixture
def service():
    """Answers reads with 200 and every second creation with 503; has what it received."""
    received = []

    def answer(environ, start_response):
        body = environ["wsgi.input"].read()
        received.append((environ["REQUEST_METHOD"], environ["PATH_INFO"], body))
        refused = body and json.loads(body)["name"].endswith(("1", "5", "9"))
        start_response("503 Busy" if refused else "200 OK", [("Content-Length", "3")])
        return [b"{ }"]

    server = WSGIServer(("127.0.0.1", 0), answer, log=None)
    server.start()
    server.received = received
    yield server
    server.stop()


def run(port, **values):
    given = {"port": port, "token": TOKEN, "customer": CUSTOMER, "prefix": PREFIX}
    clients = Clients({**given, **values})
    if "closed" in values:
        clients.repeat()
    else:
        clients.arrive()
    return sorted(clients.results, key=lambda row: row[1])


def test_requests_arrive_at_the_rate_and_every_answer_is_noted(service):
    results = run(service.server_port, rate=100, seconds=0.2)
    assert [row[1] for row in results] == list(range(20))
    assert [row[0] for row in results[:3]] == ["read", "write", "read"]
    assert {row[3] for row in results if row[0] == "read"} == {200}
    assert [row[3] for row in results if row[0] == "write"][:4] == [503, 200, 503, 200]
    assert all(row[2] >= row[1] / 100 for row in results)  # none before it is due
    bodies = [json.loads(one[2])["name"] for one in service.received if one[2]]
    assert sorted(bodies) == [name_of(PREFIX, n) for n in range(1, 20, 2)]
    reads = {one[:2] for one in service.received if one[0] == "GET"}
    assert reads == {("GET", f"/api/customers/{CUSTOMER}")}


def test_some_clients_send_as_soon_as_they_are_answered(service):
    results = run(service.server_port, closed=3, seconds=0.2)
    assert len(results) > 3
    assert len(service.received) == len(results)


def test_service_that_closes_its_connections_gives_no_answer(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    monkeypatch.setattr(arrivals, "ANSWER_TIMEOUT_S", 5)
    results = run(port, rate=50, seconds=0.1)
    assert [row[3] for row in results] == [NO_ANSWER] * 5
