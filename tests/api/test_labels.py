"""Labels over HTTP: of panes, stations, workers and commands."""

import io
import json
import re

import pypdfium2
import pytest
import requests
from PIL import Image

from glassflow.labels.cards import COMMANDS
from label_pictures import codes_in
from scenarios import order_with_panes, order_with_units
from stock_api import create_lot
from waiting import REQUEST_TIMEOUT_S

LABELS, LAYOUTS = "/api/labels", "/api/label-layouts"
TEMPLATE = {
    "name": "default",
    "width": 60,
    "height": 40,
    "elements": [
        {"id": "qr", "type": "qr", "width": 22, "height": 22, "content": "{{qrCode}}"},
        {"id": "who", "type": "text", "x": 26, "y": 3, "content": "{{customerName}}"},
    ],
}


@pytest.fixture
def template(admin):
    return admin.post("/api/sticker-templates", TEMPLATE).data


@pytest.fixture
def job(admin, workshop, template):
    return order_with_panes(admin, workshop, panes=3)


def test_missing_template_is_told_apart_from_missing_panes(admin, workshop):
    job = order_with_panes(admin, workshop)
    answer = admin.get(LABELS, order=job.order["_id"], format="json")
    assert (answer.status, answer.errors["code"]) == (404, "NO_LABEL_TEMPLATE")
    named = admin.get(LABELS, order=job.order["_id"], template="gone", format="json")
    assert named.status == 404
    assert "NO_LABEL_TEMPLATE" not in str(named)


def load(api, **query):
    """Read a file of labels: the answer as it comes, not in an envelope."""
    headers = {"Authorization": f"Bearer {api.token}"}
    return requests.get(
        api.url + LABELS, params=query, headers=headers, timeout=REQUEST_TIMEOUT_S
    )


def codes_of(api, **query):
    """The codes on each page, read from its picture."""
    pages = int(load(api, **query).headers["X-Label-Pages"])
    found = [load(api, **query, format="png", page=n + 1) for n in range(pages)]
    return [codes_in(one.content) for one in found]


def names(api, **query):
    answer = api.get(LABELS, format="json", **query)
    assert answer.status == 200, answer
    return [one["name"] for one in answer.data["labels"]]


def test_labels_of_an_order_are_a_pdf_with_a_page_for_each_pane(worker, job):
    answer = load(worker, order=job.order["_id"])
    assert (answer.status_code, answer.headers["Content-Type"]) == (
        200,
        "application/pdf",
    )
    assert answer.headers["X-Label-Pages"] == "3"
    assert answer.headers["Cache-Control"] == "no-store"
    document = pypdfium2.PdfDocument(answer.content)
    assert len(document) == 3
    document.close()
    codes = codes_of(worker, order=job.order["_id"])
    assert codes == [[f"STDPLUS:{number}"] for number in job.numbers]


def test_panes_are_named_by_ids_and_numbers_in_their_order(
    admin, worker, workshop, job
):
    first, second, third = job.numbers
    given = f"]Q1STDPLUS:{third}, {job.panes[0]['_id']},{second.lower()},{third}"
    assert names(worker, panes=given) == [third, first, second]
    assert names(worker, request=job.request["requestNumber"]) == job.numbers
    assert names(worker, order=f"]C0{job.order['orderNumber'].lower()}") == job.numbers
    other = order_with_panes(admin, workshop)
    both = [*job.numbers, *other.numbers]
    orders = f"{other.order['orderNumber']},{job.order['_id']}"
    assert names(worker, orders=orders) == both
    requests = [one.request["_id"] for one in (job, other)]
    body = {"requests": requests, "format": "json"}
    listed = worker.post(LABELS, body).data["labels"]
    assert [one["name"] for one in listed] == both
    assert worker.get(LABELS, orders=f"{orders},ORD-9999").status == 404
    many = worker.post(LABELS, {"panes": job.numbers, "format": "json"})
    assert many.data["count"] == 3


def test_sheets_of_a_unit_are_labelled_its_parent_and_dead_panes_are_not(
    admin, workshop, template
):
    job = order_with_units(admin, workshop)
    assert names(admin, order=job.order["_id"]) == job.sheets[0]
    assert names(admin, panes=job.parents[0]) == job.parents
    lost = {"currentStatus": "cancelled"}
    plain = order_with_panes(admin, workshop, panes=2)
    assert admin.patch(f"/api/panes/{plain.panes[0]['_id']}", lost).status == 200
    assert names(admin, order=plain.order["_id"]) == plain.numbers[1:]


