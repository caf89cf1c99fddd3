"""Workers cannot grant or change more than they hold, and an admin always remains."""

from functools import partial

import pytest

from clients import Api
from concurrency import run_concurrently
from factories import delete
from glassflow.domain.permissions import ALL_KEYS
from glassflow.models.role import Role
from glassflow.models.worker import Worker
from glassflow.services.auth import identity

FORBIDDEN = (403, "Not authorized for this action")


def status_and_message(answer):
    return (answer.status, answer.message)


@pytest.fixture
def foreman(client_with_keys):
    """Manages workers and roles, and holds little else."""
    return client_with_keys("workers:manage", "roles:manage", "panes:view")


def new_worker(role, name="new"):
    return {
        "name": name,
        "username": name,
        "password": "secret 1",
        "position": "x",
        "role": str(role.pk),
    }


def test_role_is_granted_only_keys_of_the_granting_worker(foreman, admin):
    good = foreman.post("/api/roles", {"name": "a", "permissions": ["panes:view"]})
    assert good.status == 201
    for keys in (["orders:view"], ["*"], ["panes:manage"], ["panes:view", "roles:x"]):
        answer = foreman.post("/api/roles", {"name": "b", "permissions": keys})
        assert answer.status in (400, 403), keys
        path = f"/api/roles/{good.data['_id']}"
        assert foreman.patch(path, {"permissions": keys}).status in (400, 403)
    assert admin.post("/api/roles", {"name": "c", "permissions": ["*"]}).status == 201


def test_role_with_more_keys_than_the_actor_cannot_be_changed(foreman, workshop):
    strong = workshop.role(permissions=["orders:manage"])
    path = f"/api/roles/{strong.pk}"
    assert status_and_message(foreman.patch(path, {"name": "mine"})) == FORBIDDEN
    assert status_and_message(foreman.patch(path, {"permissions": []})) == FORBIDDEN
    assert status_and_message(foreman.delete(path)) == FORBIDDEN
    assert Role.objects.get(pk=strong.pk).name == strong.name


def test_worker_is_given_only_a_role_within_the_keys_of_the_actor(foreman, workshop):
    weak = workshop.role(permissions=["panes:view"])
    strong = workshop.role(permissions=["orders:view"])
    made = foreman.post("/api/workers", new_worker(weak))
    assert made.status == 201
    assert (
        status_and_message(foreman.post("/api/workers", new_worker(strong, "b")))
        == FORBIDDEN
    )
    path = f"/api/workers/{made.data['_id']}"
    for role in (strong, workshop.roles["admin"], workshop.roles["worker"]):
        assert (
            status_and_message(foreman.patch(path, {"role": str(role.pk)})) == FORBIDDEN
        )


@pytest.mark.parametrize(
    "change",
    [{"name": "x"}, {"password": "guessed 1"}, {"isActive": False}, {"username": "y"}],
)
def test_worker_with_more_keys_than_the_actor_cannot_be_changed(
    foreman, workshop, change
):
    strong = workshop.worker(role=workshop.role(permissions=["orders:view"]))
    path = f"/api/workers/{strong.pk}"
    assert status_and_message(foreman.patch(path, change)) == FORBIDDEN
    assert status_and_message(foreman.delete(path)) == FORBIDDEN
    assert (
        status_and_message(foreman.delete("/api/workers", {"ids": [str(strong.pk)]}))
        == FORBIDDEN
    )
    assert Worker.objects.get(pk=strong.pk).version == 1


def test_last_admin_cannot_be_removed(admin, workshop):
    path = f"/api/workers/{admin.id}"
    demoted = {"role": str(workshop.roles["worker"].pk)}
    role = f"/api/roles/{workshop.roles['admin'].pk}"
    for answer in (
        admin.delete(path),
        admin.patch(path, {"isActive": False}),
        admin.patch(path, demoted),
        admin.patch(role, {"permissions": list(ALL_KEYS)}),
    ):
        assert (answer.status, answer.errors["code"]) == (400, "LAST_ADMIN")
    other = workshop.worker_with("admin")
    assert admin.patch(f"/api/workers/{other.pk}", demoted).status == 200
    workshop.worker_with("admin")
    assert admin.patch(path, demoted).status == 200


def test_a_deactivated_admin_does_not_count_as_one_who_is_left(admin, workshop):
    other = workshop.worker_with("admin")
    assert admin.patch(f"/api/workers/{other.pk}", {"isActive": False}).status == 200
    demoted = {"role": str(workshop.roles["worker"].pk)}
    answer = admin.patch(f"/api/workers/{admin.id}", demoted)
    assert (answer.status, answer.errors["code"]) == (400, "LAST_ADMIN")
    # and may still be changed, given back its rights, or removed
    assert admin.patch(f"/api/workers/{other.pk}", {"isActive": True}).status == 200
    assert admin.delete(f"/api/workers/{other.pk}").status == 200


def test_all_admins_cannot_be_deleted_together(admin, workshop):
    other = workshop.worker_with("admin")
    answer = admin.delete("/api/workers", {"ids": [admin.id, str(other.pk)]})
    assert (answer.status, answer.errors["code"]) == (400, "LAST_ADMIN")
    assert Worker.objects.count() == 2


