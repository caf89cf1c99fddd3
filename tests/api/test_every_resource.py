"""The life of a record of every kind, and what their free and text fields can take."""

import pytest

from clients import Api
from stories import good_bodies

NAMES = (
    "customers", "inventories", "job-types", "material-logs", "materials",
    "notifications", "orders", "panes", "production-logs", "requests", "roles",
    "station-templates", "stations", "sticker-templates", "withdrawals", "workers",
)  # fmt: skip


@pytest.fixture
def bodies(workshop):
    """Path, good body and good change of each resource, by its name."""
    return {each[0]: each for each in good_bodies(workshop).values()}


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_made_read_listed_changed_and_deleted(admin, bodies, name):
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


@pytest.mark.parametrize("name", NAMES)
def test_a_record_sent_back_as_it_was_read_earns_no_warning(admin, bodies, name):
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
def test_free_fields_keep_what_can_be_stored_and_refuse_the_rest(
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


def test_keys_of_free_objects_may_have_dots(admin):
    free = {"a.b": {"c.d": 1}, "_id": 2}
    made = admin.post("/api/station-templates", {"name": "a", "uiSchema": free}).data
    path = f"/api/station-templates/{made['_id']}"
    assert admin.get(path).data["uiSchema"] == free
    assert admin.patch(path, {"uiSchema": {"x.y": 1}}).data["uiSchema"] == {"x.y": 1}


def test_text_is_found_in_whatever_form_it_is_typed(admin):
    admin.post("/api/customers", {"name": "Café"})
    for typed in ("Caf\u00e9", "Cafe\u0301"):
        assert len(admin.get("/api/customers", search=typed).data) == 1
        assert len(admin.get("/api/customers", name=typed).data) == 1


def test_a_search_longer_than_any_name_is_refused_and_never_fails(admin):
    for letter in ("(", "ก", "😀"):
        assert admin.get("/api/customers", search=letter * 200).status == 200
        faults = admin.get("/api/customers", search=letter * 201).faults
        assert set(faults) == {"search"}


@pytest.mark.parametrize("name", NAMES)
def test_a_list_has_a_head_and_takes_a_doubled_slash(admin, server, name):
    head = admin.session.head(f"{server}/api/{name}", timeout=20)
    assert (head.status_code, head.content) == (200, b"")
    again = Api(server, admin.token).get(f"/api//{name}")
    assert again.status == 200
