"""The browser's session: its routes, its cookie, and who may call them."""

from unittest.mock import Mock
from urllib.parse import urlsplit

import jwt
import pytest
from mongoengine.connection import get_db

from clients import Api
from factories import PASSWORD
from glassflow.app import create_app
from glassflow.core.access import browser_sessions
from glassflow.domain import texts
from glassflow.services.auth import browser_logins
from glassflow.services.prepare import ensure_indexes
from glassflow.settings import load_settings
from page_client import SESSION, outcome
from retention import retention_s

ENDED = (401, "Invalid or expired token")


def test_login_sets_a_cookie_and_returns_a_page_token(app, workshop, browser):
    worker = workshop.worker_with("manager")
    answer = browser.log_in(worker.username)
    cookie = answer.headers["Set-Cookie"]
    assert {part.strip() for part in cookie.split(";")[1:]} >= {
        "HttpOnly",
        "SameSite=Strict",
        "Path=/floor/session",
        f"Max-Age={30 * 24 * 3600}",
    }
    assert "Secure" not in cookie  # over plain http
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.data["worker"]["role"]["slug"] == "manager"
    assert answer.data["qrPrefix"] == app.config["QR_PREFIX"]
    assert answer.data["mostPanes"] == app.config["MAX_ARRAY_LENGTH"]
    keys = answer.data["permissions"]
    assert {"orders:view", "orders:manage"} <= set(keys)
    assert "roles:manage" not in keys
    assert "assword" not in answer.text
    token = answer.data["token"]
    claims = jwt.decode(token, app.config["JWT_SECRET"], algorithms=["HS256"])
    assert claims["exp"] - claims["iat"] == pytest.approx(12 * 3600, abs=60)
    assert answer.data["expiresIn"] == 12 * 3600
    assert answer.data["timezone"] == "Asia/Bangkok"
    assert claims["sid"]
    assert browser.page(answer).get("/api/auth/me").data["_id"] == str(worker.pk)


def test_cookie_is_secure_behind_a_proxy_with_tls(app, monkeypatch):
    monkeypatch.setattr("glassflow.app._connect_store", lambda _: None)
    monkeypatch.setattr("glassflow.realtime.Realtime", Mock())
    login = browser_logins.PageLogin("token", 60, {})
    monkeypatch.setattr(browser_logins, "log_in", lambda **_: ("secret", login))
    monkeypatch.setattr("glassflow.pages.session.own_record", lambda worker: worker)
    behind_proxy = create_app(load_settings("testing", env={"TRUSTED_PROXIES": "1"}))
    headers = {
        "X-Floor": "1",
        "Origin": "https://floor.example",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "floor.example",
    }
    body = {"username": "a", "password": "b"}
    answer = behind_proxy.test_client().post(SESSION, json=body, headers=headers)
    assert answer.status_code == 200
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Secure-gf_session=")
    assert "; Secure" in cookie


def test_services_at_other_ports_of_a_host_have_their_own_sessions(workshop, browser):
    browser.log_in(workshop.worker_with("worker").username)
    host, port = "localhost", urlsplit(browser.url).port
    assert list(browser.session.cookies.keys()) == [f"gf_session_{port}"]
    for other in (host, f"{host}:{port + 1}", f"[::1]:{port + 1}"):
        browser.own_headers |= {"Host": other, "Origin": f"http://{other}"}
        assert browser.log_out().status == 200  # of none there
    assert browser.renew().status == 200


def test_page_token_ends_no_later_than_other_tokens(app, workshop, browser):
    tokens, worker = app.extensions["tokens"], workshop.worker_with("worker")
    before, tokens.lifetime_s = tokens.lifetime_s, 600
    try:
        assert browser.log_in(worker.username).data["expiresIn"] == 600
    finally:
        tokens.lifetime_s = before


def test_reloaded_page_gets_another_token_of_the_same_session(workshop, browser):
    first = browser.log_in(workshop.worker_with("worker").username)
    again = browser.renew()
    assert again.data["worker"] == first.data["worker"]
    for answer in (first, again):
        assert browser.page(answer).get("/api/auth/me").status == 200
    sids = {
        jwt.decode(one.data["token"], options={"verify_signature": False})["sid"]
        for one in (first, again)
    }
    assert len(sids) == 1


