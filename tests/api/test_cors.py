"""CORS: origins are allowed by a setting, and refusals have the headers too."""

from unittest.mock import Mock

import pytest

from glassflow.app import create_app
from glassflow.settings import load_settings

ORIGIN = "https://floor.example"
JSON = "application/json"


@pytest.fixture
def page(app, monkeypatch):
    """Makes a client of an application with these CORS_ORIGINS.

    It is the HTTP part of one only: sockets and store are those of `app`.
    """
    monkeypatch.setattr("glassflow.app._connect_store", lambda _: None)
    monkeypatch.setattr("glassflow.realtime.Realtime", Mock())

    def make(origins):
        settings = load_settings("testing", env={"CORS_ORIGINS": origins})
        return create_app(settings).test_client()

    return make


@pytest.mark.parametrize("origins", [ORIGIN, "*"])
def test_refusals_have_cors_headers(page, origins):
    client = page(origins)
    for method, path, options in (
        ("GET", "/api/health", {}),
        ("GET", "/api/customers", {}),
        ("GET", "/nothing", {}),
        ("PUT", "/api/customers", {}),
        ("POST", "/api/auth/login", {"data": "{", "content_type": JSON}),
        ("POST", "/api/auth/login", {"data": "a", "content_type": "text/plain"}),
        ("POST", "/api/auth/login", {"data": "x" * 2**21, "content_type": JSON}),
    ):
        headers = {"Origin": ORIGIN}
        answer = client.open(path, method=method, headers=headers, **options)
        allowed = answer.headers.get("Access-Control-Allow-Origin")
        assert allowed in (ORIGIN, "*"), (method, path, answer.status)


def test_preflight_request_needs_no_token(page):
    client = page(ORIGIN)
    asked = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "PATCH",
        "Access-Control-Request-Headers": "authorization, content-type, prefer",
    }
    for path in ("/api/customers", "/api/panes/PNE-0001/scan", "/api/auth/me"):
        answer = client.options(path, headers=asked)
        assert answer.status_code == 200
        assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
        assert "PATCH" in answer.headers["Access-Control-Allow-Methods"]
        named = answer.headers["Access-Control-Allow-Headers"].lower()
        assert {"authorization", "content-type", "prefer"} <= set(named.split(", "))


def test_page_of_another_origin_may_send_a_key_and_see_that_an_answer_is_replayed(page):
    client = page(ORIGIN)
    asked = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, idempotency-key",
    }
    allowed = client.options("/api/panes/PNE-0001/scan", headers=asked).headers
    assert "idempotency-key" in allowed["Access-Control-Allow-Headers"].lower()
    answer = client.post("/api/panes/PNE-0001/scan", headers={"Origin": ORIGIN})
    exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
    assert {"Idempotency-Replayed", "Retry-After"} <= set(exposed)


def test_preflight_request_for_an_unknown_path_has_cors_headers(page):
    headers = {"Origin": ORIGIN, "Access-Control-Request-Method": "PATCH"}
    answer = page(ORIGIN).options("/api/nothing", headers=headers)
    assert answer.status_code == 204
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "PATCH" in answer.headers["Access-Control-Allow-Methods"]


def test_scripts_of_the_origin_may_read_the_headers_that_clients_need(page):
    answer = page(ORIGIN).get("/api/health", headers={"Origin": ORIGIN})
    exposed = set(answer.headers["Access-Control-Expose-Headers"].split(", "))
    assert {"ETag", "Location", "Retry-After", "X-Request-ID"} <= exposed


def test_other_origins_get_no_cors_headers(app, page):
    headers = {"Origin": "https://evil.example"}
    for client in (app.test_client(), page(ORIGIN)):
        answer = client.get("/api/health", headers=headers)
        assert "Access-Control-Allow-Origin" not in answer.headers


def test_request_for_another_host_is_refused_where_hosts_are_named(app, monkeypatch):
    monkeypatch.setattr("glassflow.app._connect_store", lambda _: None)
    monkeypatch.setattr("glassflow.realtime.Realtime", Mock())
    settings = load_settings(
        "testing",
        env={
            "ALLOWED_HOSTS": "floor.example, .lan.example",
            "PUBLIC_URL": "https://glass.example:8443",
        },
    )
    client = create_app(settings).test_client()
    named = ("floor.example", "floor.example:8000", "a.lan.example", "glass.example")
    for host in (*named, "127.0.0.1:8000"):
        assert client.get("/api/health", headers={"Host": host}).status_code == 200
    for method, path in (
        ("GET", "/api/health"),
        ("POST", "/floor/session"),
        ("GET", "/api//health"),  # a redirect would name the host
        ("GET", "/nothing"),
    ):
        answer = client.open(path, method=method, headers={"Host": "evil.example"})
        assert answer.status_code == 400, path
        assert answer.json["success"] is False
        assert "evil" not in str(answer.headers)
