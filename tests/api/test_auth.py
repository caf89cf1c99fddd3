"""Login, logout and the worker's own record."""

import json
from datetime import UTC, datetime, timedelta

import jwt
import pytest
from mongoengine.connection import get_db

from clients import Api
from concurrency import run_concurrently
from config import default
from factories import PASSWORD
from glassflow.core.access import rate_limits
from glassflow.core.process import clock
from glassflow.services.auth import passwords
from glassflow.web import throttle as throttling
from glassflow.web.throttle import Throttle


@pytest.fixture
def log_in(anonymous):
    def log_in(username, password=PASSWORD):
        return anonymous.post(
            "/api/auth/login", {"username": username, "password": password}
        )

    return log_in


def client_of(server, answer):
    return Api(server, answer.data["token"])


def test_login_returns_a_token_and_the_worker_with_the_whole_role(
    app, workshop, log_in
):
    worker = workshop.worker_with("manager")
    data = log_in(f"\ufeff{worker.username.upper()}\u200b").data  # as pasted
    role = data["worker"]["role"]
    assert set(role) >= {"_id", "name", "slug", "permissions", "isSystem"}
    assert (role["slug"], role["isSystem"]) == ("manager", True)
    claims = jwt.decode(data["token"], app.config["JWT_SECRET"], algorithms=["HS256"])
    assert claims["id"] == data["worker"]["_id"] == str(worker.pk)
    week = 7 * 24 * 3600
    assert claims["exp"] - claims["iat"] == pytest.approx(week, abs=1)


def test_no_answer_contains_the_password_or_its_hash(admin, workshop, log_in):
    body = {
        "name": "Nok",
        "username": "Nok",
        "password": "a secret 1",
        "position": "Cutter",
        "role": str(workshop.roles["worker"].pk),
    }
    made = admin.post("/api/workers", body)
    answers = [
        made,
        admin.get("/api/workers"),
        admin.get(f"/api/workers/{made.data['_id']}"),
        log_in("nok", "a secret 1"),
    ]
    for answer in answers:
        assert answer.status in (200, 201)
        for word in ("a secret 1", "argon2", "assword", "okens"):
            assert word not in answer.text


@pytest.mark.parametrize(("name", "password"), [("", "wrong"), ("nobody", PASSWORD)])
def test_unknown_name_and_wrong_password_get_the_same_answer(
    workshop, log_in, name, password
):
    worker = workshop.worker_with("worker")
    answer = log_in(name or worker.username, password)
    assert (answer.status, answer.message) == (401, "Invalid username or password")


def test_login_verifies_a_hash_for_an_unknown_name_too(workshop, log_in, monkeypatch):
    verified, verify = [], passwords.Argon2Passwords._verify

    def counting(self, stored, password):
        verified.append(stored)
        return verify(self, stored, password)

    monkeypatch.setattr(passwords.Argon2Passwords, "_verify", counting)
    log_in(workshop.worker_with("worker").username, "wrong")
    log_in("nobody", "wrong")
    assert len(verified) == 2
    assert all(stored.startswith("$argon2id$") for stored in verified)


def test_deactivated_worker_cannot_log_in_and_their_token_is_invalid(
    admin, worker, log_in
):
    assert worker.get("/api/auth/me").status == 200
    path = f"/api/workers/{worker.id}"
    assert admin.patch(path, {"isActive": False}).status == 200
    answer = worker.get("/api/auth/me")
    assert (answer.status, answer.message) == (401, "Invalid or expired token")
    assert log_in(worker.worker.username).status == 401


def test_eleventh_login_attempt_in_a_minute_is_refused_with_retry_after(
    setting, workshop, log_in
):
    setting(LOGIN_ATTEMPTS_PER_MINUTE=10)
    name, other = workshop.next("guessed"), workshop.worker_with("worker")
    answers = [log_in(name, "wrong") for _ in range(11)]
    assert [answer.status for answer in answers] == [401] * 10 + [429]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60
    assert answers[-1].body["success"] is False
    assert log_in(other.username).status == 200  # only that name has to wait


def test_each_refused_login_is_one_line_with_name_and_address(
    setting, workshop, log_in, caplog
):
    setting(LOGIN_ATTEMPTS_PER_MINUTE=2)
    name = workshop.next("guessed").lower() + '" from 192.0.2.1'
    for _ in range(3):  # the third one is refused before the password is read
        log_in(name, "wrong")
    lines = [one.getMessage() for one in caplog.records if "login" in one.name]
    shown = json.dumps(name)
    assert lines == [f"login refused from 127.0.0.1: password of {shown}"] * 3
    caplog.clear()
    assert log_in(workshop.worker_with("worker").username).status == 200
    assert not [one for one in caplog.records if "login" in one.name]


