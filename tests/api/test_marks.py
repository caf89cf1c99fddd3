"""Marks: where the customer has a pane goes with it from the quote to the delivery."""

import pypdfium2
import pytest

from api.test_confirmations import confirmation
from api.test_offers import make_link
from api.test_offers import read as read_offer
from api.test_quotes import PANE, PRICES
from lookups import pane_of
from scenarios import order_with_units, pass_station

ROWS = [
    {**PANE, "mark": "W01", "quantity": 2},
    {**PANE, "mark": "W02"},
    PANE,
]
MARKS = ["W01", "W01", "W02", ""]


@pytest.fixture(autouse=True)
def _prices(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200


@pytest.fixture
def quote(admin, workshop):
    body = {"customer": str(workshop.customer().pk), "panes": ROWS, "language": "en"}
    made = admin.post("/api/quotes", body).data
    assert admin.post(f"/api/quotes/{made['_id']}/send", {}).status == 200
    return made


@pytest.fixture
def job(admin, workshop, quote):
    """The order of the accepted quote: {order, request}, with `station`."""
    station = str(workshop.station().pk)
    order = {"material": str(workshop.material().pk), "stations": [station]}
    accepted = admin.post(f"/api/quotes/{quote['_id']}/accept", {"order": order}).data
    return {"station": station, **accepted}


def panes_of(api, job):
    return api.get("/api/panes", request=job["request"], sort="paneNumber").data


def text_of(api, path, method="GET", **options):
    answer = api.session.request(method, f"{api.url}/api{path}", timeout=60, **options)
    assert answer.status_code == 200, answer.text[:300]
    document = pypdfium2.PdfDocument(answer.content)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def test_marks_of_a_quote_are_on_its_paper_its_link_and_its_panes(
    admin, anonymous, quote, job
):
    assert [one.get("mark", "") for one in quote["panes"]] == ["W01", "W02", ""]
    lines = admin.get(f"/api/quotes/{quote['_id']}/lines").data
    assert [one["mark"] for one in lines] == ["W01", "W02", ""]
    text = text_of(admin, f"/quotes/{quote['_id']}/pdf")
    assert "W01" in text
    assert "W02" in text
    panes = panes_of(admin, job)
    assert [one["mark"] for one in panes] == MARKS
    assert admin.get("/api/panes", mark="W02").data == [panes[2]]
    assert [one["_id"] for one in admin.get("/api/panes", search="W02").data] == [
        panes[2]["_id"]
    ]
    made = confirmation(admin, {"_id": job["request"]})
    shown = read_offer(anonymous, make_link(admin, made)).data
    assert [(one["mark"], one["quantity"]) for one in shown["lines"]] == [
        ("W01", 2), ("W02", 1), ("", 1),
    ]  # fmt: skip


def test_marks_are_on_label_job_card_checklist_and_delivery_note(admin, job):
    panes = panes_of(admin, job)
    card = text_of(admin, f"/orders/{job['order']}/job-card")
    assert f"{panes[2]['paneNumber']} (W02)" in card
    template = {"name": "marks", "width": 60, "height": 40, "elements": [
        {"id": "a", "type": "text", "x": 2, "y": 2, "width": 50, "height": 9, "content": "<{{mark}}>"},
    ]}  # fmt: skip
    assert admin.post("/api/sticker-templates", template).status == 201
    labels = f"/labels?order={job['order']}&template=marks"
    assert text_of(admin, labels).split() == ["<W01>", "<W01>", "<W02>"]
    for pane in panes:
        pass_station(admin, pane["paneNumber"], job["station"])
    ids = [one["_id"] for one in panes]
    body = {"customer": panes_customer(admin, job), "panes": ids, "language": "en"}
    made = admin.post("/api/deliveries", body).data
    checklist = admin.get(f"/api/deliveries/{made['_id']}/checklist").data
    assert [one["mark"] for one in checklist["panes"]] == MARKS
    note = text_of(admin, f"/deliveries/{made['_id']}/pdf")
    assert note.count("200 × 500") == 1  # alike panes are one line, with all marks
    assert "W01, W02" in note


def panes_customer(api, job):
    return api.get(f"/api/requests/{job['request']}").data["customer"]


def test_remake_has_the_mark_and_a_change_of_it_costs_nothing(admin, job):
    first, _, third, last = panes_of(admin, job)
    assert admin.scan(third["paneNumber"], "scan_in", station=job["station"]).status == 200  # fmt: skip
    assert admin.scan(third["paneNumber"], "complete").status == 200
    failed = admin.scan(third["paneNumber"], "qc_fail", reason="broken").data
    assert failed["remadePane"]["mark"] == "W02"

    path = f"/api/requests/{job['request']}"
    before = admin.get(path).data
    change = {"panes": [first["_id"], last["_id"]], "values": {"mark": "W07"}}
    version = {"If-Match": f'"{before["version"]}"', "Idempotency-Key": "k"}
    body = {"change": [change], "reason": "ลูกค้าแก้แบบ"}
    made = admin.post(f"{path}/changes", body, headers=version)
    assert made.status == 201, made
    after = admin.get(path).data
    assert after["details"]["estimatedPrice"] == before["details"]["estimatedPrice"]
    told = [one["fields"] for one in after["changes"][-1]["lines"]]
    assert [{"field": "mark", "from": "W01", "to": "W07"}] in told
    assert {pane_of(admin, one["paneNumber"])["mark"] for one in (first, last)} == {
        "W07"
    }


def test_mark_has_a_length_and_belongs_to_the_unit(admin, workshop):
    job = order_with_units(admin, workshop, sheets=2)
    (parent,), (sheets,) = job.parents, job.sheets
    unit = pane_of(admin, parent)
    long = admin.patch(f"/api/panes/{unit['_id']}", {"mark": "x" * 61})
    assert (long.status, long.errors[0]["field"]) == (400, "mark")
    assert admin.patch(f"/api/panes/{unit['_id']}", {"mark": "W09"}).status == 200
    marks = [pane_of(admin, one)["mark"] for one in (parent, *sheets)]
    assert marks == ["W09"] * 3
    sheet = pane_of(admin, sheets[0])
    refused = admin.patch(f"/api/panes/{sheet['_id']}", {"mark": "W10"})
    assert refused.errors["code"] == "SHEET_OF_UNIT"
    remade = admin.post(
        "/api/requests",
        {
            "customer": job.customer,
            "details": {"type": "a", "quantity": 1},
            "panes": [
                {
                    "mark": "W11",
                    "routing": job.stations,
                    "rawGlass": {"sheetsPerPane": 2},
                }
            ],
        },
    ).data
    assert [one["mark"] for one in remade["panes"]] == ["W11"] * 3
