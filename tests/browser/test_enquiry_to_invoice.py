"""From an enquiry in XLSX to the last payment, through changes, a broken pane and a credit.

In both languages; docs/from-enquiry-to-invoice.md shows it. `make pictures` keeps the pictures
in docs/images/story; else they are thrown away.
"""

import io
import os
import re

import openpyxl
import pytest

from billing_scenarios import hand_over
from browser.pages import (
    ENGLISH,
    INSTALLED,
    STALE,
    THAI,
    WITH_SERVICE_WORKER,
    choose,
    follow,
    open_page,
    see,
    texts,
    unexpected,
    value,
)
from browser.station_steps import scan
from browser.test_office_transfer import CHOOSE_FILE
from browser.test_pictures import RECORDS, SCROLL, take
from glassflow.pages import files
from pdf_text import text_of_pdf
from scenarios import claim_pane, pass_station
from service import ROOT
from tables_api import rows_of
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

FOLDER = ROOT / "docs/images/story"
CUSTOMER = "บริษัท อาคารใส จำกัด"
DESK = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}}
DIALOG, SAVE = "dialog[open] .main-button", ".card .form-buttons .main-button"
ROW, ENTRY = ".billing-entries .table-row", "/api/billing-entries"
CHANGE, PREVIEW = ".form .main-button", ".preview"
HAND_OVER, CONFIRM, SURE = (
    ".bar-below .main-button",
    ".hand-over > fieldset > .main-button",
    ".asking .main-button",
)
NAME = '.hand-over > fieldset > label input[type="text"]'
PRICES = {
    "glassPrices": {
        "Clear": {
            "6mm": {"pricePerSqFt": 100, "grindingRate": 0},
            "10mm": {"pricePerSqFt": 180, "grindingRate": 0},
        },
        "Mirror": {"5mm": {"pricePerSqFt": 120, "grindingRate": 0}},
    },
    "minimumArea": 0,
    "minimumCharge": 0,
    "vatPercent": 7,
}
#: The enquiry: mark, glass, thickness and number of the panes of 1,000 × 1,000 mm.
GLASS = (("W01", "Clear", 6, 2), ("D01", "Clear", 10, 2), ("M01", "Mirror", 5, 2))
#: Baht. The list has 1,937.50 for a pane of D01, for which this is agreed.
AGREED_ROW = 1500
QUOTED, QUOTED_WITH_VAT, DEPOSIT = 7736.12, 8277.65, 4138.83
#: Two panes of W01 more, one of M01 cancelled, one of W01 half as wide again.
DIFFERENCE, AGREED = 1399.31, 9135.43
AGREED_WITH_VAT = 9774.91
#: A scratched pane is kept for 200 baht less.
CREDIT, CHARGED, CHARGED_WITH_VAT = 200, 8935.43, 9560.91
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
    """A customer with a delivery address, prices, a deposit, and the workshop's own name."""
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    own = {
        "name": "โรงงานกระจกไทย",
        "nameEnglish": "Thai Glass Workshop",
        "depositPercent": 50,
    }
    assert admin.put("/api/workshop", own).status == 200
    site = {"name": "ไซต์คลอง 5", "address": "88/9 ถ.รังสิต-นครนายก ปทุมธานี"}
    workshop.customer(name=CUSTOMER, delivery_addresses=[site])
    return workshop


def enquiry():
    """The file of the customer: a title, Thai heads, and a row for each kind of glass."""
    book = openpyxl.Workbook()
    book.active.append(["รายการกระจก อาคาร A"])
    book.active.append(["ลำดับ", "ตำแหน่ง", "กว้าง", "สูง", "จำนวน", "ชนิดกระจก", "หนา"])
    for number, (mark, kind, thickness, count) in enumerate(GLASS, 1):
        size = ["1,000", 1000, f"{count} แผ่น", kind, f"{thickness} มม."]
        book.active.append([number, mark, *size])
    content = io.BytesIO()
    book.save(content)
    return list(content.getvalue())


def baht(amount):
    return f"{amount:,.2f}"


def cell(column, row):
    """A cell of the grid of new panes."""
    return f'#field-panes [data-row="{row}"][data-column="{column}"]'


def of_pane(column, row):
    """A cell of a pane that the request has."""
    return f'.open-panes [data-row="{row}"][data-column="{column}"]'


