"""A change of a worker or a role reaches the workers whom it concerns."""

import pytest

from clients import Api
from glassflow.services.auth import identity
from glassflow.services.events import event_builder
from messages import add_to_log
from waiting import wait_until

SECRETS = {"password", "passwordHash", "tokensValidFrom", "keptToken", "revokedTokens"}


@pytest.fixture
def colleagues(workshop, server):
    """Two workers with the same role, which holds no key about workers or roles."""
    role = workshop.role(permissions=["materials:view"])
    found = [workshop.worker(role=role) for _ in range(2)]
    return [Api(server, identity.issue(one.pk), one) for one in found]


def payload_of(action, record):
    """The payload of a change; existing clients read the id at its top."""
    return {"_id": record["_id"], "action": action, "data": record}


def test_worker_hears_about_itself_and_not_about_others(admin, colleagues, screen):
    mine, theirs = (screen(api, "join_dashboard") for api in colleagues)
    path, answers = f"/api/workers/{colleagues[0].id}", []

    def rename():
        answers.append(admin.patch(path, {"name": "มานี"}))

    assert theirs.events_during(admin, rename) == []
    payload = payload_of("updated", answers[0].data)
    mine.wait_for(lambda: mine.payloads("worker:updated") == [payload])


def test_all_workers_of_a_role_hear_about_its_change_and_nobody_else(
    admin, worker, colleagues, client_with_keys, screen
):
    concerned = [screen(api) for api in colleagues]
    other = screen(client_with_keys("materials:view"), "join_dashboard")
    role = str(colleagues[0].worker.role)
    answers = []

    def change():
        keys = {"permissions": ["materials:view", "orders:view"]}
        answers.append(admin.patch(f"/api/roles/{role}", keys))

    assert other.events_during(admin, change) == []
    payload = payload_of("updated", answers[0].data)
    for one in concerned:
        one.wait_for(lambda one=one: one.payloads("role:updated") == [payload])


def test_dashboard_hears_about_workers_and_roles_by_their_view_keys(
    admin, client_with_keys, workshop, screen
):
    of_workers = screen(client_with_keys("workers:view"), "join_dashboard")
    of_roles = screen(client_with_keys("roles:view"), "join_dashboard")
    outside = screen(client_with_keys("workers:view", "roles:view"))
    role = str(workshop.roles["worker"].pk)
    body = {"name": "a", "username": "a", "position": "b", "password": "secret 1"}
    answers = []

    def create():
        answers.append(admin.post("/api/roles", {"name": "night"}))
        answers.append(admin.post("/api/workers", {**body, "role": role}))

    roles, workers = [], []
    assert outside.events_during(admin, create) == []
    for one, found in ((of_roles, roles), (of_workers, workers)):
        one.catch_up(admin)
        found += [event for event in one.received if event[0] != "notification"]
    made_role, made_worker = (answer.data for answer in answers)
    assert roles == [("role:updated", payload_of("created", made_role))]
    assert workers == [("worker:updated", payload_of("created", made_worker))]


def test_worker_on_the_dashboard_hears_about_itself_once(client_with_keys, screen):
    api = client_with_keys("workers:view")
    mine = screen(api, "join_dashboard")
    assert api.patch("/api/auth/me", {"name": "ใหม่"}).status == 200
    mine.wait_for(lambda: mine.payloads("worker:updated"))
    assert api.patch("/api/auth/me", {"name": "อีก"}).status == 200
    mine.wait_for(lambda: len(mine.payloads("worker:updated")) > 1)
    names = [payload["data"]["name"] for payload in mine.payloads("worker:updated")]
    assert names == ["ใหม่", "อีก"]


def test_events_about_workers_have_no_secrets(admin, colleagues, screen):
    watcher = screen(admin, "join_dashboard")
    path = f"/api/workers/{colleagues[0].id}"

    def change():
        assert admin.patch(path, {"password": "another one"}).status == 200
        assert colleagues[1].post("/api/auth/logout").status == 200
        assert admin.delete(path).status == 200

    events = watcher.events_during(admin, change)
    assert [payload["action"] for _, payload in events] == [
        "updated",
        "updated",
        "deleted",
    ]
    for name, payload in events:
        assert name == "worker:updated"
        assert SECRETS.isdisjoint(payload["data"])
        assert payload["data"]["username"]


def test_missed_change_of_its_role_is_resumed_and_listed(admin, colleagues, screen):
    mine = colleagues[0]
    after = screen(admin).catch_up(admin).metas[-1]["seq"]
    role = str(mine.worker.role)
    assert admin.patch(f"/api/roles/{role}", {"description": "x"}).status == 200
    resumed = screen(mine)

    def is_resumed():
        assert resumed.call("resume", {"after": after})["ok"]
        return resumed.payloads("role:updated")

    wait_until(is_resumed)
    (listed,) = mine.get("/api/events", after=after).data
    assert (listed["event"], listed["rooms"]) == ("role:updated", [f"user:{mine.id}"])
    assert listed["data"] == resumed.payloads("role:updated")[0]


def test_role_of_more_workers_than_the_limit_is_announced_to_so_many(
    admin, colleagues, screen, monkeypatch
):
    monkeypatch.setattr(event_builder, "MAX_WORKERS_OF_ROLE", 1)
    screens = [screen(api) for api in colleagues]
    role = str(colleagues[0].worker.role)

    def change():
        assert admin.patch(f"/api/roles/{role}", {"description": "x"}).status == 200

    heard = screens[0].events_during(admin, change)
    screens[1].catch_up(admin)
    assert len(heard) + len(screens[1].payloads("role:updated")) == 1


def test_change_of_a_role_that_the_previous_release_stored_is_in_no_page(
    admin, log_tail
):
    last = add_to_log("", [None], rooms=[])
    log_tail.wake()
    wait_until(lambda: log_tail.position >= last)
    answer = admin.get("/api/events", after=last - 1)
    assert (answer.data, answer.body["seq"]) == ([], last)