@pytest.fixture
def throttle(app, setting, monkeypatch):
    """Sets limits of login attempts, with nothing counted yet: `throttle(ADDRESS=3)`."""
    monkeypatch.setitem(app.extensions, "login_throttle", Throttle())
    monkeypatch.setattr(throttling, "WINDOW", timedelta(hours=1))  # however slow
    get_db()[rate_limits.COLLECTION].delete_many({})

    def limit(**limits):
        setting(**{f"LOGIN_ATTEMPTS_PER_{key}": n for key, n in limits.items()})

    return limit


def test_login_attempts_of_one_address_are_limited_for_all_usernames_together(
    throttle, workshop, log_in
):
    throttle(ADDRESS=3)
    answers = [log_in(workshop.next("sprayed"), "wrong") for _ in range(4)]
    assert [answer.status for answer in answers] == [401] * 3 + [429]
    assert log_in(workshop.worker().username).status == 429


def test_address_beyond_its_limit_does_not_affect_another_one(app, throttle, workshop):
    throttle(ADDRESS=3)
    body = {"username": workshop.worker().username, "password": PASSWORD}
    statuses = {
        address: [
            app.test_client()
            .post("/api/auth/login", json=body, environ_base={"REMOTE_ADDR": address})
            .status_code
            for _ in range(count)
        ]
        for address, count in (("10.0.0.1", 4), ("10.0.0.2", 3))
    }
    assert statuses == {"10.0.0.1": [200] * 3 + [429], "10.0.0.2": [200] * 3}


@pytest.mark.parametrize(
    ("addresses", "expected"),
    [
        (["2001:db8::1", "2001:db8::2:1", "2001:db8::ffff:1:2:3"], [401, 401, 429]),
        (["2001:db8:0:1::1", "2001:db8:0:2::1", "2001:db8:0:3::1"], [401] * 3),
        (["::ffff:10.0.0.1", "10.0.0.1", "10.0.0.1"], [401, 401, 429]),
    ],
)
def test_addresses_of_one_network_count_together(app, throttle, addresses, expected):
    throttle(ADDRESS=2)
    statuses = [
        app.test_client()
        .post(
            "/api/auth/login",
            json={"username": f"sprayed-{n}", "password": "wrong"},
            environ_base={"REMOTE_ADDR": address},
        )
        .status_code
        for n, address in enumerate(addresses)
    ]
    assert statuses == expected


def test_another_username_begins_no_new_count_of_current_passwords(throttle, worker):
    throttle(MINUTE=2)
    body = {"password": "another one 1", "currentPassword": "guessed"}
    statuses = []
    for n in range(4):
        statuses.append(worker.patch("/api/auth/me", body).status)
        assert worker.patch("/api/auth/me", {"username": f"renamed-{n}"}).status == 200
    assert statuses == [400, 400, 429, 429]
    pin = {"pin": "2580", "currentPassword": "guessed"}
    assert worker.put("/api/auth/me/pin", pin).status == 429
    key = {"name": "x", "scopes": ["panes:view"], "currentPassword": "guessed"}
    assert worker.post("/api/auth/api-keys", key).status == 429


def test_25_workers_of_a_shift_log_in_at_once_behind_one_address(
    throttle, workshop, log_in
):
    names = ("MINUTE", "ADDRESS", "USERNAME")
    throttle(**{n: getattr(default, f"LOGIN_ATTEMPTS_PER_{n}") for n in names})
    shift = [workshop.worker().username for _ in range(25)]
    answers = run_concurrently([lambda name=name: log_in(name) for name in shift])
    assert [answer.status for answer in answers] == [200] * 25


def test_login_attempts_for_one_username_are_limited_over_all_addresses(
    app, throttle, workshop
):
    throttle(USERNAME=3)
    name = workshop.worker().username
    client = app.test_client()
    statuses = [
        client.post(
            "/api/auth/login",
            json={"username": name + n * "\u200b", "password": "wrong"},
            environ_base={"REMOTE_ADDR": f"10.0.0.{n}"},
        ).status_code
        for n in range(4)
    ]
    assert statuses == [401] * 3 + [429]


def test_address_of_an_earlier_login_gets_in_while_others_guess(
    app, throttle, workshop
):
    """Nobody is kept out who works where they have worked before."""
    throttle(USERNAME=3, MINUTE=4)
    name = workshop.worker().username

    def attempt(address, password="wrong"):
        body = {"username": name, "password": password}
        at = {"REMOTE_ADDR": address}
        posted = app.test_client().post("/api/auth/login", json=body, environ_base=at)
        return posted.status_code

    assert attempt("2001:db8::1", PASSWORD) == 200
    assert [attempt(f"10.0.0.{n}") for n in range(3)] == [401, 401, 429]
    assert attempt("10.0.0.9", PASSWORD) == 429
    # another address of the same network, and only so many guesses there too
    known = "2001:db8::2"
    assert attempt(known, PASSWORD) == 200
    assert [attempt(known) for _ in range(3)] == [401, 401, 429]
    # of another username nothing is known there
    stored = get_db()[rate_limits.COLLECTION].find({"_id": {"$regex": "^known"}})
    assert [row["until"] > clock.now() + timedelta(days=89) for row in stored] == [True]


