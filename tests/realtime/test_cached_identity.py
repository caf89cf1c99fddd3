"""The worker and role of a token are cached, and what is taken away holds at once."""

import pytest

from clients import Api
from factories import PASSWORD
from glassflow.core.process import deadlines
from glassflow.core.store.outbox_entries import Change
from glassflow.models.role import Role
from glassflow.models.worker import Worker
from glassflow.services.auth import identity
from messages import add_to_outbox
from waiting import wait_until

MATERIALS = "/api/materials"


@pytest.fixture(autouse=True)
def _records_do_not_expire(app, monkeypatch):
    """So that a cached record that was not forgotten would be used for ever."""
    monkeypatch.setattr(deadlines, "RECORD_CACHE_S", 1e6)


@pytest.fixture
def caller(server, workshop):
    """A client with a role of its own that may read materials, and has been used."""
    role = workshop.role(permissions=["materials:view"])
    worker = workshop.worker(role=role)
    api = Api(server, identity.issue(worker.pk), worker)
    assert api.get(MATERIALS).status == 200
    return api


def test_lifetime_of_a_cached_record_is_two_seconds_at_most(monkeypatch):
    monkeypatch.undo()
    assert deadlines.RECORD_CACHE_S <= 2.0


def test_token_is_refused_after_its_logout(caller):
    assert caller.post("/api/auth/logout").status == 200
    assert caller.get(MATERIALS).status == 401


@pytest.mark.parametrize("change", [{"isActive": False}, {"password": "another one 7"}])
def test_token_is_refused_after_a_change_of_its_worker(admin, caller, change):
    assert admin.patch(f"/api/workers/{caller.id}", change).status == 200
    assert caller.get(MATERIALS).status == 401


def test_token_is_refused_after_its_worker_was_deleted(admin, caller):
    assert admin.delete(f"/api/workers/{caller.id}").status == 200
    assert caller.get(MATERIALS).status == 401


def test_other_tokens_are_refused_after_a_new_password(server, caller):
    other = Api(server, identity.issue(caller.worker.pk), caller.worker)
    assert other.get(MATERIALS).status == 200
    body = {"password": "another one 7", "currentPassword": PASSWORD}
    assert caller.patch("/api/auth/me", body).status == 200
    assert other.get(MATERIALS).status == 401
    assert caller.get(MATERIALS).status == 200


def test_key_that_was_removed_from_the_role_is_refused(admin, caller):
    path = f"/api/roles/{caller.worker.role}"
    assert admin.patch(path, {"permissions": ["orders:view"]}).status == 200
    assert caller.get(MATERIALS).status == 403
    assert caller.get("/api/orders").status == 200


def test_keys_of_the_former_role_are_refused(admin, caller, workshop):
    role = workshop.role(permissions=[])
    body = {"role": str(role.pk)}
    assert admin.patch(f"/api/workers/{caller.id}", body).status == 200
    assert caller.get(MATERIALS).status == 403


def test_token_is_refused_after_a_logout_whose_commit_was_reported_as_failed(
    caller, lose_commit_answer
):
    lost = lose_commit_answer()
    assert caller.post("/api/auth/logout").status == 200
    assert lost == [True]
    assert caller.get(MATERIALS).status == 401


def test_change_of_another_process_arrives_through_the_event_log(caller, screen):
    screen(caller)  # a process with a client follows the log
    change = {"permissions": ["orders:view"]}
    Role.collection().update_one({"_id": caller.worker.role}, {"$set": change})
    assert caller.get(MATERIALS).status == 200  # not reported yet
    row = Role.collection().find_one({"_id": caller.worker.role})
    add_to_outbox(Change("Role", row["_id"], "updated", row))
    wait_until(lambda: caller.get(MATERIALS).status == 403)


def test_own_record_is_read_from_the_store(caller):
    """A worker whose change was made by another process reads it at once."""
    assert caller.get("/api/auth/me").data["name"] == caller.worker.name
    query = {"_id": caller.worker.pk}
    Worker.collection().update_one(query, {"$set": {"name": "มานี"}})
    assert caller.get("/api/auth/me").data["name"] == "มานี"