def amounts(text):
    """The amounts in a text, in the order in which they stand."""
    found = re.findall(r"([-−]?)([\d,]+\.\d\d)", text)
    return [
        (-1 if sign else 1) * float(digits.replace(",", "")) for sign, digits in found
    ]


def sum_of(tab, selector):
    """The sum of the amounts in some elements, in baht."""
    return round(sum(amounts(" ".join(texts(tab, selector)))), 2)


def live_panes(api, order):
    """The panes of the order that are still wanted, by number."""
    gone = ("cancelled", "defected", "claimed")
    panes = panes_of(api, order["request"])
    return [one for one in panes if one["currentStatus"] not in gone]


def panes_of(api, request):
    return api.get("/api/panes", request=request, sort="paneNumber", limit=50).data


def test_what_was_agreed_and_changed_is_what_is_made_delivered_billed_and_paid(
    open_office, chromium, server, admin, workshop_of_the_story, pages
):
    look = {**(ENGLISH if pages.lang == "en" else THAI), "colorScheme": "light"}
    office = open_office(admin.worker, "quotes/new", **look, **DESK)
    phones = chromium.second_profile(**look, **PHONE)
    quote = offer(office, admin, pages)
    request = accept(office, phones, admin, quote, pages)
    order = make_order(admin, workshop_of_the_story, request)
    change(office, phones, admin, order, pages)
    planned = plan_delivery(office, admin, order, pages)
    hand_over_half(chromium, server, workshop_of_the_story, admin, planned, pages, look)
    deliver_the_rest(office, admin, order, planned, pages)
    deliver_free_remake(admin, order)
    bill_and_credit(office, admin, pages)
    pay_the_rest(office, admin, order, pages)
    assert_same_figures(office, admin, quote, order)
    assert unexpected(chromium) == []


def offer(office, admin, pages):
    """The customer's file becomes a quote with one agreed price, which is sent; return it."""
    choose(office, "#field-customer", CUSTOMER)
    office.fill("#field-project", "อาคาร A")
    office.run(CHOOSE_FILE, [".read-file input[type=file]", "enquiry.xlsx", enquiry()])
    see(office, ".sum", baht(QUOTED + 2 * (1937.50 - AGREED_ROW)))
    pages.picture(office, "enquiry", "#pane-rows")
    office.fill(cell("unitPrice", 1), str(AGREED_ROW))
    see(office, ".sum", baht(QUOTED))
    office.click(SAVE)
    see(office, "h1", "QUO-")
    (made,) = admin.get("/api/quotes").data
    assert [one["mark"] for one in made["panes"]] == [row[0] for row in GLASS]
    see(office, ".sum", baht(QUOTED_WITH_VAT))
    pages.picture(office, "quote", "#pane-rows")
    office.click(pages.button("quotes.send", ".head"))
    office.click(DIALOG)
    office.wait(".quote-lines")
    assert baht(QUOTED_WITH_VAT) in text_of_pdf(admin, f"/api/quotes/{made['_id']}/pdf")
    return made


def link_of(office, pages):
    """Make the link of the quote that is shown; return its address."""
    office.click(pages.button("quotes.link"))
    office.click(pages.button("quotes.makeLink", "dialog"))
    office.wait("#link")
    address = office.run("return document.querySelector('#link').value;", None)
    office.press("Escape")
    return address


def accept(office, phones, admin, quote, pages):
    """The customer accepts on a phone, and pays the deposit; return the request."""
    phone = phones.tab(link_of(office, pages))
    phone.wait(".offer form")
    see(phone, ".offer", baht(QUOTED_WITH_VAT))
    pages.picture(phone, "offer")
    phone.fill("#name", "สมศรี ใจดี")
    phone.fill("#referenceId", "PO-2569-014")
    phone.click(".offer .main-button")
    phone.wait('.offer [data-status="accepted"], .offer .state')
    read = f"/api/quotes/{quote['_id']}"
    wait_until(lambda: admin.get(read).data["request"])
    request = admin.get(read).data["request"]
    follow(office, f"office/requests/{request}")
    office.click(pages.button("payments.record", ".standing"))
    office.wait("#field-amount")
    wait_until(lambda: value(office, "#field-amount") == str(DEPOSIT))
    office.select("#field-way", "transfer")
    pages.picture(office, "deposit")
    office.click(SAVE)
    see(office, "h1", "PAY-")
    return request


