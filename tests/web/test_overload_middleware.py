"""Requests that would wait in vain for a slot are refused before Flask."""

import http.client
from urllib.parse import urlsplit

import pytest
import requests

from glassflow.core.process import deadlines
from glassflow.domain import texts
from glassflow.realtime import PATH as SOCKET_PATH
from waiting import REQUEST_TIMEOUT_S, wait_until

CUSTOMERS = "/api/customers"


@pytest.fixture
def overloaded(app, monkeypatch):
    """The gate as it is while more requests arrive than get through."""
    gate = app.extensions["gate"]
    monkeypatch.setattr(
        type(gate), "is_overloaded", lambda self, s: s == deadlines.GATE_TIMEOUT_S
    )


@pytest.fixture
def ask(server):
    """Sends a request without a token, with these headers."""

    def send(path=CUSTOMERS, method="GET", **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return requests.request(
            method, server + path, headers=named, timeout=REQUEST_TIMEOUT_S
        )

    return send


def test_nothing_is_refused_while_the_gate_has_room(ask):
    assert ask().status_code == 401


def test_refusal_is_the_envelope_with_the_headers_of_every_answer(overloaded, ask):
    answer = ask(X_Request_ID="mine")
    body = answer.json()
    assert answer.status_code == 503
    assert (body["success"], body["errors"]) == (False, {"code": "BUSY"})
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["X-Request-ID"] == "mine"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert 1 <= int(answer.headers["Retry-After"]) <= 5


def test_refused_head_has_the_headers_of_a_get_and_no_body(overloaded, ask):
    of_get, of_head = ask(), ask(method="HEAD")
    assert of_get.content
    assert of_head.content == b""
    assert of_head.headers["Content-Length"] == str(len(of_get.content))
    assert of_head.headers.keys() == of_get.headers.keys()


def test_refused_requests_are_counted_and_named_in_the_log(
    overloaded, ask, scrape, caplog
):
    before = scrape().sum("http_refused_busy_total")
    ids = {ask(X_Request_ID="mine").headers["X-Request-ID"]}
    ids |= {ask().headers["X-Request-ID"] for _ in range(2)}
    assert len(ids) == 3
    assert "mine" in ids
    assert scrape().sum("http_refused_busy_total") == before + 3

    def named():
        lines = (one.getMessage() for one in caplog.records)
        return {
            word for one in lines if "refused as busy" in one for word in one.split()
        }

    wait_until(lambda: ids <= named())


def test_refusals_have_the_language_that_each_client_asks_for(overloaded, ask):
    languages = [{}, {"Accept_Language": "th"}, {"Accept_Language": "en"}]
    answers = [ask(**one) for one in [*languages, *languages]]  # from the cache, too
    local = [answer.json().get("localMessage") for answer in answers]
    assert local == 2 * [None, texts.BUSY.in_language("th"), texts.BUSY]
    named = [answer.headers.get("Content-Language") for answer in answers]
    assert named == 2 * [None, "th", "en"]


def test_clients_that_are_refused_together_are_asked_to_come_back_apart(
    overloaded, ask
):
    assert len({ask().headers["Retry-After"] for _ in range(40)}) > 1


@pytest.mark.parametrize(
    "path",
    [
        "/api/auth/login",
        "/api/health",
        "/api/health/ready",
        f"{SOCKET_PATH}/?EIO=4&transport=polling",
        "/metrics",
        "/floor/",
    ],
)
def test_path_that_needs_no_slot_is_not_refused(overloaded, ask, path):
    assert ask(path).status_code != 503


def test_browser_gets_the_refusal_with_cors_headers_from_the_application(
    overloaded, ask
):
    answer = ask(Origin="https://screens.example")
    assert answer.status_code == 401, "a slot is free, and the token is missing"


def test_connection_of_a_refused_request_serves_the_next_one(overloaded, server):
    connection = http.client.HTTPConnection(
        urlsplit(server).netloc, timeout=REQUEST_TIMEOUT_S
    )
    connection.connect()
    socket = connection.sock
    for _ in range(2):
        connection.request("POST", CUSTOMERS, b'{"name": "refused"}')
        assert connection.getresponse().read().count(b"BUSY") == 1
    connection.request("GET", "/api/health")
    assert connection.getresponse().status == 200
    assert connection.sock is socket
    connection.close()
