"""Station templates: screen layouts, stored unchanged."""

import pytest

PATH = "/api/station-templates"
LAYOUT = {"version": 1, "panels": [{"type": "scan", "size": 1.5}], "a.b": None}


def test_layout_is_stored_unchanged(admin):
    made = admin.post(PATH, {"name": "Cutting", "uiSchema": LAYOUT}).data
    assert made["uiSchema"] == LAYOUT
    assert admin.get(f"{PATH}/{made['_id']}").data == made


def test_changed_layout_replaces_the_old_one(admin):
    made = admin.post(PATH, {"name": "Cutting", "uiSchema": LAYOUT}).data
    path = f"{PATH}/{made['_id']}"
    admin.patch(path, {"uiSchema": {"version": 2}})
    assert admin.get(path).data["uiSchema"] == {"version": 2}
    admin.patch(path, {"uiSchema": {}})
    assert admin.get(path).data["uiSchema"] == {}


def test_templates_are_listed(admin):
    for name in ("b", "a"):
        admin.post(PATH, {"name": name})
    rows = admin.get(PATH, sort="name").data
    assert [(row["name"], row["uiSchema"]) for row in rows] == [("a", {}), ("b", {})]


def test_template_in_use_cannot_be_deleted(admin, workshop):
    station = workshop.station()
    answer = admin.delete(f"{PATH}/{station.template_id}")
    assert (answer.status, answer.message) == (409, "Station template has 1 station")
    admin.delete(f"/api/stations/{station.pk}")
    assert admin.delete(f"{PATH}/{station.template_id}").status == 200


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": "a", "uiSchema": {"$where": 1}}, "uiSchema"),
        ({"name": "a", "uiSchema": {"a": [{"": 1}]}}, "uiSchema"),
    ],
)
def test_bad_input_is_refused(admin, body, field):
    assert list(admin.post(PATH, body).faults) == [field]
