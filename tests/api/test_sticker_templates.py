"""Sticker templates: what is printed on the labels of panes."""

from functools import partial

import pytest

from concurrency import run_concurrently

PATH = "/api/sticker-templates"
SIZE = {"width": 60, "height": 40.5}


def test_sticker_is_created_with_defaults(admin):
    made = admin.post(PATH, SIZE).data
    assert (made["name"], made["elements"]) == ("default", [])
    assert (made["width"], made["height"]) == (60, 40.5)
    assert admin.get(f"{PATH}/{made['_id']}").data == made


def test_elements_are_stored_unchanged(admin):
    elements = [{"type": "qr", "x": 2, "content": "{{qrCode}}"}, "text", 3, None]
    made = admin.post(PATH, {**SIZE, "name": "a", "elements": elements}).data
    path = f"{PATH}/{made['_id']}"
    assert admin.get(path).data["elements"] == elements
    admin.patch(path, {"elements": []})
    assert admin.get(path).data["elements"] == []


def test_name_is_unique_and_free_names_are_given(admin):
    admin.post(PATH, {**SIZE, "name": "default 3"})
    unnamed = [SIZE, {**SIZE, "name": ""}, SIZE, {**SIZE, "name": None}, SIZE]
    made = run_concurrently([partial(admin.post, PATH, body) for body in unnamed])
    assert sorted(one.data["name"] for one in made) == [
        "default", "default 2", "default 4", "default 5", "default 6",
    ]  # fmt: skip
    second = admin.post(PATH, {**SIZE, "name": "default 3"})
    assert (second.status, second.message) == (409, "name already exists")
    other = admin.post(PATH, {**SIZE, "name": "small"}).data
    assert admin.patch(f"{PATH}/{other['_id']}", {"name": "default"}).status == 409


def test_patch_without_a_name_is_called_default(admin):
    made = admin.post(PATH, {**SIZE, "name": "small"}).data
    path = f"{PATH}/{made['_id']}"
    assert admin.patch(path, {"name": ""}).data["name"] == "default"
    assert admin.post(PATH, SIZE).data["name"] == "default 2"


def test_stickers_are_listed_in_pages(admin):
    for number in range(5):
        admin.post(PATH, {**SIZE, "name": f"s{number}"})
    names = [
        row["name"]
        for page in (1, 2, 3)
        for row in admin.get(PATH, page=page, limit=2).data
    ]
    assert names == ["s4", "s3", "s2", "s1", "s0"]


def test_sticker_is_deleted(admin):
    made = admin.post(PATH, SIZE).data
    assert admin.delete(f"{PATH}/{made['_id']}").status == 200
    assert admin.get(PATH).data == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"width": 0}, "width"),
        ({"height": -1}, "height"),
        ({"width": None}, "width"),
        ({"height": "40"}, "height"),
        ({"name": 5}, "name"),
        ({"elements": {}}, "elements"),
    ],
)
def test_bad_input_is_refused(admin, change, field):
    assert list(admin.post(PATH, {**SIZE, **change}).faults) == [field]
