"""Where workers are logged in: listed and ended, one's own and by who manages workers."""

import time
from datetime import timedelta

import pytest
from mongoengine.connection import get_db

from clients import Api
from concurrency import run_concurrently
from factories import PASSWORD
from glassflow.core.access import logins
from glassflow.core.process import clock
from glassflow.domain.permissions import ACCOUNT_ROLES
from glassflow.models.worker import Worker
from glassflow.services.auth import identity
from glassflow.web import auth
from page_client import PageClient, outcome
from screens import Screen

OWN = "/api/auth/sessions"
INVALID = (401, "Invalid or expired token")
FORBIDDEN = (403, "Not authorized for this action")
UNKNOWN = (404, "There is no such session")


@pytest.fixture
def somchai(workshop):
    return workshop.worker(name="สมชาย")


def log_in(server, person, agent="a program/1.0"):
    """A client with a token of a new login."""
    body = {"username": person.username, "password": PASSWORD}
    answer = Api(server).post("/api/auth/login", body, headers={"User-Agent": agent})
    return Api(server, answer.data["token"], person)


def ids(answer):
    return [row["_id"] for row in answer.data]


def on_tablet(server, admin, workshop, person, *more_keys):
    """Identify a person on a shared device by a PIN; return their client there."""
    keys = [*ACCOUNT_ROLES["device"], *more_keys]
    role = workshop.role(name="Shared", slug="device", permissions=keys)
    account = workshop.worker(role=role, name="แท็บเล็ต")
    assert admin.put(f"/api/workers/{person.pk}/pin", {"pin": "2580"}).status == 200
    tablet = log_in(server, account)
    body = {"worker": str(person.pk), "pin": "2580"}
    answer = tablet.post("/api/auth/pin", body)
    return tablet, Api(server, answer.data["token"], person)


def test_sessions_of_each_kind_are_listed_and_ended_with_their_sockets(
    server, admin, workshop, somchai
):
    browser = PageClient(server)
    page = browser.page(browser.log_in(somchai.username))
    program = log_in(server, somchai)
    _, at_tablet = on_tablet(server, admin, workshop, somchai)
    rows = {row["kind"]: row for row in program.get(OWN).data}
    assert set(rows) == {"browser", "token", "device"}
    assert [kind for kind, row in rows.items() if row["current"]] == ["token"]
    assert rows["token"]["agent"] == "a program/1.0"
    assert {row["address"] for row in rows.values()} == {"127.0.0.1"}
    assert rows["device"]["device"]["name"] == "แท็บเล็ต"
    assert rows["browser"]["device"] is None
    path = f"/api/workers/{somchai.pk}/sessions"
    assert ids(admin.get(path)) == ids(page.get(OWN))

    screens = {"token": Screen(program), "browser": Screen(page)}
    for kind, client in (("device", at_tablet), ("token", program), ("browser", page)):
        assert client.get("/api/auth/me").status == 200
        ended = admin.call("DELETE", f"{path}/{rows[kind]['_id']}")
        assert outcome(ended) == (200, "Session ended")
        assert outcome(client.get("/api/auth/me")) == INVALID
        if kind in screens:
            screen = screens[kind]
            screen.wait_for(lambda screen=screen: not screen.socket.connected)
    assert browser.renew().status == 401
    assert admin.get(path).data == []
    again = admin.call("DELETE", f"{path}/{rows['token']['_id']}")
    assert outcome(again) == UNKNOWN


def test_own_sessions_are_ended_one_by_one_or_all_others_together(server, somchai):
    mine, old, older = (log_in(server, somchai) for _ in range(3))
    listed = {row["_id"] for row in mine.get(OWN).data}
    assert len(listed) == 3
    (of_old,) = [row["_id"] for row in old.get(OWN).data if row["current"]]
    assert mine.call("DELETE", f"{OWN}/{of_old}").status == 200
    assert outcome(old.get("/api/auth/me")) == INVALID
    assert mine.call("DELETE", OWN).status == 200
    assert outcome(older.get("/api/auth/me")) == INVALID
    (left,) = mine.get(OWN).data
    assert left["current"]
    assert outcome(mine.call("DELETE", f"{OWN}/nothing")) == UNKNOWN


def test_sessions_are_those_that_are_accepted_now(server, admin, workshop, somchai):
    mine, _ = log_in(server, somchai), log_in(server, somchai)
    password = {"password": "another one 1", "currentPassword": PASSWORD}
    assert mine.patch("/api/auth/me", password).status == 200
    (row,) = mine.get(OWN).data
    assert row["current"]
    tablet, at_tablet = on_tablet(server, admin, workshop, somchai)
    assert {row["kind"] for row in mine.get(OWN).data} == {"token", "device"}
    assert tablet.post("/api/auth/logout").status == 200
    assert {row["kind"] for row in mine.get(OWN).data} == {"token"}
    assert outcome(at_tablet.get("/api/auth/me")) == INVALID
    assert mine.post("/api/auth/logout").status == 200
    assert admin.get(f"/api/workers/{somchai.pk}/sessions").data == []


