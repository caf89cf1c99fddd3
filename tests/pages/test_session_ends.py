"""What ends a browser session, with the page tokens and sockets of all its pages."""

from datetime import timedelta

from mongoengine.connection import get_db

from concurrency import run_concurrently
from factories import PASSWORD, save
from glassflow.core.access import browser_sessions
from glassflow.core.process import clock
from glassflow.services.auth import browser_logins, identity
from page_client import SESSION, PageClient, outcome
from screens import Screen, refused_handshake

ENDED = (401, "Invalid or expired token")


def stored_sessions():
    return get_db()[browser_sessions.COLLECTION]


def test_logout_ends_the_session_and_the_tokens_and_sockets_of_all_its_pages(
    workshop, browsers, server
):
    worker = workshop.worker_with("worker")
    mine, other_browser = browsers(worker), browsers(worker)
    secret = mine.secret
    pages = [mine.page(mine.renew()) for _ in range(2)]
    screen = Screen(pages[0])
    assert mine.log_out().status == 200
    assert mine.secret is None
    for page in pages:
        assert outcome(page.get("/api/auth/me")) == ENDED
        (error,) = refused_handshake(server, {"token": page.token})
        assert error["message"] == ENDED[1]
    screen.wait_for(lambda: not screen.socket.connected)
    mine.session.cookies.set(mine.cookie, secret, path=SESSION)
    assert outcome(mine.renew()) == ENDED
    assert mine.log_out().status == 200  # again, with nothing to end
    assert other_browser.renew().status == 200
    assert stored_sessions().count_documents({"worker": worker.pk}) == 1


def test_tabs_that_log_out_at_once_all_succeed(workshop, browsers, server):
    mine = browsers(workshop.worker_with("worker"))
    tabs = [PageClient(server) for _ in range(5)]
    for tab in tabs:
        tab.session.cookies.set(mine.cookie, mine.secret, path=SESSION)
    answers = run_concurrently([tab.log_out for tab in tabs])
    assert [answer.status for answer in answers] == [200] * len(tabs)
    assert outcome(mine.renew()) == ENDED


def test_logout_of_the_api_with_a_page_token_ends_the_session(workshop, browsers):
    mine = browsers(workshop.worker_with("worker"))
    first, second = (mine.page(mine.renew()) for _ in range(2))
    assert first.post("/api/auth/logout").status == 200
    assert outcome(second.get("/api/auth/me")) == ENDED
    assert outcome(mine.renew()) == ENDED


def test_token_that_is_issued_while_the_session_ends_is_revoked(
    workshop, browsers, monkeypatch
):
    mine = browsers(workshop.worker_with("worker"))
    secret, read_worker = mine.secret, browser_logins._read_worker

    def read_and_log_out(session):
        found = read_worker(session)
        monkeypatch.setattr(browser_logins, "_read_worker", read_worker)
        browser_logins.log_out(secret=secret)
        return found

    monkeypatch.setattr(browser_logins, "_read_worker", read_and_log_out)
    late = mine.page(mine.renew())
    assert outcome(late.get("/api/auth/me")) == ENDED


def test_revoked_session_is_remembered_as_long_as_a_token_of_it_is_valid(
    workshop, browsers, admin
):
    worker = workshop.worker_with("worker")
    mine = browsers(worker)
    mine.log_out()
    (revoked,) = worker.reload().revoked_tokens
    longest = timedelta(seconds=identity.PAGE_TOKEN_LIFETIME_S)
    assert revoked["expiresAt"] > clock.now() + longest


def test_new_login_ends_the_previous_session_of_the_browser(workshop, browser):
    one, other = workshop.worker_with("worker"), workshop.worker_with("worker")
    before = browser.page(browser.log_in(one.username))
    assert browser.log_in(other.username, "wrong").status == 401
    assert before.get("/api/auth/me").status == 200
    browser.log_in(other.username)
    assert outcome(before.get("/api/auth/me")) == ENDED
    assert browser.renew().data["worker"]["_id"] == str(other.pk)


def test_password_set_by_another_worker_ends_all_sessions(admin, workshop, browsers):
    worker = workshop.worker_with("worker")
    mine = browsers(worker)
    page = mine.page(mine.renew())
    path = f"/api/workers/{worker.pk}"
    assert admin.patch(path, {"password": "another one 1"}).status == 200
    assert outcome(mine.renew()) == ENDED
    assert outcome(page.get("/api/auth/me")) == ENDED
    assert mine.log_in(worker.username, "another one 1").status == 200
    assert mine.renew().status == 200


def test_own_new_password_keeps_the_session_and_ends_the_others(workshop, browsers):
    worker = workshop.worker_with("worker")
    mine, elsewhere = browsers(worker), browsers(worker)
    first, second = (mine.page(mine.renew()) for _ in range(2))
    body = {"password": "another one 1", "currentPassword": PASSWORD}
    assert first.patch("/api/auth/me", body).status == 200
    for page in (first, second, mine.page(mine.renew())):
        assert page.get("/api/auth/me").status == 200
    assert outcome(elsewhere.renew()) == ENDED


def test_session_of_a_deactivated_worker_does_not_come_back(admin, workshop, browsers):
    worker = workshop.worker_with("worker")
    mine = browsers(worker)
    path = f"/api/workers/{worker.pk}"
    for active in (False, True):
        assert admin.patch(path, {"isActive": active}).status == 200
        assert outcome(mine.renew()) == ENDED


def test_session_ends_with_its_worker(admin, workshop, browsers):
    worker = workshop.worker_with("worker")
    mine = browsers(worker)
    assert admin.delete(f"/api/workers/{worker.pk}").status == 200
    assert outcome(mine.renew()) == ENDED
    assert mine.log_out().status == 200
    assert stored_sessions().count_documents({"worker": worker.pk}) == 0


def test_session_lasts_thirty_days_from_the_last_visit(workshop, browsers):
    worker = workshop.worker_with("worker")
    mine = browsers(worker)

    def expire_in(**time):
        later = {"$set": {"expiresAt": clock.now() + timedelta(**time)}}
        stored_sessions().update_one({"worker": worker.pk}, later)

    expire_in(days=3)
    answer = mine.renew()
    assert "Max-Age=2592000" in answer.headers["Set-Cookie"]
    (row,) = stored_sessions().find({"worker": worker.pk})
    assert row["expiresAt"] > clock.now() + timedelta(days=30)
    mine.renew()
    assert list(stored_sessions().find({"worker": worker.pk})) == [row]
    expire_in(seconds=-1)
    assert outcome(mine.renew()) == ENDED


def test_new_jwt_secret_ends_all_sessions(app, workshop, browsers, monkeypatch):
    mine = browsers(workshop.worker_with("worker"))
    monkeypatch.setattr(app.extensions["tokens"], "_key", b"another secret")
    assert outcome(mine.renew()) == ENDED


def test_password_that_changes_during_a_login_ends_its_session(
    workshop, browser, monkeypatch
):
    worker, authenticate = workshop.worker_with("worker"), browser_logins.authenticate

    def authenticate_and_change(username, password):
        found = authenticate(username, password)
        identity.invalidate_tokens(worker)  # in the millisecond of the login, too
        save(worker)
        return found

    monkeypatch.setattr(browser_logins, "authenticate", authenticate_and_change)
    answer = browser.log_in(worker.username)
    assert outcome(browser.page(answer).get("/api/auth/me")) == ENDED
    assert outcome(browser.renew()) == ENDED
