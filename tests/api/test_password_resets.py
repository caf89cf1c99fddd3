"""Passwords that who manages workers resets: one-time, to be changed before all else."""

from unittest.mock import Mock

import pytest

from clients import Api
from concurrency import run_concurrently
from factories import PASSWORD
from glassflow import runtime
from glassflow.app import create_app
from glassflow.domain.errors import Invalid
from glassflow.models.worker import Worker
from glassflow.services.auth import passwords
from glassflow.services.auth.passwords import Argon2Passwords
from glassflow.settings import load_settings
from page_client import PageClient, outcome
from screens import Screen, refused_handshake

FORBIDDEN = (403, "Not authorized for this action")
CHANGE_FIRST = (403, "Change the password first")


@pytest.fixture
def somchai(workshop):
    return workshop.worker(name="สมชาย")


def log_in(server, person, password=PASSWORD):
    body = {"username": person.username, "password": password}
    return Api(server).post("/api/auth/login", body)


def reset(admin, person):
    return admin.post(f"/api/workers/{person.pk}/reset-password")


def test_one_time_password_opens_nothing_but_its_change(server, admin, somchai):
    before = Api(server, log_in(server, somchai).data["token"])
    screen = Screen(before)
    made = reset(admin, somchai)
    assert made.data["worker"]["_id"] == str(somchai.pk)
    password = made.data["password"]
    screen.wait_for(lambda: not screen.socket.connected)
    assert before.get("/api/auth/me").status == 401
    assert log_in(server, somchai).status == 401

    token = log_in(server, somchai, password).data["token"]
    person = Api(server, token)
    refused = person.get("/api/panes")
    assert outcome(refused) == CHANGE_FIRST
    assert refused.errors["code"] == "PASSWORD_CHANGE_REQUIRED"
    for call in (
        lambda: person.get("/api/auth/sessions"),
        lambda: person.get("/api/events"),
        lambda: person.post("/api/auth/api-keys", {}),
        lambda: person.put("/api/auth/me/pin", {}),
    ):
        assert outcome(call()) == CHANGE_FIRST
    (error,) = refused_handshake(server, {"token": token})
    assert error["message"] == CHANGE_FIRST[1]
    assert person.get("/api/auth/me").status == 200
    same = {"password": password, "currentPassword": password}
    assert list(person.patch("/api/auth/me", same).faults) == ["password"]
    changed = {"password": "my own one 1", "currentPassword": password}
    assert person.patch("/api/auth/me", changed).status == 200
    assert person.get("/api/panes").status == 200
    assert log_in(server, somchai, "my own one 1").status == 200
    Screen(person).close()


def test_browser_is_told_to_change_the_password(server, admin, somchai):
    password = reset(admin, somchai).data["password"]
    browser = PageClient(server)
    login = browser.log_in(somchai.username, password)
    assert login.data["mustChangePassword"] is True
    page = browser.page(login)
    assert outcome(page.get("/api/board")) == CHANGE_FIRST
    body = {"password": "my own one 1", "currentPassword": password}
    assert page.patch("/api/auth/me", body).status == 200
    again = browser.renew()
    assert "mustChangePassword" not in again.data
    assert browser.page(again).get("/api/panes").status == 200


def test_reset_is_for_who_may_manage_that_worker_and_not_for_oneself(
    server, admin, worker, workshop, client_with_keys, somchai
):
    boss = workshop.worker(role=workshop.roles["admin"])
    clerk = client_with_keys("workers:manage")
    for caller, person in ((clerk, boss), (worker, somchai), (admin, admin.worker)):
        assert outcome(reset(caller, person)) == FORBIDDEN
        assert log_in(server, person).status == 200
    assert admin.post(f"/api/workers/{'0' * 24}/reset-password").status == 404
    set_by_manager = {"password": "told by phone 1"}
    assert reset(admin, somchai).status == 200
    assert admin.patch(f"/api/workers/{somchai.pk}", set_by_manager).status == 200
    token = log_in(server, somchai, "told by phone 1").data["token"]
    assert Api(server, token).get("/api/panes").status == 200


def test_of_two_resets_at_once_the_last_password_works(server, admin, somchai):
    made = run_concurrently([lambda: reset(admin, somchai)] * 2)
    assert [answer.status for answer in made] == [200, 200]
    passwords = [answer.data["password"] for answer in made]
    statuses = [log_in(server, somchai, one).status for one in passwords]
    assert sorted(statuses) == [200, 401]