def make_order(admin, workshop, request):
    """An order for all panes of the request, at one station; return it."""
    station = str(workshop.stations(1)[0].pk)
    panes = panes_of(admin, request)
    for pane in panes:
        admin.patch(f"/api/panes/{pane['_id']}", {"routing": [station]})
    body = {
        "request": request,
        "customer": admin.get(f"/api/requests/{request}").data["customer"],
        "material": str(workshop.material().pk),
        "quantity": len(panes),
    }
    return admin.post("/api/orders", body).data


def change(office, phones, admin, order, pages):
    """Two panes more, one cancelled, one larger; the customer confirms it on a phone."""
    request = order["request"]
    panes = panes_of(admin, request)
    follow(office, f"office/orders/{order['_id']}")
    office.click(pages.button("requestchange.change"))
    office.wait(of_pane("width", 5))
    office.fill(of_pane("width", 0), "1500")
    office.click(of_pane("cancel", 5))
    office.click(pages.button("requests.addPanes"))
    typed = {"width": "1000", "height": "1000", "quantity": "2", "thickness": "6"}
    for column, text in {"mark": "W02", "glassType": "Clear", **typed}.items():
        office.fill(cell(column, 0), text)
    see(office, f"{PREVIEW} .difference", f"+{DIFFERENCE:,.2f}")
    see(office, f"{PREVIEW} tfoot", baht(AGREED))
    office.fill("#field-reason", "ลูกค้าโทรมา" if pages.lang == "th" else "By phone")
    office.click("#field-waits")
    pages.picture(office, "change", PREVIEW)
    office.click(CHANGE)
    see(office, "h1", "-C1")
    assert len(panes_of(admin, request)) == len(panes)
    (made,) = admin.get("/api/quotes", kind="confirmation").data
    text = text_of_pdf(admin, f"/api/quotes/{made['_id']}/pdf")
    assert baht(AGREED) in text
    phone = phones.tab(link_of(office, pages))
    see(phone, ".changed", panes[5]["paneNumber"])
    phone.wait(".changed .waits")
    pages.picture(phone, "confirm")
    phone.fill("#name", "สมศรี ใจดี")
    phone.click("form .main-button")
    phone.wait(".state")
    wait_until(lambda: len(panes_of(admin, request)) == len(panes) + 2)
    see(office, ".facts-card", "สมศรี ใจดี")
    office.wait('.head [data-status="accepted"]')
    stations = panes[0]["routing"]
    for pane in panes_of(admin, request):
        if pane["currentStatus"] == "cancelled":
            continue
        if not pane["routing"]:
            admin.patch(f"/api/panes/{pane['_id']}", {"routing": stations})
        assert pass_station(admin, pane["paneNumber"], stations[0]).status == 200
    agreed = admin.get(f"/api/requests/{request}").data["details"]["estimatedPrice"]
    assert agreed == AGREED


def plan_delivery(office, admin, order, pages):
    """Four of the seven panes are planned for today; return the delivery."""
    follow(office, f"office/orders/{order['_id']}")
    office.click(".summary a[href*='deliveries/new']")
    see(office, "#choose-panes b", "7")
    for pane in live_panes(admin, order)[4:]:
        office.click(f".choice-groups details label:has-text('{pane['paneNumber']}')")
    see(office, "#choose-panes b", "4")
    pages.picture(office, "plan", "#choose-panes")
    office.click(SAVE)
    see(office, "h1", "DLV-")
    (planned,) = admin.get("/api/deliveries").data
    assert len(planned["panes"]) == 4
    return planned


