"""Requests that would wait at the gate in vain are answered without Flask."""

import json

import pytest

from glassflow.core.process import deadlines
from glassflow.domain import texts
from glassflow.web.early_refusal import refuse_early
from waiting import wait_until


@pytest.fixture
def hopeless(app, monkeypatch):
    """The gate as it is while more arrive than get through."""
    gate = app.extensions["gate"]
    monkeypatch.setattr(
        type(gate), "is_overloaded", lambda self, s: s == deadlines.GATE_TIMEOUT_S
    )


def parsed(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    return status, dict(line.split(": ", 1) for line in lines), json.loads(body)


def test_nothing_is_refused_while_the_gate_has_room(app):
    assert refuse_early(app, "GET", "/api/customers", {}) is None


def test_refusal_is_the_envelope_with_the_headers_of_every_answer(app, hopeless):
    status, headers, body = parsed(
        refuse_early(app, "GET", "/api/customers", {"X-REQUEST-ID": "mine"})
    )
    assert status == "HTTP/1.1 503 SERVICE UNAVAILABLE"
    assert (body["success"], body["errors"]) == (False, {"code": "BUSY"})
    assert headers["Content-Type"] == "application/json"
    assert headers["X-Request-ID"] == "mine"
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert 1 <= int(headers["Retry-After"]) <= 5
    assert int(headers["Content-Length"]) == len(
        refuse_early(app, "GET", "/api/customers", {}).partition(b"\r\n\r\n")[2]
    )


def test_refused_head_has_the_headers_of_a_get_and_no_body(app, hopeless):
    headers = {"X-REQUEST-ID": "mine"}
    answers = [
        refuse_early(app, method, "/api/customers", headers)
        for method in ("GET", "HEAD")
    ]
    (of_get, _, body), (of_head, _, none) = (a.partition(b"\r\n\r\n") for a in answers)
    assert body
    assert none == b""
    assert f"Content-Length: {len(body)}\r\n".encode() in of_head
    assert of_head.count(b"\r\n") == of_get.count(b"\r\n")


def test_ids_of_refused_requests_stand_in_one_line_of_the_log(app, hopeless, caplog):
    headers = [{}, {"X-REQUEST-ID": "mine"}, {}]
    ids = [
        parsed(refuse_early(app, "GET", "/api/customers", one))[1]["X-Request-ID"]
        for one in headers
    ]

    def line():
        lines = [one.getMessage() for one in caplog.records]
        return next((one for one in lines if "mine" in one), "")

    wait_until(line)
    assert "requests refused as busy: " in line()
    assert set(ids) <= set(line().split())


def test_each_refusal_without_an_id_gets_one(app, hopeless):
    ids = {
        parsed(refuse_early(app, "GET", "/api/customers", {}))[1]["X-Request-ID"]
        for _ in range(2)
    }
    assert len(ids) == 2


def test_refusals_have_the_language_that_each_client_asks_for(app, hopeless):
    headers = [{}, {"ACCEPT-LANGUAGE": "th"}, {"ACCEPT-LANGUAGE": "en"}]
    answers = [
        parsed(refuse_early(app, "GET", "/api/customers", one))
        for one in [*headers, *headers]  # what is kept of the first ones, too
    ]
    local = [body.get("localMessage") for _, _, body in answers]
    assert local == 2 * [None, texts.BUSY.in_language("th"), texts.BUSY]
    languages = [head.get("Content-Language") for _, head, _ in answers]
    assert languages == 2 * [None, "th", "en"]


def test_clients_that_are_refused_together_are_asked_to_come_back_apart(app, hopeless):
    answers = [
        parsed(refuse_early(app, "GET", "/api/customers", {})) for _ in range(100)
    ]
    assert len({headers["Retry-After"] for _, headers, _ in answers}) > 1


@pytest.mark.parametrize(
    "path",
    [
        "/api/auth/login",
        "/api/health",
        "/api/health/ready",
        "/api/socket-entry",
        "/api/socket-entry/",
        "/metrics",
    ],
)
def test_what_passes_beside_the_gate_is_not_refused(app, hopeless, path):
    assert refuse_early(app, "GET", path, {}) is None


def test_client_that_asks_before_it_sends_its_body_is_answered_by_the_application(
    app, hopeless
):
    headers = {"EXPECT": "100-continue"}
    assert refuse_early(app, "POST", "/api/customers", headers) is None


def test_browsers_get_the_refusal_with_cors_headers_from_the_application(app, hopeless):
    headers = {"ORIGIN": "https://screens.example"}
    assert refuse_early(app, "GET", "/api/customers", headers) is None