def test_store_has_no_secret_of_a_session(app, workshop, browser):
    ensure_indexes()
    browser.log_in(workshop.worker_with("worker").username)
    secret = browser.secret
    token = browser.renew().data["token"]
    stored = get_db()[browser_sessions.COLLECTION]
    rows = str(list(stored.find()))
    assert len(secret) >= 40
    assert secret not in rows
    assert token not in rows
    assert retention_s(browser_sessions.COLLECTION, "expiresAt") == 0


def test_session_id_of_a_token_is_no_cookie(workshop, browser, server):
    token = browser.log_in(workshop.worker_with("worker").username).data["token"]
    sid = jwt.decode(token, options={"verify_signature": False})["sid"]
    for value in (sid, token, "", "x" * 5000, "\xff\xed\xa0\x80", '"\\377"'):
        headers = {"X-Floor": "1", "Cookie": f"{browser.cookie}={value}"}
        answer = Api(server).call("GET", SESSION, headers=headers)
        assert outcome(answer) == ENDED, value[:50]


def test_session_without_a_cookie_is_refused(browser):
    assert outcome(browser.renew()) == ENDED


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("POST", {"Origin": "{server}"}),
        ("POST", {"X-Floor": "0", "Origin": "{server}"}),
        ("POST", {"X-Floor": "1"}),
        ("POST", {"X-Floor": "1", "Origin": "null"}),
        ("POST", {"X-Floor": "1", "Origin": "https://evil.example"}),
        ("POST", {"X-Floor": "1", "Origin": "{server}.evil.example"}),
        ("POST", {"X-Floor": "1", "Origin": "{tls}"}),
        ("DELETE", {"X-Floor": "1"}),
        ("DELETE", {"Origin": "{server}"}),
        ("DELETE", {"X-Floor": "1", "Origin": "https://evil.example"}),
        ("GET", {}),
        ("GET", {"X-Floor": "1", "Origin": "https://evil.example"}),
    ],
)
def test_session_routes_refuse_pages_of_other_origins(
    workshop, browsers, server, method, headers
):
    worker = workshop.worker_with("worker")
    mine = browsers(worker)
    before = mine.secret
    places = {"server": server, "tls": server.replace("http:", "https:")}
    sent = {name: value.format(**places) for name, value in headers.items()}
    body = {"username": worker.username, "password": PASSWORD}
    body = body if method == "POST" else None
    answer = mine.call(method, SESSION, json=body, headers=sent)
    assert outcome(answer) == (403, texts.FOREIGN_PAGE)
    assert "Set-Cookie" not in answer.headers
    assert mine.secret == before
    assert mine.renew().status == 200


@pytest.mark.parametrize(
    "host", ["glass.example", "glass.example:8000", "xn--12c4b.example", "[::1]:8000"]
)
def test_origin_is_compared_with_the_address_that_the_browser_uses(
    workshop, browser, host
):
    worker = workshop.worker_with("worker")
    browser.own_headers |= {"Host": host, "Origin": f"http://{host}"}
    assert browser.log_in(worker.username).status == 200
    browser.own_headers["Origin"] = "http://other.example"
    assert browser.log_in(worker.username).status == 403


def test_cookie_opens_no_route_of_the_api(workshop, browsers):
    mine = browsers(workshop.worker_with("admin"))
    mine.session.cookies.set(mine.cookie, mine.secret, path="/")
    for path in ("/api/auth/me", "/api/customers"):
        assert mine.call("GET", path, headers=mine.own_headers).status == 401


def test_login_with_bad_credentials_sets_no_cookie(workshop, browser):
    worker = workshop.worker_with("worker")
    for answer, status in (
        (browser.log_in(worker.username, "wrong"), 401),
        (browser.log_in("nobody"), 401),
        (browser.post(SESSION, {}, headers=browser.own_headers), 400),
        (browser.post(SESSION, [], headers=browser.own_headers), 400),
        (browser.call("POST", SESSION, data="x", headers=browser.own_headers), 415),
    ):
        assert answer.status == status, answer
        assert answer.body["success"] is False
        assert "Set-Cookie" not in answer.headers
    assert browser.secret is None


def test_login_attempts_of_pages_and_programs_are_counted_together(
    setting, workshop, browser, anonymous
):
    setting(LOGIN_ATTEMPTS_PER_MINUTE=3)
    name = workshop.next("guessed")
    body = {"username": name, "password": "wrong"}
    assert anonymous.post("/api/auth/login", body).status == 401
    answers = [browser.log_in(name, "wrong") for _ in range(3)]
    assert [answer.status for answer in answers] == [401, 401, 429]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60