def test_sessions_of_others_are_for_who_may_manage_that_worker(
    server, workshop, admin, client_with_keys, worker, somchai
):
    boss = workshop.worker(role=workshop.roles["admin"])
    of_boss = log_in(server, boss)
    (row,) = of_boss.get(OWN).data
    clerk = client_with_keys("workers:manage")
    path = f"/api/workers/{boss.pk}/sessions"
    one = f"{path}/{row['_id']}"
    for caller in (clerk, worker):
        assert outcome(caller.get(path)) == FORBIDDEN
        assert outcome(caller.call("DELETE", one)) == FORBIDDEN
    assert of_boss.get("/api/auth/me").status == 200
    # a session is ended under its own worker only
    under_other = f"/api/workers/{somchai.pk}/sessions/{row['_id']}"
    assert outcome(admin.call("DELETE", under_other)) == UNKNOWN
    assert outcome(worker.call("DELETE", f"{OWN}/{row['_id']}")) == UNKNOWN
    assert admin.get(f"/api/workers/{'0' * 24}/sessions").status == 404
    assert of_boss.get("/api/auth/me").status == 200


def test_of_two_who_end_a_session_at_once_one_is_told_that_it_is_gone(
    server, admin, somchai
):
    person = log_in(server, somchai)
    (row,) = person.get(OWN).data
    path = f"/api/workers/{somchai.pk}/sessions/{row['_id']}"
    ends = [lambda: admin.call("DELETE", path)] * 2
    assert sorted(one.status for one in run_concurrently(ends)) == [200, 404]
    assert outcome(person.get("/api/auth/me")) == INVALID


def test_who_has_identified_on_a_shared_device_changes_no_account(
    server, admin, workshop, somchai
):
    tablet, person = on_tablet(server, admin, workshop, somchai)
    for caller in (tablet, person):
        assert outcome(caller.get(OWN)) == FORBIDDEN
        assert outcome(caller.call("DELETE", OWN)) == FORBIDDEN
        assert outcome(caller.get("/api/auth/api-keys")) == FORBIDDEN
        for change in ({"username": "mine"}, {"name": "mine"}):
            refused = caller.patch("/api/auth/me", change)
            assert list(refused.faults) == ["currentPassword"]
        quiet = {"notificationPreferences": {"volume": 0.1}}
        assert caller.patch("/api/auth/me", quiet).status == 200
    assert list(person.delete("/api/auth/me/pin").faults) == ["currentPassword"]
    named = {"name": "สมชาย ใจดี", "currentPassword": PASSWORD}
    assert person.patch("/api/auth/me", named).data["name"] == "สมชาย ใจดี"
    own_pin = {"pin": "2580", "currentPassword": PASSWORD}
    refused = tablet.put("/api/auth/me/pin", own_pin)
    message = "The account of a device or a screen has no PIN"
    assert outcome(refused) == (400, message)
    cleared = person.delete("/api/auth/me/pin", {"currentPassword": PASSWORD})
    assert cleared.data["pinSetAt"] is None


def test_who_manages_workers_gains_no_login_on_a_shared_device(server, admin, workshop):
    key = "workers:manage"
    clerk = workshop.worker(role=workshop.role(permissions=[key]))
    _, person = on_tablet(server, admin, workshop, clerk, key)
    other = workshop.worker(role=workshop.role(permissions=[key]))
    own, theirs = f"/api/workers/{clerk.pk}", f"/api/workers/{other.pk}"
    for change in (
        lambda: person.patch(own, {"password": "mine now 1"}),
        lambda: person.put(f"{own}/pin", {"pin": "1379"}),
        lambda: person.delete(f"{own}/pin"),
        lambda: person.post(f"{own}/badge"),
        lambda: person.post(f"{theirs}/api-keys", {"name": "x", "scopes": [key]}),
    ):
        assert outcome(change()) == FORBIDDEN
    assert person.patch(theirs, {"position": "Cutter"}).status == 200


def test_ended_identifications_are_kept_no_longer_than_their_tokens(
    server, admin, workshop, somchai, monkeypatch
):
    monkeypatch.setattr(identity, "PAGE_TOKEN_LIFETIME_S", 600)
    tablet, person = on_tablet(server, admin, workshop, somchai)
    body = {"worker": str(somchai.pk), "pin": "2580"}
    for _ in range(3):
        assert tablet.post("/api/auth/pin", body).status == 200
    assert outcome(person.get("/api/auth/me")) == INVALID
    revoked = Worker.objects.get(pk=somchai.pk).revoked_tokens
    latest = clock.now() + timedelta(seconds=600) + identity.CLOCKS_DIFFER
    assert len(revoked) == 3
    assert all(one["expiresAt"] <= latest for one in revoked)


def test_nothing_is_kept_of_the_logins_of_who_is_deleted(server, admin, somchai):
    person = log_in(server, somchai)
    body = {"name": "x", "scopes": ["panes:view"]}
    assert admin.post(f"/api/workers/{somchai.pk}/api-keys", body).status == 201
    stored = get_db()[logins.COLLECTION]
    assert stored.count_documents({"worker": somchai.pk}) == 2
    assert admin.delete(f"/api/workers/{somchai.pk}").status == 200
    assert stored.count_documents({"worker": somchai.pk}) == 0
    assert outcome(person.get("/api/auth/me")) == INVALID


def test_last_use_is_stored_once_an_hour(server, somchai, monkeypatch):
    person = log_in(server, somchai)
    stored = get_db()[logins.COLLECTION]
    (login_id,) = [row["_id"] for row in person.get(OWN).data]
    long_ago = clock.now() - timedelta(days=1)
    stored.update_one({"_id": login_id}, {"$set": {"lastSeenAt": long_ago}})
    person.get("/api/auth/me")
    assert stored.find_one({"_id": login_id})["lastSeenAt"] == long_ago
    monkeypatch.setattr(auth, "NEW_S", 0.0)
    logins._seen.expire(time.monotonic() + logins.SEEN_INTERVAL_S)
    person.get("/api/auth/me")
    assert stored.find_one({"_id": login_id})["lastSeenAt"] > long_ago