def hand_over_half(chromium, server, workshop, admin, planned, pages, look):
    """Two phones hand over their parts, one without network; one pane is broken."""
    address = f"{server}/floor/deliveries/{planned['_id']}"
    first, second, third, broken = (
        admin.get(f"/api/panes/{one}").data for one in planned["panes"]
    )
    colleague = workshop.worker_with("worker")
    other = open_page(chromium.second_profile(**look, **PHONE), address, colleague)
    profile = chromium.second_profile(**look, **PHONE, **WITH_SERVICE_WORKER)
    phone = open_page(profile, address, admin.worker)
    for tab in (other, phone):
        tab.wait(HAND_OVER)
    phone.run(INSTALLED)
    chromium.call("offline", True)
    phone.wait(STALE)
    load(phone, first, second)
    pages.picture(phone, "load")
    phone.click(HAND_OVER)
    phone.fill(NAME, "สมศรี ใจดี")
    phone.drag(".hand-over canvas", 90, 30)
    pages.picture(phone, "sign")
    phone.click(CONFIRM)
    phone.click(SURE)
    phone.wait(".handed")

    load(other, third, broken)
    other.click(HAND_OVER)
    row = f".row:has-text('{broken['paneNumber']}')"
    other.click(f"{row} input")
    other.click(pages.button("deliveries.reason_broken", row))
    other.fill(f"{row} input[type=text]", "มุมบิ่น" if pages.lang == "th" else "corner")
    other.fill(NAME, "วิชัย มั่นคง")
    pages.picture(other, "broken", ".hand-over")
    other.click(CONFIRM)
    other.click(SURE)
    other.wait(".handed")
    chromium.call("offline", False)
    read = f"/api/deliveries/{planned['_id']}"
    wait_until(lambda: len(admin.get(read).data["handOvers"]) == 2)
    handed = admin.get(read).data
    assert len(handed["panes"]) == 3
    assert handed["missingPanes"] == [broken["_id"]]


def load(phone, *panes):
    """Scan panes onto the vehicle."""
    for count, pane in enumerate(panes, 1):
        scan(phone, pane["qrCode"])
        wait_until(lambda count=count: phone.count('[data-state="loaded"]') == count)


def deliver_the_rest(office, admin, order, planned, pages):
    """The broken pane is made again, and all that is left is handed over at the counter."""
    (claim,) = admin.get("/api/claims").data
    remake = make_again(admin, order, claim)
    follow(office, f"office/deliveries/{planned['_id']}")
    see(office, ".facts-card", claim["claimNumber"])
    pages.picture(office, "handed-over", ".facts-card")
    rest = [one for one in live_panes(admin, order) if not one["deliveredAt"]]
    assert remake in [one["_id"] for one in rest]
    hand_over(admin, order["customer"], rest)
    found = admin.get(f"/api/orders/{order['_id']}").data
    assert (found["panesDelivered"], found["paneCount"]) == (7, 7)


def make_again(admin, order, claim):
    """Approve a claim, and produce its remake; return it."""
    decision = {"status": "approved", "decision": "destroy", "remake": True}
    remake = admin.patch(f"/api/claims/{claim['_id']}", decision).data["remadePane"]
    number = admin.get(f"/api/panes/{remake}").data["paneNumber"]
    station = live_panes(admin, order)[0]["routing"][0]
    assert pass_station(admin, number, station).status == 200
    return remake


def deliver_free_remake(admin, order):
    """A pane that the customer has got is made again and delivered, and makes no entry."""
    before = len(admin.get(ENTRY).data)
    delivered = live_panes(admin, order)[0]
    claim = claim_pane(admin, delivered["paneNumber"], source="customer").data
    remake = make_again(admin, order, claim)
    hand_over(admin, order["customer"], [admin.get(f"/api/panes/{remake}").data])
    assert len(admin.get(ENTRY).data) == before


def bill_and_credit(office, admin, pages):
    """What was delivered is billed with an invoice of the accounts; a part is credited."""
    entries = admin.get(ENTRY, sort="entryNumber").data
    assert sum(one["net"] for one in entries) == pytest.approx(AGREED)
    follow(office, "office/billing")
    wait_until(lambda: office.count(ROW) == len(entries))
    pages.picture(office, "billing")
    office.click(".billing-entries .table-top input")
    office.click(pages.button("billing.bill", ".selected"))
    office.fill("#ask-invoiceNumber", "INV-6911-014")
    office.click(DIALOG)
    office.wait(".empty")
    follow(office, f"office/billing/{entries[0]['_id']}")
    office.click(pages.button("billing.credit", ".head"))
    office.click(".credit-pane input")
    office.fill(".credit-net", str(CREDIT))
    words = {"th": "มีรอยขีดข่วน ลูกค้ารับไว้ในราคาที่ลดลง", "en": "Scratched, kept for less"}
    office.fill("#credit-reason", words[pages.lang])
    pages.picture(office, "credit")
    office.click(DIALOG)
    see(office, ".credits", words[pages.lang])
    (made,) = admin.get(ENTRY, status="open").data
    body = {"ids": [made["_id"]], "invoiceNumber": "INV-6912-003"}
    assert admin.post(f"{ENTRY}/bill", body).status == 200


