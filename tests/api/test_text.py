"""Texts in bodies and searches: one stored form, no control characters."""

import pytest

from glassflow.domain.unicode_text import search_form
from glassflow.models.customer import Customer
from scenarios import valid_bodies

ONE, TWO, TONE_LAST = "น\u0e49\u0e33", "น\u0e49\u0e4d\u0e32", "น\u0e4d\u0e49\u0e32"
SUB = "\x1a"
# Words as they are copied: with a zero width space, a byte order mark, a soft hyphen.
PASTED = ("\ufeffกระจก\u200bไทย", "กระจก\u2060ไทย\u200e", "กระ\u00adจกไทย")
UNSEEN = (
    "\u200b",
    "\u00ad",
    "\u200e",
    "\u2060",
    "\ufeff",
    " \u0e48 ",
    "\u3164",
    "\u200d",
)


@pytest.mark.parametrize("typed", [ONE, TWO, TONE_LAST])
def test_sara_am_is_found_in_every_form_whatever_form_is_stored(admin, typed):
    made = admin.post("/api/customers", {"name": f"โรง{typed}แข็ง"}).data
    assert made["name"] == f"โรง{ONE}แข็ง"
    earlier = Customer.collection()
    names = [f"ร้าน{form}" for form in (TWO, TONE_LAST)]
    earlier.insert_many({"name": n, "searchText": search_form(n)} for n in names)
    for search in (ONE, TWO, TONE_LAST):
        assert len(admin.get("/api/customers", search=search).data) == 3
        assert admin.get("/api/customers", name=f"โรง{search}แข็ง").data == [made]
    assert len(admin.get("/api/customers", search=f"โรง{typed}").data) == 1


def test_search_with_more_forms_than_a_pattern_may_have_is_refused(admin):
    assert admin.get("/api/customers", search="\u0e33" * 100).status == 200
    faults = admin.get("/api/customers", search="\u0e33" * 130).faults
    assert faults == {"search": "Too long to search for"}


def test_control_characters_are_refused_in_every_text_of_every_resource(
    admin, workshop
):
    for path, body, _ in valid_bodies(workshop).values():
        texts = [
            name
            for name, value in body.items()
            if isinstance(value, str) and name != "password"
        ]
        for name in texts:
            answer = admin.post(f"/api/{path}", {**body, name: f"a{SUB}b"})
            assert set(answer.faults) == {name}, (path, name)


def test_control_characters_are_refused_inside_objects_and_free_json(admin):
    bodies = (
        ("materials", {"specDetails": {"color": SUB}}, "specDetails.color"),
        ("panes", {"edgeTasks": [{"side": SUB}]}, "edgeTasks.0.side"),
        ("panes", {"processes": [SUB]}, "processes.0"),
        ("station-templates", {"uiSchema": {"a": [SUB]}}, "uiSchema"),
        ("station-templates", {"uiSchema": {SUB: 1}}, "uiSchema"),
        ("sticker-templates", {"elements": [{"text": SUB}]}, "elements"),
    )
    for path, body, field in bodies:
        assert field in admin.post(f"/api/{path}", body).faults
    assert (
        admin.put("/api/pricing-settings", {"edgeRates": {f"a{SUB}": 1}}).status == 400
    )


def test_tab_and_line_ends_are_kept_inside_texts(admin):
    notes = "a\tb\r\nc\nd"
    made = admin.post("/api/customers", {"name": "a", "notes": f" {notes}\n"}).data
    assert made["notes"] == notes


@pytest.mark.parametrize("number", [2**63, -(2**63), 1e300, 10**25])
def test_number_beyond_64_bits_is_refused_with_the_range(admin, number):
    body = {"name": "a", "unit": "b", "reorderPoint": number}
    message = "Must be a finite number between -2^63 and 2^63"
    assert admin.post("/api/materials", body).faults == {"reorderPoint": message}


def test_invisible_characters_are_not_stored_and_hide_nothing(admin):
    made = [admin.post("/api/customers", {"name": one}).data for one in PASTED]
    assert {one["name"] for one in made} == {"กระจกไทย"}
    for typed in (*PASTED, "กระจกไทย"):
        assert len(admin.get("/api/customers", name=typed).data) == 3
        assert len(admin.get("/api/customers", search=typed).data) == 3
    notes = {"notes": "กระจก\u200bไทย\nข้อ\u00ad 2 👩🏽‍🔧"}
    path = f"/api/customers/{made[0]['_id']}"
    assert admin.patch(path, notes).data["notes"] == "กระจกไทย\nข้อ 2 👩🏽‍🔧"
    # an id is pasted too
    request = {"customer": f"\ufeff{made[0]['_id']}", "details": {"type": "a"}}
    assert "customer" not in (admin.post("/api/requests", request).faults or {})


def test_what_must_not_be_empty_has_a_visible_character(admin, workshop):
    refused = set()
    for path, body, _ in valid_bodies(workshop).values():
        for name in [one for one, value in body.items() if isinstance(value, str)]:
            empty = admin.post(f"/api/{path}", {**body, name: ""})
            if empty.status != 400 or "between 1 and" not in str(empty.faults):
                continue
            refused.add(f"{path}.{name}")
            for text in UNSEEN:
                answer = admin.post(f"/api/{path}", {**body, name: text})
                message = "Must contain a character that can be seen"
                assert answer.faults == {name: message}, (path, name, text)
    named = ("customers", "materials", "stations", "roles", "workers", "job-types")
    assert refused >= {f"{one}.name" for one in (*named, "station-templates")}
    assert refused >= {"job-types.code", "workers.username", "inventories.location"}