def test_label_shows_no_more_than_its_reader_may_read(client_with_keys, job):
    query = {"panes": job.numbers[0], "format": "png"}
    keys = ("panes:view", "sticker_templates:view")
    everything = load(client_with_keys(*keys, "customers:view"), **query)
    less = load(client_with_keys(*keys), **query)
    ink = [
        Image.open(io.BytesIO(one.content)).convert("1") for one in (everything, less)
    ]
    named, unnamed = (one.crop((208, 0, 480, 320)).getcolors() for one in ink)
    assert len(named) == 2  # the name of the customer, black on white
    assert unnamed == [(272 * 320, 255)]
    for missing in keys:
        other = client_with_keys(*({*keys, "stations:view"} - {missing}))
        assert other.get(LABELS, **query).status == 403


def test_poster_leads_to_the_page_of_its_station(worker, workshop, server):
    one, two = workshop.stations(2)
    assert codes_of(worker, stations=str(two.pk)) == [[f"{server}/floor/s/{two.pk}"]]
    assert names(worker, stations="all") == sorted([one.name, two.name])
    warnings = worker.get(LABELS, stations="all", format="json").data["warnings"]
    assert [one["code"] for one in warnings] == ["LOCAL_ADDRESS"]


def test_label_of_a_rack_has_its_code(client_with_keys, admin, worker):
    made = [admin.post("/api/racks", {"name": n, "place": "B"}).data for n in "ab"]
    ids = ",".join(one["_id"] for one in made)
    assert codes_of(worker, racks=ids) == [[one["qrCode"]] for one in made]
    assert names(worker, racks="all") == [one["rackNumber"] for one in made]
    assert worker.get(LABELS, racks="RCK-9999").status == 404
    assert client_with_keys("stations:view").get(LABELS, racks=ids).status == 403


def test_label_of_a_lot_has_its_code_and_all_are_the_remnants_in_stock(
    client_with_keys, admin, worker, workshop
):
    glass = workshop.material(name="กระจกใส 6 มม.")
    size = {"dimensions": {"width": 812, "height": 1450.5}}
    whole = create_lot(admin, glass, 20)
    remnants = [
        create_lot(admin, glass, quantity, stockType="Reuse", **more)
        for quantity, more in (
            (1, size),
            (0, size),
            (1, {}),
            (1, {**size, "isActive": False}),
        )
    ]
    ids = f"{remnants[0]['_id']},{whole['_id']}"
    codes = [[one["qrCode"]] for one in (remnants[0], whole)]
    assert codes_of(worker, lots=ids) == codes
    assert names(worker, lots="all") == [remnants[0]["inventoryNumber"]]
    pages = pypdfium2.PdfDocument(load(worker, lots=ids).content)
    sized, unsized = (page.get_textpage().get_text_range() for page in pages)
    assert "812 × 1450.5" in sized
    assert "×" not in unsized
    assert all("A-01" in text for text in (sized, unsized))
    pages.close()
    reader = client_with_keys("inventory:view")
    assert names(reader, lots=ids) == names(worker, lots=ids)
    assert worker.get(LABELS, lots="0" * 24).status == 404
    assert client_with_keys("panes:view").get(LABELS, lots=ids).status == 403


def test_badge_and_command_cards_have_their_codes(worker, admin, workshop):
    other = workshop.worker()
    refused = admin.get(LABELS, workers=f"{worker.id},{other.pk}")
    assert refused.errors["code"] == "BADGE_MISSING"
    assert refused.errors["workers"] == [worker.id, str(other.pk)]
    admin.post(f"/api/workers/{worker.id}/badge")
    ((code,),) = codes_of(admin, workers=worker.id)
    assert re.fullmatch("STDPLUS-WORKER:[A-Z2-7]{26}", code)
    assert codes_of(admin, workers=worker.id) == [[code]]  # as often as one likes
    assert names(admin, workers="all") == [worker.worker.name]
    assert worker.get(LABELS, workers=worker.id).status == 403
    commands = codes_of(worker, commands="all")
    assert commands == [[f"STDPLUS-DO:{name}"] for name in COMMANDS]


def test_worker_who_left_gets_no_badge(admin, workshop):
    gone = workshop.worker(is_active=False)
    assert admin.get(LABELS, workers=str(gone.pk)).status == 404


