"""What a record reads as that was created with the least body, or by an earlier release."""

import pytest

from glassflow.blueprints import RESOURCES
from glassflow.models import BY_NAME
from least_records import UNSET, VARYING, least_bodies
from lookups import pane_of

STAMPS = {"_id", "createdAt", "updatedAt"}
CUT_OUT = {
    "type": "circle",
    "diameter": None,
    "width": None,
    "height": None,
    "length": None,
    "vertices": [],
}
OLD_PANE_LOG = {
    "order": None,
    "material": None,
    "worker": None,
    "station": None,
    "reason": "",
    "description": "",
    "completedAt": None,
    "before": None,
    "after": None,
    "measured": None,
}
#: Records that no client posts.
OLD = {
    "pane-logs": OLD_PANE_LOG,
    "billing-entries": {"parts": [], "adjustment": 0, "status": "open", "notes": ""},
}
ONE_DOCUMENT = {
    "pricing-settings",
    "makeability",
    "cutting-rules",
    "workshop",
    "working-hours",
}


@pytest.fixture
def least(admin, workshop):
    return least_bodies(admin, workshop)


def test_every_record_that_is_posted_is_in_the_table():
    posted = {one.name for one in RESOURCES} - {
        "pane-logs",
        "billing-entries",
        *ONE_DOCUMENT,
    }
    assert UNSET.keys() == posted


def test_record_of_the_least_body_reads_whole_with_the_defaults(admin, least):
    bodies, paths = least
    for name, body in bodies.items():
        sent = {**body, "password": "secret 1"} if name == "workers" else body
        made = admin.post(paths.get(name, f"/api/{name}"), sent).data
        made.pop("secret", None)  # of a webhook, which is shown once
        varying = STAMPS | VARYING.get(name, set())
        assert varying <= made.keys(), name
        found = {k: v for k, v in made.items() if k not in varying}
        assert found == {"version": 1, **body, **UNSET[name]}, name
        assert admin.get(f"/api/{name}/{made['_id']}").data == made, name


@pytest.mark.parametrize("value", [None, ""])
def test_record_with_unset_fields_sent_as_null_or_empty_text_reads_the_same(
    admin, least, value
):
    """Null unsets every optional field; an empty text those that are texts or ids."""
    bodies, paths = least
    for name, body in bodies.items():
        schema = next(one.schema for one in RESOURCES if one.name == name)
        sent = {
            field.data_key: value
            for field in schema.fields.values()
            if not field.required
            and (value is None or getattr(field, "empty_is_unset", False))
        }
        sent |= {"password": "secret 1"} if name == "workers" else {}
        made = admin.post(paths.get(name, f"/api/{name}"), {**sent, **body}).data
        made.pop("secret", None)
        varying = STAMPS | VARYING.get(name, set())
        found = {k: v for k, v in made.items() if k not in varying}
        assert found == {"version": 1, **body, **UNSET[name]}, name


@pytest.mark.undescribed
def test_record_that_an_earlier_release_stored_reads_with_the_defaults(admin, app):
    for resource in RESOURCES:
        if resource.name in ONE_DOCUMENT:
            continue
        kind = resource.model.__name__
        old = BY_NAME[kind].collection().insert_one({"recipient": admin.worker.pk})
        found = admin.get(f"/api/{resource.name}/{old.inserted_id}").data
        expected = (UNSET | OLD).get(resource.name) | {
            "orders": {"paneCount": 0},
            "requests": {
                "details": {"type": "", "quantity": None, "estimatedPrice": 0}
            },
            "customers": {"shortName": ""},
            "roles": {"slug": None},
        }.get(resource.name, {})
        assert {name: found[name] for name in expected} == expected, resource.name


@pytest.mark.undescribed
def test_objects_of_a_fixed_shape_read_whole_wherever_members_are_missing(
    admin, workshop
):
    stored = {
        "rawGlass": {"sheetsPerPane": 2, "color": None},
        "dimensions": {"width": 5},
        "holes": [{"id": "h", "x": 1, "y": 2}],
        "edgeTasks": [{"side": "top", "later": 1}],
    }
    pane = workshop.make("Pane", pane_number="PNE-9001")
    pane.collection().update_one({"_id": pane.pk}, {"$set": stored})
    found = pane_of(admin, "PNE-9001")
    glass = {"glassType": "", "color": "", "thickness": 0, "sheetsPerPane": 2}
    assert found["rawGlass"] == glass
    assert found["dimensions"] == {"width": 5, "height": 0, "thickness": 0, "area": 0}
    assert found["holes"] == [{"id": "h", "x": 1, "y": 2, **CUT_OUT}]
    assert found["edgeTasks"] == [
        {
            "side": "top",
            "edgeProfile": "",
            "machineType": "",
            "status": "pending",
            "later": 1,
        }
    ]


def test_patch_of_one_member_leaves_the_others_at_their_defaults(admin):
    pane = admin.post("/api/panes", {"dimensions": {"width": 7, "height": 3}}).data
    path = f"/api/panes/{pane['_id']}"
    assert pane["dimensions"]["area"] == 21
    changed = admin.patch(path, {"rawGlass": {"color": "x"}}).data
    glass = {"glassType": "", "color": "x", "thickness": 0, "sheetsPerPane": 1}
    assert changed["rawGlass"] == glass
    unset = admin.patch(path, {"rawGlass": {"color": None}, "dimensions": None}).data
    assert unset["rawGlass"] == {**glass, "color": ""}
    assert unset["dimensions"] == UNSET["panes"]["dimensions"]


def test_empty_text_is_refused_where_a_text_is_required_or_an_enumeration(admin):
    faults = admin.post("/api/stations", {"name": " ", "status": ""}).faults
    assert faults.keys() >= {"name", "status"}
    sticker = admin.post("/api/sticker-templates", {"width": 1, "height": 1}).data
    path = f"/api/sticker-templates/{sticker['_id']}"
    assert admin.patch(path, {"name": "s"}).data["name"] == "s"
    assert admin.patch(path, {"name": ""}).data["name"] == "default"
