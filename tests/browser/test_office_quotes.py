"""A quote in the office: written, sent, revised and accepted; by a browser."""

import pytest

from browser.pages import (
    choose,
    follow,
    see,
    unexpected,
    value,
)
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

SAVE = ".card .form-buttons .main-button"
DIALOG = "dialog .main-button"
PRICES = {
    "glassPrices": {"Clear": {"6mm": {"pricePerSqFt": 100}}},
    "edgeRates": {},
    "holePriceEach": 50,
    "minimumArea": 0,
    "rushPercent": 20,
}
PANE = {
    "dimensions": {"width": 1000, "height": 929.0304},
    "rawGlass": {"glassType": "Clear", "thickness": 6},
}


def cell(column, row=0):
    return f"#field-panes [data-row='{row}'][data-column='{column}']"


def head(name):
    """A button beside the number of the quote."""
    return f".head button:has-text('{name}')"


@pytest.fixture(autouse=True)
def _prices(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200


def test_quote_is_written_changed_sent_and_becomes_a_request(
    open_office, chromium, admin, workshop
):
    workshop.customer(name="Aek", discount=10)
    tab = open_office(admin.worker, "quotes")
    see(tab, ".empty", "A quote offers a customer panes")
    tab.click("a.new")
    choose(tab, "#field-customer", "Aek")
    tab.fill("#field-project", "Lobby")
    tab.wait(cell("width"))
    for column, text in (("width", "1000"), ("height", "929.0304"), ("thickness", "6")):
        tab.fill(cell(column), text)
    tab.fill(cell("glassType"), "Clear")
    see(tab, ".sum", "900.00 baht")  # ten square feet, less 10 %
    tab.fill(cell("quantity"), "0")
    tab.click(SAVE)
    see(tab, ".fault li", "Row 1 · Quantity: Must be greater than or equal to 1.")
    see(tab, "#field-panes [data-title='Quantity'] .field-fault", "equal to 1.")
    assert tab.attribute(f"{cell('quantity')}:focus", "aria-invalid") == "true"
    typed = [value(tab, cell(one)) for one in ("width", "glassType", "quantity")]
    assert typed == ["1000", "Clear", "0"]
    see(tab, "#field-panes td.drawn", "correct the marked cells")  # not priced as one
    see(tab, ".sum", "Some rows have no price yet: correct the marked cells")
    tab.fill(cell("quantity"), "501")
    see(tab, ".sum", "501 panes: at most 500 in one request or quote")
    tab.click(SAVE)
    see(tab, ".fault li", "Panes: 501 panes: at most 500 in one request or quote")
    tab.fill(cell("quantity"), "3 แผ่น")
    assert value(tab, cell("quantity")) == "3"
    tab.fill(cell("sheets"), "1")
    see(tab, ".sum", "2,700.00 baht")
    assert tab.count(".fault") == 0
    tab.click(SAVE)
    see(tab, "h1", "QUO-")
    (made,) = admin.get("/api/quotes").data
    assert (made["amount"], made["panes"][0]["quantity"]) == (2700, 3)

    # what a draft was made with stays, also while it is changed
    see(tab, ".sum", "2,700.00 baht")
    assert value(tab, cell("sheets")) == "1"
    admin.put(
        "/api/pricing-settings",
        {"glassPrices": {"Clear": {"6mm": {"pricePerSqFt": 200}}}},
    )
    tab.fill("#field-discountPercent", "20")
    see(tab, ".sum", "2,400.00 baht")
    tab.fill(cell("unitPrice"), "700")
    see(tab, ".sum", "Discount 20 % −420.00 baht")
    see(tab, ".sum strong", "1,797.60 baht")  # what the customer pays
    see(tab, "#field-panes .agreed-note", "1,680.00 after 20 % discount")
    tab.click("#field-isRush")
    see(tab, "#field-panes .agreed-note", "2,016.00 after surcharge and discount")
    tab.click("#field-isRush")
    see(tab, "#field-panes .agreed-note", "1,680.00 after 20 % discount")
    # on a phone the pane is below all rows
    tab.size(390, 844)
    tab.click("button:has-text('Pane of row 1')")
    wait_until(lambda: tab.count("#pane-editor:focus") == 1)
    tab.click(".pane-editor button:has-text('Row 1')")
    wait_until(lambda: tab.attribute(":focus", "data-row") == "0")
    tab.size(1280, 800)
    # what is not saved is not sent in silence
    tab.click(head("Mark as sent"))
    see(tab, "dialog", "not saved")
    see(tab, "dialog", "name or address is missing: the paper says “glassflow”")
    shop = {"name": "Ruam Glass", "address": "99/1 Bangkok"}
    assert admin.put("/api/workshop", shop).status == 200
    tab.press("Escape")
    tab.click(SAVE)
    see(tab, ".card .form-buttons [role=status]", "Saved")
    assert value(tab, cell("unitPrice")) == "700"
    assert admin.get("/api/quotes").data[0]["amount"] == 1680

    tab.click(head("Mark as sent"))
    see(tab, "dialog", "3 panes, 1,797.60 baht with VAT")
    wait_until(lambda: "the paper says" not in tab.text("dialog"))
    tab.click(DIALOG)
    see(tab, ".head .status", "Awaiting answer")
    # the next thing to do
    assert tab.texts(".head .main-button") == ["Link for the customer"]
    tab.wait(".quote-lines")
    assert tab.texts(".quote-lines tfoot td") == [
        "2,100.00", "−420.00", "1,680.00", "117.60", "1,797.60",
    ]  # fmt: skip
    assert tab.attribute("#field-project", "readonly") is not None
    assert tab.count(SAVE) == tab.count(head("Delete")) == 0

    tab.click(head("Customer accepted"))
    tab.fill("#ask-referenceId", "PO-7")
    tab.click(DIALOG)
    see(tab, "h1", "REQ-")
    (accepted,) = admin.get("/api/quotes", populate="request").data
    assert accepted["status"] == "accepted"
    assert accepted["request"]["requestNumber"] == tab.text("h1")
    (request,) = admin.get("/api/requests").data
    assert (request["referenceId"], request["details"]["type"]) == ("PO-7", "Lobby")
    assert len(admin.get("/api/panes").data) == 3

    chromium.call("requests")
    follow(tab, "office/quotes")
    see(tab, ".quote-figures", "100 %")
    see(tab, ".table-row", "Aek Lobby 1,680.00 baht")
    see(tab, ".table-row .status", "Accepted")
    # without their panes and prices
    asked = [one for _, one in chromium.call("requests") if "quotes?" in one]
    # the page of the request has asked for its confirmations
    reads = [one for one in asked if "request=" not in one]
    assert reads
    assert all("&fields=quoteNumber%2C" in one for one in reads)
    assert unexpected(chromium) == []


def test_what_cannot_be_made_needs_a_reason_and_a_revision_replaces_the_quote(
    open_office, chromium, admin, workshop
):
    admin.put("/api/pricing-settings", {"isExample": True})
    large = {**PANE, "dimensions": {"width": 3000, "height": 5000}}
    body = {"customer": str(workshop.customer(name="Aek").pk), "panes": [PANE, large]}
    made = admin.post("/api/quotes", body).data
    tab = open_office(admin.worker, f"quotes/{made['_id']}")
    tab.click(head("Mark as sent"))
    see(tab, "dialog", "Made with example prices")
    tab.click(DIALOG)
    see(tab, "dialog [role=alert]", "Cannot be made: 2")
    tab.fill("#ask-overrideReason", "The supplier cuts it")
    tab.click(DIALOG)
    see(tab, ".facts-card", "The supplier cuts it")
    see(tab, ".quote-lines .findings", "Cannot be made")

    tab.click(head("Revise"))
    tab.click(DIALOG)
    see(tab, "h1", f"{made['quoteNumber']}-R2")
    see(tab, ".facts-card", made["quoteNumber"])
    see(tab, ".head .status", "Draft")
    tab.click(head("Mark as sent"))
    tab.fill("#ask-overrideReason", "The supplier cuts it")
    tab.click(DIALOG)
    see(tab, ".head .status", "Awaiting answer")
    tab.click(f".facts-card a:has-text('{made['quoteNumber']}')")
    see(tab, ".head .status", "Revised")
    assert tab.count(head("Customer accepted")) == 0

    # the list has the newest revision, and the others when they are looked for
    follow(tab, "office/quotes")
    see(tab, ".table-row", f"{made['quoteNumber']}-R2")
    assert tab.count(".table-row") == 1
    tab.select("#filter-status", "superseded")
    see(tab, ".table-row .status", "Revised")
    follow(tab, f"office/quotes?search={made['quoteNumber']}")
    wait_until(lambda: tab.count(".table-row") == 2)
    follow(tab, f"office/quotes/{made['_id']}")

    tab.click(".head a:has-text('Copy')")
    see(tab, "h1", "New quote")
    tab.wait(cell("width", 1))
    assert value(tab, cell("width", 1)) == "3000"
    tab.click(SAVE)
    see(tab, "h1", "QUO-")
    # somebody else rejects what this page shows: it follows
    other = admin.get("/api/quotes", limit=1).data[0]
    see(tab, "h1", other["quoteNumber"])
    path = f"/api/quotes/{other['_id']}"
    admin.post(f"{path}/send", {"overrideReason": "again"})
    see(tab, ".head .status", "Awaiting answer")
    admin.post(f"{path}/reject", {"reason": "too dear"})
    see(tab, ".facts-card", "too dear")
    wait_until(lambda: tab.count(head("Customer declined")) == 0)

    follow(tab, "office/quotes/new")
    tab.wait(cell("width"))
    assert tab.count(".opened-draft") == 0
    choose(tab, "#field-customer", "Aek")
    tab.fill("#field-project", "Lobby")
    tab.fill(cell("glassType"), "Unknown")
    tab.fill(cell("width"), "300")
    tab.click("button:has-text('Add a hole')")
    tab.fill(cell("height"), "400")
    see(tab, "#field-panes td.drawn", "a hole or a notch needs its size")
    assert "baht" not in tab.text(".sum")
    tab.click(SAVE)
    see(tab, ".fault", "Row 1 · Hole 1 · Diameter: This field must not be empty.")
    follow(tab, "office/quotes")
    follow(tab, "office/quotes/new")
    see(tab, ".opened-draft", "· Aek · 1 row")
    wait_until(lambda: value(tab, cell("width")) == "300")
    tab.click(".opened-draft button:has-text('Start empty')")
    wait_until(lambda: value(tab, cell("width")) == "")
    assert value(tab, "#field-customer") == value(tab, "#field-project") == ""
    assert tab.count(".opened-draft") == 0
    tab.reload()
    tab.wait(cell("width"))
    assert tab.count(".opened-draft") == 0

    gone = workshop.station()
    stuck = {**body, "panes": [PANE, {**PANE, "routing": [str(gone.pk)]}]}
    stuck["deadline"] = "2026-01-05T00:00:00Z"
    stuck = admin.post("/api/quotes", stuck).data
    assert admin.delete(f"/api/stations/{gone.pk}").status == 200
    follow(tab, f"office/quotes/{stuck['_id']}")
    see(tab, "h1", stuck["quoteNumber"])
    tab.click(head("Mark as sent"))
    see(tab, "dialog", "The deadline is over already")
    tab.click(DIALOG)
    see(tab, "dialog [role=alert]", "Row 2 · Route: Station (routing) not found")
    assert unexpected(chromium) == []
