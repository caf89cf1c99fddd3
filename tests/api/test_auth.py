"""Logging in and out, and one's own record."""

import time
from datetime import UTC, datetime

import jwt
import pytest

from clients import Api
from factories import PASSWORD
from glassflow.services import passwords


@pytest.fixture
def log_in(nobody):
    def log_in(username, password=PASSWORD):
        return nobody.post(
            "/api/auth/login", {"username": username, "password": password}
        )

    return log_in


def client_of(server, answer):
    return Api(server, answer.data["token"])


def test_login_gives_a_token_and_the_worker_with_the_whole_role(app, workshop, log_in):
    worker = workshop.worker_with("manager")
    data = log_in(worker.username.upper()).data
    role = data["worker"]["role"]
    assert set(role) >= {"_id", "name", "slug", "permissions", "isSystem"}
    assert (role["slug"], role["isSystem"]) == ("manager", True)
    claims = jwt.decode(data["token"], app.config["JWT_SECRET"], algorithms=["HS256"])
    assert claims["id"] == data["worker"]["_id"] == str(worker.pk)
    week = 7 * 24 * 3600
    assert claims["exp"] - claims["iat"] == pytest.approx(week, abs=1)


def test_no_answer_ever_holds_the_password_or_its_hash(admin, workshop, log_in):
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


def test_an_unknown_name_costs_as_much_as_a_wrong_password(
    workshop, log_in, monkeypatch
):
    verified, verify = [], passwords._verify

    def counting(stored, password):
        verified.append(stored)
        return verify(stored, password)

    monkeypatch.setattr(passwords, "_verify", counting)
    log_in(workshop.worker_with("worker").username, "wrong")
    log_in("nobody", "wrong")
    assert len(verified) == 2
    assert all(stored.startswith("$argon2id$") for stored in verified)


def test_a_deactivated_worker_cannot_log_in_and_their_token_is_dead(
    admin, worker, log_in
):
    assert worker.get("/api/auth/me").status == 200
    path = f"/api/workers/{worker.id}"
    assert admin.patch(path, {"isActive": False}).status == 200
    answer = worker.get("/api/auth/me")
    assert (answer.status, answer.message) == (401, "Invalid or expired token")
    assert log_in(worker.worker.username).status == 401


def test_the_eleventh_attempt_in_a_minute_is_told_when_to_come_back(
    setting, workshop, log_in
):
    setting(LOGIN_ATTEMPTS_PER_MINUTE=10)
    name, other = workshop.next("guessed"), workshop.worker_with("worker")
    answers = [log_in(name, "wrong") for _ in range(11)]
    assert [answer.status for answer in answers] == [401] * 10 + [429]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60
    assert answers[-1].body["success"] is False
    assert log_in(other.username).status == 200  # only that name has to wait


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer  ", "Basic abc", "abc", "Token abc"]
)
def test_no_bearer_token_is_not_authenticated(nobody, header):
    answer = nobody.call("GET", "/api/auth/me", headers={"Authorization": header})
    assert (answer.status, answer.message) == (401, "Not authenticated")


def test_a_forged_expired_or_senseless_token_is_invalid(app, server, worker):
    secret, soon = app.config["JWT_SECRET"], time.time() + 60
    good = {"id": worker.id, "exp": soon}
    none = jwt.encode(good, None, algorithm="none")
    tokens = [
        "senseless",
        "a.b.c",
        none,
        jwt.encode(good, "x" * 40, algorithm="HS256"),
        jwt.encode(good, secret + "x" * 40, algorithm="HS512"),
        jwt.encode({**good, "exp": time.time() - 1}, secret, algorithm="HS256"),
        jwt.encode({"id": worker.id}, secret, algorithm="HS256"),
        jwt.encode({"id": "0" * 24, "exp": soon}, secret, algorithm="HS256"),
        jwt.encode({"id": {"$ne": None}, "exp": soon}, secret, algorithm="HS256"),
    ]
    for token in tokens:
        answer = Api(server, token).get("/api/auth/me")
        assert (answer.status, answer.message) == (401, "Invalid or expired token")
    assert Api(server, jwt.encode(good, secret)).get("/api/auth/me").status == 200


def test_logout_ends_this_token_and_no_other(server, workshop, log_in):
    name = workshop.worker_with("worker").username
    one, two = (client_of(server, log_in(name)) for _ in range(2))
    assert one.post("/api/auth/logout").status == 200
    assert one.get("/api/auth/me").status == 401
    assert two.get("/api/auth/me").status == 200


def test_a_new_password_needs_the_current_one_and_ends_the_other_tokens(
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


def test_preferences_merge_and_keep_to_their_bounds(worker):
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


def test_nobody_gives_themselves_a_role(worker, workshop):
    body = {"role": str(workshop.roles["admin"].pk), "isActive": True, "name": "Lek"}
    data = worker.patch("/api/auth/me", body).data
    assert (data["role"]["slug"], data["name"]) == ("worker", "Lek")


def test_timestamps_are_utc_with_milliseconds(worker):
    text = worker.get("/api/auth/me").data["createdAt"]
    assert datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    assert len(text) == len("2026-01-01T00:00:00.000Z")
