"""Pages of other origins: let in by a setting, refusals readable for them too."""

import pytest

from glassflow.app import create_app
from glassflow.settings import load_settings

ORIGIN = "https://floor.example"
JSON = "application/json"


@pytest.fixture
def page(app, monkeypatch):
    """Makes a client of an application with these CORS_ORIGINS.

    It is the HTTP part of one only: sockets, store and services are those of `app`.
    """
    for part in ("_connect_store", "_configure_services"):
        monkeypatch.setattr(f"glassflow.app.{part}", lambda _: None)
    monkeypatch.setattr("glassflow.realtime.create", lambda *_: None)

    def make(origins):
        settings = load_settings("testing", env={"CORS_ORIGINS": origins})
        return create_app(settings).test_client()

    return make


@pytest.mark.parametrize("origins", [ORIGIN, "*"])
def test_refusals_can_be_read_too(page, origins):
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


def test_a_browser_may_ask_first_without_a_token(page):
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


def test_other_origins_are_not_let_in(app, page):
    headers = {"Origin": "https://evil.example"}
    for client in (app.test_client(), page(ORIGIN)):
        answer = client.get("/api/health", headers=headers)
        assert "Access-Control-Allow-Origin" not in answer.headers
