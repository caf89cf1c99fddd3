"""From an enquiry in XLSX to the invoice, in both languages; docs/from-enquiry-to-invoice.md shows it.

`make pictures` keeps its pictures in docs/images/story; else they are thrown away.
"""

import os
import re

import pytest

from browser.pages import (
    ENGLISH,
    INSTALLED,
    STALE,
    THAI,
    WITH_SERVICE_WORKER,
    exported,
    follow,
    open_page,
    see,
    unexpected,
)
from browser.station_steps import scan
from browser.test_office_transfer import CHOOSE_FILE
from browser.test_pictures import RECORDS, SCROLL, take
from glassflow.domain.bilingual import Language
from glassflow.domain.texts.field_labels import FIELD_LABELS
from glassflow.pages import files
from scenarios import pass_station
from service import ROOT
from tables_api import to_xlsx
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

FOLDER = ROOT / "docs/images/story"
DESK = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}}
DIALOG = "dialog .main-button"
ROW = ".billing-entries .table-row"
HAND_OVER, CONFIRM, SURE = (
    ".bar-below .main-button",
    ".hand-over > fieldset > .main-button",
    ".asking .main-button",
)
PRICES = {
    "glassPrices": {
        "Clear": {"6mm": {"pricePerSqFt": 100}, "10mm": {"pricePerSqFt": 180}},
        "Mirror": {"5mm": {"pricePerSqFt": 120}},
    },
    "minimumArea": 0,
    "minimumCharge": 0,
    "vatPercent": 7,
}
#: Glass, thickness and number of the panes of 10 ft² each: 6,000 baht in all.
GLASS = (("Clear", 6, 2), ("Clear", 10, 2), ("Mirror", 5, 2))
AREAS = ("start", "shared", "office", "fields", "offer", "station", "deliveries")
TEXT = re.compile(r'^\s+"([\w.-]+)":\s*"((?:[^"\\]|\\.)*)"', re.MULTILINE)


class Pages:
    """The words of the pages in a language, and the pictures of them."""

    def __init__(self, lang, folder):
        self.lang, self._folder, self._count = lang, folder, 0
        read = [
            (files.ROOT / f"texts/{area}.{lang}.js").read_text("utf-8")
            for area in AREAS
        ]
        self._texts = dict(TEXT.findall("\n".join(read)))

    def button(self, key, within="main"):
        """The selector of the button or link with a text of the pages."""
        return f"{within} :is(button, a):has-text('{self._texts[key]}')"

    def picture(self, tab, name, top=""):
        """Take a picture of the window as the next one of the story, from `top` on."""
        self._count += 1
        if top:
            tab.run(SCROLL, top)
        take(tab, self._folder / f"{self._count}-{name}.{self.lang}.png")


@pytest.fixture(
    params=["en", pytest.param("th", marks=pytest.mark.long)],
)
def pages(request, tmp_path):
    return Pages(request.param, FOLDER if RECORDS in os.environ else tmp_path)


@pytest.fixture
def workshop_of_the_story(admin, workshop):
    """A customer with a delivery address, prices, a station, and the workshop's own name."""
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    admin.put(
        "/api/workshop",
        {"name": "โรงงานกระจกไทย", "nameEnglish": "Thai Glass Workshop"},
    )
    site = {"name": "ไซต์คลอง 5", "address": "88/9 ถ.รังสิต-นครนายก ปทุมธานี"}
    workshop.customer(name="บริษัท อาคารใส จำกัด", delivery_addresses=[site])
    return workshop


def enquiry():
    """The file of the customer: a row for each kind of glass."""
    rows = [
        {
            "customer.name": "บริษัท อาคารใส จำกัด",
            "project": "อาคาร A",
            "panes.rawGlass.glassType": kind,
            "panes.rawGlass.thickness": thickness,
            "panes.dimensions.width": 929.0304,
            "panes.dimensions.height": 1000,
            "panes.quantity": count,
        }
        for kind, thickness, count in GLASS
    ]
    for row in rows[1:]:  # the panes of the same quote
        row["customer.name"] = row["project"] = ""
    return list(to_xlsx(rows))


def test_enquiry_becomes_a_quote_an_order_two_deliveries_and_an_invoice(
    open_office, chromium, server, admin, workshop_of_the_story, pages
):
    look = {**(ENGLISH if pages.lang == "en" else THAI), "colorScheme": "light"}
    office = open_office(admin.worker, "quotes", **look, **DESK)
    quote = offer(office, admin, pages)
    order = accept(office, chromium, admin, workshop_of_the_story, quote, pages, look)
    planned = plan_delivery(office, admin, order, pages)
    hand_over_half(chromium, server, admin, planned, pages, look)
    deliver_the_rest(office, admin, order, planned, pages)
    bill(office, admin, pages)
    assert unexpected(chromium) == []


def offer(office, admin, pages):
    """The file of the customer becomes a quote, which is sent; return it."""
    office.click("a.import")
    office.wait(".import-choose")
    office.run(CHOOSE_FILE, ["input[type=file]", "enquiry.xlsx", enquiry()])
    office.wait(".import-checked .main-button:enabled")
    pages.picture(office, "import")
    office.click(".import-checked .main-button")
    office.wait(".import-done")
    (made,) = admin.get("/api/quotes").data
    assert (made["amount"], made["project"]) == (8000, "อาคาร A")
    follow(office, f"office/quotes/{made['_id']}")
    see(office, ".sum", "8,000.00")
    pages.picture(office, "quote", "#pane-rows")
    office.click(pages.button("quotes.send", ".head"))
    office.click(DIALOG)
    office.wait(".quote-lines")
    office.click(pages.button("quotes.link"))
    office.click(pages.button("quotes.makeLink", "dialog"))
    office.wait("#link")
    return made