def pay_the_rest(office, admin, order, pages):
    """The rest is paid: everything of the job is settled."""
    page = f"office/requests/{order['request']}"
    follow(office, page)
    office.click(pages.button("payments.record", ".standing"))
    office.wait("#field-amount")
    left = round(CHARGED_WITH_VAT - DEPOSIT, 2)
    wait_until(lambda: value(office, "#field-amount") == str(left))
    office.click(SAVE)
    see(office, "h1", "PAY-")
    follow(office, page)
    settled(office)
    pages.picture(office, "paid")


def settled(office):
    """Wait until the strip of the job says that all of it is billed and paid."""
    shown = [CHARGED_WITH_VAT] * 2
    wait_until(
        lambda: (
            [amounts(one) for one in texts(office, ".standing .step-figure")[-2:]]
            == [shown, shown]
        ),
        describe=lambda: texts(office, ".standing"),
    )


def assert_same_figures(office, admin, quote, order):
    """Each page and paper of the job shows the same figures."""
    request, customer = order["request"], order["customer"]
    (confirmation,) = admin.get("/api/quotes", kind="confirmation").data
    deliveries = admin.get("/api/deliveries").data
    entries = admin.get(ENTRY, status="billed").data
    shown = set()
    for path in (
        *(f"quotes/{one['_id']}" for one in (quote, confirmation)),
        f"requests/{request}",
        f"orders/{order['_id']}",
        *(f"deliveries/{one['_id']}" for one in deliveries),
        *(f"billing/{one['_id']}" for one in entries),
    ):
        follow(office, f"office/{path}")
        settled(office)
        shown.add(tuple(texts(office, ".standing .step-figure")))
    assert len(shown) == 1, shown

    for path in (f"requests/{request}", f"orders/{order['_id']}"):
        follow(office, f"office/{path}")
        office.wait(".panes .table-row .price")
        assert sum_of(office, ".panes .table-row .price") == AGREED
    follow(office, f"office/requests/{request}")
    see(office, ".agreed-lines tfoot", baht(CHARGED))
    assert sum_of(office, ".agreed-lines tbody td") == CHARGED
    follow(office, "office/billing?show=all")
    wait_until(lambda: sum_of(office, f"{ROW} .net") == CHARGED)
    assert sum_of(office, f"{ROW} .gross") == CHARGED_WITH_VAT
    follow(office, "office/payments")
    wait_until(lambda: sum_of(office, ".payments .amount") == CHARGED_WITH_VAT)
    follow(office, f"office/customers/{customer}")
    balance = [0, CHARGED_WITH_VAT, CHARGED_WITH_VAT, 0]
    wait_until(lambda: amounts(" ".join(texts(office, ".balance dd"))) == balance)
    see(office, "main", baht(CHARGED))  # the sales of the month
    follow(office, "office/sales")
    see(office, "main", baht(CHARGED))

    for one, amount in ((quote, QUOTED_WITH_VAT), (confirmation, AGREED_WITH_VAT)):
        for language in ("th", "en"):
            path = f"/api/quotes/{one['_id']}/pdf?language={language}"
            assert baht(amount) in text_of_pdf(admin, path)
    handed = [(one, row) for one in deliveries for row in one["handOvers"]]
    assert sum(len(row["panes"]) for _, row in handed) == 8  # with the free remake
    for delivery, row in handed:
        number = delivery["handOvers"].index(row) + 1
        path = f"/api/deliveries/{delivery['_id']}/pdf?language=en&handOver={number}"
        assert re.search(rf"Total {len(row['panes'])}\b", text_of_pdf(admin, path))
    accounts = admin.session.get(f"{admin.url}{ENTRY}/accounts.xlsx?language=en")
    rows = rows_of(accounts.content, "xlsx")
    for head, amount in (("Before VAT", CHARGED), ("With VAT", CHARGED_WITH_VAT)):
        assert round(sum(one[head] for one in rows), 2) == amount
