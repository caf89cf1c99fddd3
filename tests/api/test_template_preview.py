"""The preview of a sticker template that is being designed."""

import base64
import io
import json

from PIL import Image

from glassflow.host.data_files import SEEDS
from glassflow.labels.template import read_template
from glassflow.labels.variables import ALIASES, EXAMPLES
from glassflow.services.labels.pane_values import values_of_panes
from label_pictures import codes_in
from lookups import pane_of
from scenarios import order_with_panes

PREVIEW = "/api/sticker-templates/preview"
CODE = {
    "type": "qr",
    "x": 2,
    "y": 2,
    "width": 20,
    "height": 20,
    "content": "{{qrCode}}",
}
# of the other client: CSS pixels, and a name that is an alias
OTHER = {
    "type": "group",
    "x": 96,
    "y": 0,
    "children": [{"type": "text", "x": 0, "y": 96, "text": "{{orderCode}}"}],
}


def preview(api, *elements, width=60, height=40, **given):
    body = {"width": width, "height": height, "elements": list(elements), **given}
    answer = api.post(PREVIEW, body)
    assert answer.status == 200, answer
    return answer.data


def picture(found):
    return base64.b64decode(found["image"].removeprefix("data:image/png;base64,"))


def value(found, name):
    return next(one["value"] for one in found["fields"] if one["name"] == name)


def test_template_that_is_not_stored_is_shown_filled_in_with_examples_or_a_pane(
    admin, workshop
):
    found = preview(admin, CODE)
    assert codes_in(picture(found)) == [EXAMPLES["qrCode"]]
    assert Image.open(io.BytesIO(picture(found))).size == (480, 320)  # 8 dots per mm
    assert (found["faults"], found["warnings"], found["isConverted"]) == ([], [], False)
    assert found["elements"] == [CODE]
    assert value(found, "paneNumber") == EXAMPLES["paneNumber"]

    job = order_with_panes(admin, workshop)
    number = job.numbers[0]
    found = preview(admin, CODE, pane=number, dpi=300)
    assert codes_in(picture(found)) == [f"STDPLUS:{number}"]
    assert value(found, "orderNumber") == job.order["orderNumber"]
    assert "labelledAt" not in found
    assert pane_of(admin, number)["labelledAt"] is None
    assert admin.get("/api/sticker-templates").data == []


def test_template_of_the_other_dialect_is_returned_in_the_first_one(admin):
    found = preview(admin, OTHER)
    (text,) = found["elements"]
    assert found["isConverted"] is True
    assert (text["x"], text["y"], text["content"]) == (25.4, 25.4, "{{orderCode}}")
    (field,) = (one for one in found["fields"] if "orderCode" in one["aliases"])
    assert field["name"] == "orderNumber"
    again = preview(admin, text)
    assert (again["isConverted"], again["elements"]) == (False, [text])
    assert again["image"] == found["image"]


def test_template_that_cannot_be_drawn_has_faults_and_elements(admin):
    wrong = {"type": "text", "content": "x", "width": "wide"}
    found = preview(admin, wrong, width=3)
    assert [one["field"] for one in found["faults"]] == ["width", "elements.0.width"]
    assert (found["image"], found["elements"]) == (None, [wrong])
    too_long = {**CODE, "content": "ก" * 2000}
    assert preview(admin, too_long)["faults"][0]["field"] == "content"
    picture_of = {"type": "image", "content": "", "width": 5, "height": 5}
    assert preview(admin, *[picture_of] * 11)["faults"][0]["field"] == "elements"
    codes = [{**CODE, "content": str(number)} for number in range(21)]
    assert preview(admin, *codes)["faults"][0]["field"] == "elements"
    assert preview(admin, *codes[1:])["faults"] == []
    warned = preview(admin, {"id": "n", "type": "text", "content": "{{nothing}}"})
    assert [(one["code"], one["element"]) for one in warned["warnings"]] == [
        ("UNKNOWN_VARIABLE", "n")
    ]


def test_preview_shows_no_more_than_its_reader_could_read(
    admin, workshop, client_with_keys
):
    number = order_with_panes(admin, workshop).numbers[0]
    body = {"width": 60, "height": 40, "pane": number}
    designer = client_with_keys("sticker_templates:view")
    assert designer.post(PREVIEW, {**body, "pane": ""}).status == 200
    assert designer.post(PREVIEW, body).status == 403
    assert client_with_keys("panes:view").post(PREVIEW, body).status == 403
    reader = client_with_keys("sticker_templates:view", "panes:view")
    assert value(preview(reader, pane=number), "customerName") == ""
    assert value(preview(admin, pane=number), "customerName")
    assert admin.post(PREVIEW, {**body, "pane": "PNE-9999"}).status == 404
    assert admin.post(PREVIEW, {**body, "width": 0}).status == 400


def test_examples_are_those_of_all_fields_and_fill_in_the_seeded_templates(admin):
    (values,) = values_of_panes([{}], lambda _: True)
    assert set(values) == set(EXAMPLES)
    assert set(ALIASES.values()) - set(EXAMPLES) == {"workerName"}  # of badges
    seeds = json.loads((SEEDS / "demo" / "sticker_templates.json").read_text("utf-8"))
    for stored in seeds:
        assert read_template(**stored).warnings == ()
        assert preview(admin, *stored["elements"])["warnings"] == []
