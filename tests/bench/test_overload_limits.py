"""The overload: its clients against a small service, and its limits."""

import json
import socket

import pytest
from gevent.pywsgi import WSGIServer

from bench.overload import NO_ANSWER, Answer, Clients, Overload

SECONDS, PEAK = 10, 20


@pytest.fixture
def service():
    """Answers reads with 200 and every second creation with 503."""

    def answer(environ, start_response):
        body = environ["wsgi.input"].read()
        refused = body and json.loads(body)["name"].endswith(("1", "5", "9"))
        start_response("503 Busy" if refused else "200 OK", [("Content-Length", "3")])
        return [b"{ }"]

    server = WSGIServer(("127.0.0.1", 0), answer, log=None)
    server.start()
    yield server
    server.stop()


def test_requests_arrive_at_the_rate_and_every_answer_is_noted(service):
    clients = Clients(service.server_port, "token", "c1")
    clients.arrive(rate=100, seconds=0.2)
    answers = sorted(clients.answers, key=lambda one: one.sent)
    assert len(answers) == 20
    assert {one.status for one in answers if not one.customer} == {200}
    created = [one for one in answers if one.customer]
    assert sorted(one.status for one in created) == [200] * 4 + [503] * 6
    assert len({one.customer for one in created}) == 10


def test_some_clients_send_as_soon_as_they_are_answered(service):
    clients = Clients(service.server_port, "token", "c1")
    clients.repeat(3, seconds=0.2)
    assert len(clients.answers) > 3


def test_service_that_closes_its_connections_gives_no_answer():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    clients = Clients(port, "token", "c1")
    clients.arrive(rate=50, seconds=0.1)
    assert [one.status for one in clients.answers] == [NO_ANSWER] * 5


def overload(status=503, *, took=1.0, count=PEAK * SECONDS, lost=0):
    """As many accepted requests as the service can process, and as many others."""
    sent = [number / PEAK for number in range(PEAK * SECONDS)]
    accepted = [Answer(200, at, 0.9, "c") for at in sent[:count]]
    others = [Answer(status, at, took) for at in sent]
    peaks = (PEAK - 2, PEAK + 2)
    return Overload(peaks, 2 * PEAK, SECONDS, [*accepted, *others], lost)


@pytest.mark.parametrize(
    ("result", "broken"),
    [
        (overload(), []),
        (overload(count=4 * PEAK), ["accepted a second"]),
        (overload(200, took=2.6), ["accepted, p95 s"]),
        (overload(took=1.6), ["refused, p95 s"]),
        (overload(lost=1), ["acknowledged and lost"]),
        (overload(500), ["other refusals, or no answer"]),
        (overload(NO_ANSWER), ["other refusals, or no answer"]),
    ],
)
def test_each_limit_that_is_not_kept_is_named(result, broken):
    assert [name for name, _, _, kept in result.rows() if not kept] == broken