def test_an_address_cannot_use_up_the_attempts_of_a_username(app, throttle, workshop):
    throttle(MINUTE=2, USERNAME=4)
    body = {"username": workshop.worker().username, "password": "wrong"}
    statuses = {
        address: [
            app.test_client()
            .post("/api/auth/login", json=body, environ_base={"REMOTE_ADDR": address})
            .status_code
            for _ in range(6)
        ]
        for address in ("10.0.0.1", "10.0.0.2")
    }
    assert statuses["10.0.0.1"] == statuses["10.0.0.2"] == [401] * 2 + [429] * 4


def test_guesses_of_the_current_password_are_counted_as_login_attempts(
    throttle, worker, log_in
):
    throttle(MINUTE=3)
    body = {"password": "brand new 1", "currentPassword": "guessed"}
    answers = [worker.patch("/api/auth/me", body) for _ in range(4)]
    assert [answer.status for answer in answers] == [400] * 3 + [429]
    assert int(answers[-1].headers["Retry-After"]) >= 1
    right = {"password": "brand new 1", "currentPassword": PASSWORD}
    assert worker.patch("/api/auth/me", right).status == 429
    assert log_in(worker.worker.username).status == 429
    assert worker.patch("/api/auth/me", {"name": "Nok"}).status == 200


def test_logout_invalidates_this_token_only(server, workshop, log_in):
    name = workshop.worker_with("worker").username
    one, two = (client_of(server, log_in(name)) for _ in range(2))
    assert one.post("/api/auth/logout").status == 200
    assert one.get("/api/auth/me").status == 401
    assert two.get("/api/auth/me").status == 200


def test_new_password_needs_the_current_one_and_invalidates_other_tokens(
    server, workshop, log_in
):
    name = workshop.worker_with("worker").username
    one, two = (client_of(server, log_in(name)) for _ in range(2))
    for wrong in ({}, {"currentPassword": "wrong"}):
        answer = one.patch("/api/auth/me", {"password": "brand new 1", **wrong})
        assert set(answer.faults) == {"currentPassword"}
    body = {"password": "brand new 1", "currentPassword": PASSWORD}
    assert one.patch("/api/auth/me", body).status == 200
    assert one.get("/api/auth/me").status == 200
    assert two.get("/api/auth/me").status == 401
    assert log_in(name).status == 401
    assert client_of(server, log_in(name, "brand new 1")).get("/api/auth/me").data


def test_preferences_are_merged_and_validated(worker):
    body = {"notificationPreferences": {"volume": 0.2, "sounds": {"low": "none"}}}
    found = worker.patch("/api/auth/me", body).data["notificationPreferences"]
    assert found == {
        "enabled": True,
        "volume": 0.2,
        "sounds": {"low": "none", "medium": "ding", "high": "alert", "urgent": "alert"},
    }
    body = {"notificationPreferences": {"volume": 1.1}}
    faults = worker.patch("/api/auth/me", body).faults
    assert set(faults) == {"notificationPreferences.volume"}


def test_worker_cannot_change_their_own_role(worker, workshop):
    body = {"role": str(workshop.roles["admin"].pk), "isActive": True, "name": "Lek"}
    answer = worker.patch("/api/auth/me", {**body, "position": "Boss"})
    assert (answer.data["role"]["slug"], answer.data["name"]) == ("worker", "Lek")
    assert answer.data["position"] == worker.worker.position
    ignored = {warning["field"] for warning in answer.body["warnings"]}
    assert ignored == {"role", "isActive", "position"}
    strict = {"Prefer": "handling=strict"}
    assert worker.patch("/api/auth/me", body, headers=strict).status == 400


def test_timestamps_are_utc_with_milliseconds(worker):
    text = worker.get("/api/auth/me").data["createdAt"]
    assert datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    assert len(text) == len("2026-01-01T00:00:00.000Z")


SCRIPTS = "A username has letters of one script only, for example Latin or Thai"


@pytest.mark.parametrize("name", ["\u0430dmin", "สมชายa", "\u03b1dmin"])
def test_username_of_two_scripts_is_refused(admin, worker, workshop, name):
    body = {"name": "a", "position": "b", "password": "a long secret"}
    role = str(workshop.roles["worker"].pk)
    made = admin.post("/api/workers", {**body, "role": role, "username": name})
    mine = worker.patch("/api/auth/me", {"username": name})
    other = admin.patch(f"/api/workers/{worker.id}", {"username": name})
    for answer in (made, mine, other):
        assert (answer.status, answer.faults) == (400, {"username": SCRIPTS})


@pytest.mark.parametrize("name", ["สมชาย-2", "jose\u0301", "ni.da_3"])
def test_username_of_one_script_is_accepted(worker, name):
    assert worker.patch("/api/auth/me", {"username": name}).status == 200


def test_username_of_an_earlier_release_can_be_sent_back(admin, workshop):
    old = workshop.worker(username="สมชายa")
    answer = admin.patch(f"/api/workers/{old.pk}", {"username": "สมชายa", "name": "b"})
    assert answer.status == 200