def accept(office, chromium, admin, workshop, quote, pages, look):
    """The customer accepts by the link; the order is made and produced; return it."""
    address = office.run("return document.querySelector('#link').value;", None)
    phone = chromium.second_profile(**look, **PHONE).tab(address)
    phone.wait(".offer form")
    pages.picture(phone, "offer")
    phone.fill("#name", "สมศรี ใจดี")
    phone.fill("#referenceId", "PO-2569-014")
    phone.click(".offer .main-button")
    phone.wait('.offer [data-status="accepted"], .offer .state')
    wait_until(lambda: admin.get(f"/api/quotes/{quote['_id']}").data["request"])
    request = admin.get(f"/api/quotes/{quote['_id']}").data["request"]
    station = str(workshop.stations(1)[0].pk)
    panes = admin.get("/api/panes", request=request, limit=50).data
    for pane in panes:
        admin.patch(f"/api/panes/{pane['_id']}", {"routing": [station]})
    body = {
        "request": request,
        "customer": quote["customer"],
        "material": str(workshop.material().pk),
        "quantity": len(panes),
    }
    order = admin.post("/api/orders", body).data
    for pane in panes:
        assert pass_station(admin, pane["paneNumber"], station).status == 200
    return order


def plan_delivery(office, admin, order, pages):
    """All panes of the order are planned for today; return the delivery."""
    office.press("Escape")
    follow(office, f"office/orders/{order['_id']}")
    office.click(".summary a[href*='deliveries/new']")
    see(office, "#choose-panes b", "6")
    pages.picture(office, "plan", "#choose-panes")
    office.click(".card .form-buttons .main-button")
    see(office, "h1", "DLV-")
    (planned,) = admin.get("/api/deliveries").data
    assert len(planned["panes"]) == 6
    return planned


def hand_over_half(chromium, server, admin, planned, pages, look):
    """Half of the panes are handed over on a phone without network, with a signature."""
    profile = chromium.second_profile(**look, **PHONE, **WITH_SERVICE_WORKER)
    path = f"/floor/deliveries/{planned['_id']}"
    phone = open_page(profile, f"{server}{path}", admin.worker)
    phone.wait(HAND_OVER)
    phone.run(INSTALLED)
    chromium.call("offline", True)
    phone.wait(STALE)
    for pane in planned["panes"][:3]:
        scan(phone, admin.get(f"/api/panes/{pane}").data["qrCode"])
        see(phone, ".verdict, [role=status]", "")
    wait_until(lambda: phone.count('[data-state="loaded"]') == 3)
    pages.picture(phone, "load")
    phone.click(HAND_OVER)
    phone.fill(".hand-over input[type=text]", "สมศรี ใจดี")
    phone.drag(".hand-over canvas", 90, 30)
    pages.picture(phone, "sign")
    phone.click(CONFIRM)
    phone.click(SURE)
    phone.wait(".handed")
    chromium.call("offline", False)
    read = f"/api/deliveries/{planned['_id']}"
    wait_until(lambda: admin.get(read).data["status"] == "delivered")
    handed = admin.get(read).data
    assert handed["handOvers"][0]["signature"]
    assert len(handed["missingPanes"]) == 3


def deliver_the_rest(office, admin, order, planned, pages):
    """What is still open is planned again, and handed over at the counter."""
    follow(office, f"office/deliveries/{planned['_id']}")
    office.wait(".facts-card img.signature")
    pages.picture(office, "handed-over", ".facts-card")
    office.click(".head a[href*='rest=']")
    see(office, "#choose-panes b", "3")
    office.click(".card .form-buttons .main-button")
    wait_until(lambda: len(admin.get("/api/deliveries").data) == 2)
    (rest,) = admin.get("/api/deliveries", status="planned").data
    numbers = [
        admin.get(f"/api/panes/{one}").data["paneNumber"] for one in rest["panes"]
    ]
    body = {"paneNumbers": numbers, "receivedBy": "วิชัย มั่นคง"}
    assert admin.post(f"/api/deliveries/{rest['_id']}/hand-over", body).status == 200
    found = admin.get(f"/api/orders/{order['_id']}").data
    assert (found["panesDelivered"], found["paneCount"]) == (6, 6)


def bill(office, admin, pages):
    """Both deliveries are billed with the invoice of the accounts, and exported."""
    entries = admin.get("/api/billing-entries", sort="entryNumber").data
    assert [one["net"] for one in entries] == [3800, 4200]
    follow(office, "office/billing")
    wait_until(lambda: office.count(ROW) == 2)
    pages.picture(office, "billing")
    office.click(".billing-entries .table-top input")
    office.click(pages.button("billing.bill", ".selected"))
    office.fill("#ask-invoiceNumber", "INV-6911-014")
    office.click(DIALOG)
    office.wait(".empty")
    rows = admin.get("/api/billing-entries").data
    assert {one["invoiceNumber"] for one in rows} == {"INV-6911-014"}
    follow(office, "office/billing?show=billed")
    wait_until(lambda: office.count(ROW) == 2)
    found = exported(office)
    net = FIELD_LABELS["net"].in_language(Language(pages.lang))
    assert sorted(one[net] for one in found) == ["3800.0", "4200.0"]
