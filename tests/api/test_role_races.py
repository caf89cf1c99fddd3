"""Roles and those who have them, when several people change them at once."""

from functools import partial

import pytest
from mongoengine.connection import get_db

from clients import Api
from crowd import at_once
from glassflow.models.role import Role
from glassflow.models.worker import Worker


@pytest.fixture
def race(admin):
    """Makes calls at the same time, each over a connection of its own."""

    def run(*calls):
        return at_once(
            partial(Api(admin.url, admin.token).call, method, path, json=body)
            for method, path, body in calls
        )

    return run


def new_worker(name, role):
    body = {"name": name, "username": name, "password": "secret 1", "position": "x"}
    return ("POST", "/api/workers", {**body, "role": str(role.pk)})


@pytest.mark.slow
def test_a_role_never_goes_while_somebody_is_given_it(race, workshop):
    for index in range(12):
        role = workshop.role()
        found = workshop.worker()
        to_role = ("PATCH", f"/api/workers/{found.pk}", {"role": str(role.pk)})
        give = new_worker(f"new-{index}", role) if index % 2 else to_role
        given, gone = race(give, ("DELETE", f"/api/roles/{role.pk}", None))
        assert (given.status < 300) != (gone.status < 300), (given, gone)
        assert given.status in (200, 201, 400)
        assert gone.status in (200, 400)
        left = Role.objects(pk=role.pk).count()
        assert Worker.objects(role=role.pk).count() == left


def test_the_first_workers_of_a_new_store_may_come_at_once(race, workshop):
    get_db()["counters"].delete_one({"_id": "authority"})
    role = workshop.roles["worker"]
    answers = race(*(new_worker(f"new-{index}", role) for index in range(8)))
    assert [answer.status for answer in answers] == [201] * 8


def test_one_username_is_taken_once(race, workshop):
    calls = [new_worker("Lek", workshop.roles["worker"])] * 6
    statuses = sorted(answer.status for answer in race(*calls))
    assert statuses == [201] + [409] * 5


def test_a_long_name_makes_a_short_slug(admin):
    for name in ("ก" * 2000, "x-" * 2000, "x-" * 2000):
        slug = admin.post("/api/roles", {"name": name}).data["slug"]
        assert 1 <= len(slug) <= 64
