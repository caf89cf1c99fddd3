"""Concurrent changes of roles and of the workers that have them."""

from functools import partial

import pytest
from mongoengine.connection import get_db

from clients import Api
from concurrency import run_concurrently
from glassflow.core.store import locks
from glassflow.models.role import Role
from glassflow.models.worker import Worker


@pytest.fixture
def race(admin):
    """Makes calls at the same time, each over a connection of its own."""

    def run(*calls):
        return run_concurrently(
            partial(Api(admin.url, admin.token).call, method, path, json=body)
            for method, path, body in calls
        )

    return run


def new_worker(name, role):
    body = {"name": name, "username": name, "password": "secret 1", "position": "x"}
    return ("POST", "/api/workers", {**body, "role": str(role.pk)})


@pytest.mark.slow
def test_role_is_deleted_or_given_to_a_worker(race, workshop):
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


def test_first_workers_of_a_new_store_can_be_created_concurrently(race, workshop):
    get_db()[locks.COLLECTION].delete_one({"_id": locks.ROLE_CHANGES})
    role = workshop.roles["worker"]
    answers = race(*(new_worker(f"new-{index}", role) for index in range(8)))
    assert [answer.status for answer in answers] == [201] * 8


def test_username_is_created_once(race, workshop):
    calls = [new_worker("Lek", workshop.roles["worker"])] * 6
    statuses = sorted(answer.status for answer in race(*calls))
    assert statuses == [201] + [409] * 5


def test_roles_of_one_name_that_are_created_concurrently_get_slugs_of_their_own(race):
    answers = race(*[("POST", "/api/roles", {"name": "Night shift"})] * 6)
    assert [answer.status for answer in answers] == [201] * 6
    slugs = {answer.data["slug"] for answer in answers}
    assert slugs == {"night-shift", *(f"night-shift-{n}" for n in range(2, 7))}


def test_one_slug_is_given_once(race):
    answers = race(*[("POST", "/api/roles", {"name": "a", "slug": "night"})] * 6)
    assert sorted(answer.status for answer in answers) == [201] + [409] * 5
    refused = {answer.message for answer in answers if answer.status == 409}
    assert refused == {"slug already exists"}


def test_long_name_gets_a_short_slug(admin):
    for name in ("ก" * 2000, "x-" * 2000, "x-" * 2000):
        slug = admin.post("/api/roles", {"name": name}).data["slug"]
        assert 1 <= len(slug) <= 64