def test_warnings_come_with_the_file_and_in_the_list(admin, job, template):
    long = "บริษัท 玻璃 😀 กระจกไทยรุ่งเรือง (ปู่ฟ้าน้ำผึ้ง) จำกัด มหาชน สาขาใหญ่"
    admin.patch(f"/api/customers/{job.customer}", {"name": long})
    listed = admin.get(LABELS, order=job.order["_id"], format="json").data
    assert [one["code"] for one in listed["warnings"]] == [
        "TEXT_CUT",
        "CHARACTER_MISSING",
    ]
    first = listed["warnings"][0]
    assert (first["element"], first["label"], first["labels"]) == (
        "who",
        job.numbers[0],
        3,
    )
    assert first["detail"].startswith("บริษัท")
    assert listed["template"] == {"name": "default", "width": 60, "height": 40}
    header = load(admin, order=job.order["_id"]).headers["X-Label-Warnings"]
    assert json.loads(header) == listed["warnings"]


def test_layouts_are_listed_with_own_sheets_and_printers_by_name(worker, setting):
    setting(
        PRINTERS={"zebra": ["tcp://10.0.0.9:9100", "300"]},
        LABEL_SHEETS={"ours": ["2x4", "90x60", "10x20", "95x62"]},
    )
    data = worker.get(LAYOUTS).data
    assert [one["name"] for one in data["layouts"]][:3] == ["single", "ours", "L7160"]
    assert data["layouts"][1]["cell"] == {"width": 90, "height": 60}
    assert data["printers"] == [{"name": "zebra", "dpi": 300}]
    assert "10.0.0.9" not in str(data)


def test_sheet_has_skipped_cells_and_copies(worker, job):
    query = {"order": job.order["_id"], "layout": "L7160"}
    listed = worker.get(LABELS, **query, skip=20, copies=2, format="json").data
    assert (listed["count"], listed["pages"]) == (3, 2)
    assert [one["code"] for one in listed["warnings"]] == ["LABEL_SCALED"]
    first = codes_of(worker, **query, skip=20, copies=2)[0]
    assert first == [f"STDPLUS:{job.numbers[0]}"]


def test_template_is_chosen_by_id_or_name(worker, admin, job):
    small = {**TEMPLATE, "name": "เล็ก", "width": 30, "height": 30}
    made = admin.post("/api/sticker-templates", small).data
    for text in (made["_id"], "เล็ก"):
        query = {"panes": job.numbers[0], "template": text, "format": "json"}
        assert worker.get(LABELS, **query).data["template"]["width"] == 30


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({}, "panes"),
        ({"panes": "PNE-0001", "order": "ORD-0001"}, "panes"),
        ({"commands": "DANCE"}, "commands"),
        ({"commands": "all", "layout": "A5"}, "layout"),
        ({"commands": "all", "format": "gif"}, "format"),
        ({"commands": "all", "copies": "0"}, "copies"),
        ({"commands": "all", "copies": "many"}, "copies"),
        ({"commands": "all", "dpi": "72"}, "dpi"),
        ({"commands": "all", "dpi": "nan"}, "dpi"),
        ({"commands": "all", "skip": "-1"}, "skip"),
        ({"commands": "all", "nudgeX": "21"}, "nudgeX"),
        (
            {"commands": "all", "format": "png", "page": str(len(COMMANDS) + 1)},
            "page",
        ),
    ],
)
def test_bad_wish_is_refused_in_the_envelope(worker, change, field):
    answer = worker.get(LABELS, **change)
    assert (answer.status, list(answer.faults)) == (400, [field])


@pytest.mark.parametrize(
    "query",
    [
        {"panes": "PNE-0001,PNE-9999"},
        {"order": "ORD-9999"},
        {"request": "0" * 24},
        {"stations": "nonsense"},
        {"workers": "0" * 24},
        {"commands": "all", "template": "x", "panes": ""},
        {"panes": "PNE-0001", "template": "gone"},
    ],
)
def test_unknown_records_are_not_found(admin, template, query):
    expected = 200 if "commands" in query else 404
    assert load(admin, **query).status_code == expected


def test_template_that_cannot_be_drawn_is_explained(admin, job, template):
    path = f"/api/sticker-templates/{template['_id']}"
    admin.patch(path, {"elements": [{"type": "text", "content": "x", "x": "left"}, 3]})
    answer = admin.get(LABELS, panes=job.numbers[0])
    assert answer.status == 400
    assert answer.message == "The sticker template default cannot be drawn"
    assert list(answer.faults) == ["elements.0.x", "elements.1"]


def test_too_much_at_once_is_refused(admin, job, template):
    path = f"/api/sticker-templates/{template['_id']}"
    many = [{"type": "line", "content": ""}] * 200
    admin.patch(path, {"elements": many, "width": 450, "height": 450})
    huge = {"panes": job.numbers[0], "format": "png", "dpi": 600}
    assert list(admin.get(LABELS, **huge).faults) == ["dpi"]
    assert admin.get(LABELS, panes=",".join(job.numbers), copies=50).status == 200
