"""The workshop itself: one document, with the logo that its paper shows."""

import base64
import io

import pytest
from PIL import Image

from glassflow.models.workshop import Workshop
from glassflow.services import workshop
from pictures import photo, to_data_url

PATH = "/api/workshop"
DEFAULTS = {
    "name": "glassflow",
    "nameEnglish": "",
    "address": "",
    "addressEnglish": "",
    "taxId": "",
    "branch": "",
    "phone": "",
    "email": "",
    "website": "",
    "bankLine": "",
    "conditions": "",
    "conditionsEnglish": "",
    "quoteDays": 30,
    "maximumDiscount": 0,
    "mailHasLink": True,
    "quoteDrawings": False,
    "dailyTarget": None,
    "logo": None,
}
OWN = {
    "name": "บริษัท กระจกดี จำกัด",
    "nameEnglish": "Good Glass Co., Ltd.",
    "address": "1 ถนนสุขุมวิท\nกรุงเทพฯ 10110",
    "addressEnglish": "1 Sukhumvit Road\nBangkok 10110",
    "taxId": "0999990000010",
    "branch": "00000",
    "phone": "02-123-4567",
    "email": "sale@example.com",
    "website": "https://example.com",
    "bankLine": "KBank 123-4-56789-0",
    "conditions": "มัดจำ 50%",
    "conditionsEnglish": "50% deposit",
    "quoteDays": 15,
    "maximumDiscount": 7.5,
    "mailHasLink": False,
    "quoteDrawings": True,
    "dailyTarget": 40,
}


def own_fields(data):
    return {name: data[name] for name in DEFAULTS}


def test_first_read_creates_the_workshop_with_the_defaults_once(admin):
    first = admin.get(PATH).data
    assert own_fields(first) == DEFAULTS
    assert admin.get(PATH).data == first
    assert Workshop.objects.count() == 1


def test_names_are_those_of_the_record_and_the_default_without_one(admin):
    assert workshop.names() == {"th": "glassflow", "en": "glassflow"}
    assert Workshop.objects.count() == 0
    admin.put(PATH, {"name": OWN["name"]})
    assert workshop.names() == {"th": OWN["name"], "en": OWN["name"]}
    admin.put(PATH, OWN)
    assert workshop.names() == {"th": OWN["name"], "en": OWN["nameEnglish"]}


def test_fields_that_are_not_named_are_kept_and_null_restores_the_default(admin):
    assert own_fields(admin.put(PATH, OWN).data) == {**OWN, "logo": None}
    logo = photo("image/png")
    changed = admin.put(PATH, {"name": "อื่น", "logo": logo}).data
    assert own_fields(changed) == {**OWN, "name": "อื่น", "logo": changed["logo"]}
    assert changed["logo"].startswith("data:image/png;base64,")
    assert changed["updatedBy"] == admin.id
    assert own_fields(admin.put(PATH, dict.fromkeys(DEFAULTS)).data) == DEFAULTS


def test_tax_id_and_branch_are_stored_as_those_of_customers(admin):
    stored = admin.put(PATH, {"taxId": "0-9999-90000-01-0", "branch": "12"}).data
    assert (stored["taxId"], stored["branch"]) == ("0999990000010", "00012")
    answer = admin.put(PATH, {"taxId": "0999990000011", "branch": "x"})
    assert (answer.status, set(answer.faults)) == (400, {"taxId", "branch"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", "ก" * 101),
        ("nameEnglish", "a" * 101),
        ("address", "a" * 501),
        ("addressEnglish", "a" * 501),
        ("email", "nobody"),
        ("bankLine", "1" * 301),
        ("conditions", "a" * 2001),
        ("conditionsEnglish", "a" * 2001),
        ("quoteDays", 0),
        ("quoteDays", 366),
        ("quoteDays", 1.5),
        ("maximumDiscount", -1),
        ("maximumDiscount", 100.5),
        ("dailyTarget", 0),
        ("dailyTarget", 100_001),
        ("dailyTarget", 40.5),
        ("logo", "https://example.com/logo.png"),
        ("logo", to_data_url(b"\x89PNG\r\n\x1a\n" + b"no picture")),
        ("logo", photo("image/gif")),
        ("logo", photo("image/webp")),
        ("logo", photo("image/png", side=300)),  # of more than 200 KB
    ],
)
def test_wrong_value_is_refused_at_its_field(admin, name, value):
    answer = admin.put(PATH, {name: value})
    assert (answer.status, list(answer.faults)) == (400, [name])
    assert own_fields(admin.get(PATH).data) == DEFAULTS


@pytest.mark.parametrize("format", ["PNG", "JPEG"])
def test_logo_is_stored_without_metadata_and_stays_when_it_is_sent_back(admin, format):
    exif = Image.Exif()
    exif[271] = "maker of the camera"
    written = io.BytesIO()
    Image.new("RGB", (30, 30), "white").save(written, format, exif=exif)
    sent = to_data_url(written.getvalue(), f"image/{format.lower()}")
    stored = admin.put(PATH, {"logo": sent}).data
    content = base64.b64decode(stored["logo"].partition(",")[2])
    assert b"maker of the camera" not in content
    assert Image.open(io.BytesIO(content)).format == format
    assert admin.put(PATH, stored).data == stored


def test_history_names_the_logo_and_has_no_picture(admin):
    admin.put(PATH, {"name": "กระจก", "logo": photo()})
    removed = admin.put(PATH, {"logo": None}).data
    assert removed["logo"] is None
    history = admin.get(f"{PATH}/history?limit=2")
    assert [one["hidden"] for one in history.data] == [["logo"], ["logo"]]
    assert "base64" not in str(history.data)


def test_keys_are_those_of_the_prices(manager, worker):
    assert manager.get(PATH).status == 200
    assert worker.put(PATH, OWN).status == 403
