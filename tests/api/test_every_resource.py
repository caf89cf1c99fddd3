"""Create, read, update and delete for every resource, and free-form fields."""

import pytest

from clients import Api
from scenarios import DELETED, RESOURCES, valid_bodies


@pytest.fixture
def bodies(workshop):
    """Path, good body and good change of each resource, by its name."""
    return {each[0]: each for each in valid_bodies(workshop).values()}


@pytest.mark.parametrize("name", DELETED)
def test_record_is_created_read_listed_changed_and_deleted(admin, bodies, name):
    _, body, change = bodies[name]
    made = admin.post(f"/api/{name}", body)
    assert made.status == 201
    record, path = made.data, f"/api/{name}/{made.data['_id']}"
    assert {"_id", "createdAt", "updatedAt", "version"} <= set(record)
    assert admin.get(path).data == record
    assert record in admin.get(f"/api/{name}").data
    answer = admin.patch(path, change)
    changed = answer.data
    assert {**changed, **change} == changed
    assert changed["version"] > record["version"]
    assert changed["createdAt"] == record["createdAt"]
    assert admin.get(path).data == changed
    assert admin.delete(path).status == 200
    for gone in (admin.get(path), admin.patch(path, change), admin.delete(path)):
        assert (gone.status, gone.body["success"]) == (404, False)


@pytest.mark.parametrize("name", DELETED)
def test_change_and_deletion_of_an_older_version_are_refused(admin, bodies, name):
    _, body, change = bodies[name]
    made = admin.post(f"/api/{name}", body)
    path = f"/api/{name}/{made.data['_id']}"
    assert made.headers["Location"] == path
    first = {"If-Match": made.headers["ETag"]}
    changed = admin.patch(path, change, headers=first)
    assert changed.status == 200
    version = changed.data["version"]
    for stale in (
        admin.patch(path, change, headers=first),
        admin.call("DELETE", path, headers=first),
    ):
        assert (stale.status, stale.headers["ETag"]) == (412, f'"{version}"')
        assert stale.errors == {"code": "STALE", "version": version}
    assert admin.get(path).data == changed.data
    current = {"If-Match": changed.headers["ETag"]}
    assert admin.call("DELETE", path, headers=current).status == 200


@pytest.mark.parametrize("name", RESOURCES)
def test_record_and_list_are_not_sent_again_until_they_change(admin, bodies, name):
    _, body, change = bodies[name]
    path = f"/api/{name}/{admin.post(f'/api/{name}', body).data['_id']}"
    tags = {read: admin.get(read).headers["ETag"] for read in (path, f"/api/{name}")}

    def statuses():
        return [
            admin.call("GET", read, headers={"If-None-Match": tag}).status
            for read, tag in tags.items()
        ]

    assert statuses() == [304, 304]
    assert admin.patch(path, change).status == 200
    assert statuses() == [200, 200]


@pytest.mark.parametrize("name", RESOURCES)
def test_unchanged_record_causes_no_warning(admin, bodies, name):
    _, body, _ = bodies[name]
    made = admin.post(f"/api/{name}", body).data
    assert "warnings" not in admin.patch(f"/api/{name}/{made['_id']}", made).body


FREE = (
    ("station-templates", "uiSchema", {"a": [0]}),
    ("sticker-templates", "elements", [{"a": 0}]),
    ("orders", "stationData", {"a": {"b": 0}}),
    ("withdrawals", "withdrawnDimensions", {"a": 0}),
)


def with_number(value, number):
    if isinstance(value, dict):
        return {key: with_number(inner, number) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_number(inner, number) for inner in value]
    return number


@pytest.mark.parametrize(("name", "field", "shape"), FREE)
def test_free_form_fields_keep_storable_values_and_refuse_others(
    admin, bodies, name, field, shape
):
    _, body, _ = bodies[name]
    record = admin.post(f"/api/{name}", body).data["_id"]
    for number in (2**63 - 1, -(2**63), 0.5, 1e300):
        value = with_number(shape, number)
        changed = admin.patch(f"/api/{name}/{record}", {field: value}).data
        assert changed[field] == value
    for number in (2**63, 2**64 - 1):
        value = with_number(shape, number)
        assert set(admin.post(f"/api/{name}", {**body, field: value}).faults) == {field}
        answer = admin.patch(f"/api/{name}/{record}", {field: value})
        assert set(answer.faults) == {field}


def test_keys_of_free_form_objects_may_contain_dots(admin):
    free = {"a.b": {"c.d": 1}, "_id": 2}
    made = admin.post("/api/station-templates", {"name": "a", "uiSchema": free}).data
    path = f"/api/station-templates/{made['_id']}"
    assert admin.get(path).data["uiSchema"] == free
    assert admin.patch(path, {"uiSchema": {"x.y": 1}}).data["uiSchema"] == {"x.y": 1}


def test_true_is_stored_in_the_place_of_1(admin):
    shape = {"uiSchema": {"a": [{"b": 1}], "c": 0}}
    made = admin.post("/api/station-templates", {"name": "a", **shape}).data
    path = f"/api/station-templates/{made['_id']}"
    admin.patch(path, {"uiSchema": {"a": [{"b": True}], "c": False}})
    stored = admin.get(path).data["uiSchema"]
    assert stored["a"][0]["b"] is True
    assert stored["c"] is False


def test_search_finds_text_in_each_unicode_normal_form(admin):
    admin.post("/api/customers", {"name": "Café"})
    for typed in ("Caf\u00e9", "Cafe\u0301"):
        assert len(admin.get("/api/customers", search=typed).data) == 1
        assert len(admin.get("/api/customers", name=typed).data) == 1


def test_search_longer_than_200_characters_is_refused(admin):
    for letter in ("(", "ก", "😀"):
        assert admin.get("/api/customers", search=letter * 200).status == 200
        faults = admin.get("/api/customers", search=letter * 201).faults
        assert set(faults) == {"search"}


@pytest.mark.parametrize("name", RESOURCES)
def test_list_supports_head_and_a_doubled_slash(admin, server, name):
    head = admin.session.head(f"{server}/api/{name}", timeout=20)
    assert (head.status_code, head.content) == (200, b"")
    again = Api(server, admin.token).get(f"/api//{name}")
    assert again.status == 200