def test_who_proves_the_old_password_while_it_is_reset_undoes_nothing(
    server, admin, somchai, monkeypatch
):
    matches, given = Argon2Passwords.matches, []

    def match_and_reset(self, *args):
        is_right = matches(self, *args)
        given.append(reset(admin, somchai).data["password"])
        return is_right

    proof = {"currentPassword": PASSWORD}
    key = {"name": "x", "scopes": ["panes:view"]}
    for call in (
        lambda person: person.patch("/api/auth/me", proof | {"password": "mine 1 2 3"}),
        lambda person: person.put("/api/auth/me/pin", proof | {"pin": "2580"}),
        lambda person: person.post("/api/auth/api-keys", proof | key),
    ):
        again = {"password": PASSWORD}
        assert admin.patch(f"/api/workers/{somchai.pk}", again).status == 200
        person = Api(server, log_in(server, somchai).data["token"])
        with monkeypatch.context() as patched:
            patched.setattr(Argon2Passwords, "matches", match_and_reset)
            assert list(call(person).faults) == ["currentPassword"]
        after = log_in(server, somchai, given[-1])
        assert outcome(Api(server, after.data["token"]).get("/api/panes")) == (
            CHANGE_FIRST
        )
    assert len(given) == 3
    stored = Worker.objects.get(pk=somchai.pk)
    assert (stored.pin_hash, stored.api_keys) == (None, [])


def test_socket_of_who_has_to_change_the_password_ends(server, admin, somchai):
    screen = Screen(Api(server, log_in(server, somchai).data["token"]))
    # as if its token were newer than the reset, by the clock of another machine
    has_to = {"$set": {"passwordChangeRequired": True}}
    Worker.collection().update_one({"_id": somchai.pk}, has_to)
    position = {"position": "Cutter"}
    assert admin.patch(f"/api/workers/{somchai.pk}", position).status == 200
    screen.wait_for(lambda: not screen.socket.connected)


def test_secret_answers_are_not_kept_for_a_key(admin, somchai):
    path = f"/api/workers/{somchai.pk}/reset-password"
    key = {"Idempotency-Key": "k1"}
    answers = [admin.post(path, headers=key) for _ in range(2)]
    assert answers[0].data["password"] != answers[1].data["password"]
    assert "Idempotency-Replayed" not in answers[1].headers


def test_new_passwords_follow_the_settings_wherever_they_are_set(
    server, admin, worker, workshop, set_policy, somchai
):
    set_policy(password_min_length=10, password_refuse_common=True)
    path = f"/api/workers/{somchai.pk}"
    too_short = "The password must have 10 to 128 characters"
    common = "tried first"
    body = {
        "name": "Nok",
        "username": "nokcutter",
        "position": "Cutter",
        "role": str(workshop.roles["worker"].pk),
    }
    made = admin.post("/api/workers", body | {"password": "nokcutter1"})
    assert made.faults == {"password": "The password must not be made of the username"}
    assert admin.patch(path, {"password": "short1"}).faults == {"password": too_short}
    assert common in admin.patch(path, {"password": "password2026"}).faults["password"]
    own = {"password": "1234567890", "currentPassword": PASSWORD}
    assert common in worker.patch("/api/auth/me", own).faults["password"]
    password = reset(admin, somchai).data["password"]
    assert log_in(server, somchai, password).status == 200


def test_production_has_the_rules_for_passwords_and_the_application_uses_them(
    app, store_settings, monkeypatch
):
    monkeypatch.setattr("glassflow.app._connect_store", lambda _: None)
    monkeypatch.setattr("glassflow.realtime.Realtime", Mock())
    env = {"JWT_SECRET": "f3a9c1e07b5d42868e1f9a6c3d7b0245", **store_settings}
    refused = {
        "development": [],
        "production": ["short1", "password2026", "nokcutter1"],
    }
    try:
        for profile, expected in refused.items():
            made = create_app(load_settings(profile, env=env))
            with made.app_context():
                found = [one for one in refused["production"] if not is_allowed(one)]
            assert found == expected, profile
    finally:
        runtime.set_default(app.extensions["runtime"])


def is_allowed(password):
    try:
        passwords.require_allowed(password, "nokcutter")
    except Invalid:
        return False
    return True