def test_holder_of_every_key_but_star_can_neither_give_star_nor_touch_its_holder(
    client_with_keys, admin, workshop
):
    deputy = client_with_keys(*ALL_KEYS)
    star = workshop.roles["admin"]
    weak = workshop.worker()
    for answer in (
        deputy.post("/api/workers", new_worker(star)),
        deputy.patch(f"/api/workers/{weak.pk}", {"role": str(star.pk)}),
        deputy.patch(f"/api/workers/{deputy.id}", {"role": str(star.pk)}),
        deputy.patch(f"/api/roles/{star.pk}", {"description": "mine"}),
        deputy.post("/api/roles", {"name": "a", "permissions": ["*"]}),
        deputy.patch(f"/api/workers/{admin.id}", {"password": "guessed 1"}),
        deputy.patch(f"/api/workers/{admin.id}", {"isActive": False}),
        deputy.delete(f"/api/workers/{admin.id}"),
    ):
        assert status_and_message(answer) == FORBIDDEN
    assert deputy.patch(f"/api/workers/{weak.pk}", {"name": "x"}).status == 200


def test_free_key_is_given_only_by_who_holds_it(
    client_with_keys, admin, set_policy, workshop
):
    set_policy(free_permission_keys=True)
    editor = client_with_keys("roles:manage", "own:key")
    for keys, status in ((["own:key"], 201), (["other:key"], 403)):
        body = {"name": "a", "permissions": keys}
        assert editor.post("/api/roles", body).status == status, keys
    body = {"name": "a", "permissions": ["other:key"]}
    assert admin.post("/api/roles", body).status == 201


@pytest.mark.slow
def test_two_admins_who_demote_each_other_concurrently_leave_one(workshop, server):
    weak = {"role": str(workshop.roles["worker"].pk)}
    for _ in range(10):
        pair = [workshop.worker_with("admin") for _ in range(2)]
        apis = [Api(server, identity.issue(one.pk), one) for one in pair]
        paths = [f"/api/workers/{one.pk}" for one in reversed(pair)]
        answers = run_concurrently(
            partial(api.patch, path, weak)
            for api, path in zip(apis, paths, strict=True)
        )
        assert sorted(one.status == 200 for one in answers) == [False, True]
        assert Worker.objects(role=workshop.roles["admin"].pk).count() == 1
        Worker.objects(role=workshop.roles["admin"].pk).delete()


def test_system_roles_can_be_changed_but_not_deleted(admin, workshop):
    role = workshop.roles["worker"]
    path = f"/api/roles/{role.pk}"
    assert admin.patch(path, {"permissions": ["panes:view"]}).status == 200
    assert admin.patch(path, {"slug": "other"}).errors["code"] == "SYSTEM_ROLE"
    echoed = admin.patch(path, {"slug": "worker", "isSystem": False}).data
    assert echoed["isSystem"] is True
    for answer in (
        admin.delete(path),
        admin.delete("/api/roles", {"ids": [str(role.pk)]}),
    ):
        assert (answer.status, answer.errors["code"]) == (400, "SYSTEM_ROLE")


def test_role_with_workers_cannot_be_deleted(admin, workshop):
    role = workshop.role()
    worker = workshop.worker(role=role)
    answer = admin.delete(f"/api/roles/{role.pk}")
    assert status_and_message(answer) == (400, "Role has 1 worker")
    delete(worker)
    assert admin.delete(f"/api/roles/{role.pk}").status == 200


def test_changed_role_applies_from_the_next_request(admin, workshop, server):
    role = workshop.role(permissions=["panes:view"])
    found = workshop.worker(role=role)
    mine = Api(server, identity.issue(found.pk), found)
    assert (mine.get("/api/panes").status, mine.get("/api/orders").status) == (200, 403)
    admin.patch(f"/api/roles/{role.pk}", {"permissions": ["orders:view"]})
    assert (mine.get("/api/panes").status, mine.get("/api/orders").status) == (403, 200)
    other = {"role": str(workshop.roles["admin"].pk)}
    admin.patch(f"/api/workers/{found.pk}", other)
    assert mine.get("/api/panes").status == 200


def test_slugs_are_derived_from_names_and_unique(admin):
    def slug(**body):
        return admin.post("/api/roles", body).data["slug"]

    assert slug(name="Night Shift!") == "night-shift"
    assert slug(name="night shift") == "night-shift-2"
    assert slug(name="หัวหน้ากะ") == "หัวหน้ากะ"
    assert slug(name="!!!") == "role"
    assert slug(name="x", slug="own") == "own"
    again = admin.post("/api/roles", {"name": "x", "slug": "own"})
    assert status_and_message(again) == (409, "slug already exists")


def test_unknown_keys_are_refused_unless_the_policy_allows_them(admin, set_policy):
    body = {"name": "a", "permissions": ["panes:view", "panes:fly"]}
    faults = admin.post("/api/roles", body).faults
    assert faults == {"permissions.1": "Unknown permission key: panes:fly"}
    set_policy(free_permission_keys=True)
    assert admin.post("/api/roles", body).status == 201


def test_workers_are_validated_and_usernames_are_unique(admin, workshop):
    role = workshop.roles["worker"]
    good = new_worker(role, "Somsak")
    assert admin.post("/api/workers", good).data["username"] == "somsak"
    again = admin.post("/api/workers", {**good, "username": "SOMSAK"})
    assert status_and_message(again) == (409, "username already exists")
    for field, value in (
        ("password", "short"), ("password", "x" * 129), ("password", 123456),
        ("name", " "), ("username", ""), ("role", "x"), ("isActive", "yes"),
    ):  # fmt: skip
        faults = admin.post("/api/workers", {**good, field: value}).faults
        assert set(faults) == {field}
    unknown = admin.post("/api/workers", {**good, "role": "0" * 24})
    assert status_and_message(unknown) == (400, "Role not found")
    assert set(admin.post("/api/workers", {}).faults) == {
        "name",
        "username",
        "password",
        "position",
        "role",
    }
