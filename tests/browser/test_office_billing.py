"""Billing in the office: deliveries are billed with one invoice, taken off it, and exported."""

import pytest

from billing_scenarios import PANE, PRICES, bill, deliver, entry_of, finished
from browser.pages import (
    KEEP_FILES,
    KEPT_FILES,
    exported,
    follow,
    see,
    texts,
    unexpected,
)
from glassflow.core.process import clock
from scenarios import order_with_panes, pass_station
from tables_api import rows_of
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

ROW, FIGURE = ".billing-entries .table-row", ".unbilled .table-row"
ALL, SELECTED = ".billing-entries .table-top input", ".selected"
BILL = f'{SELECTED} button:has-text("Mark as billed")'
CONFIRM = "dialog .main-button"
ACCOUNTS = 'button:has-text("For the accounts")'
SUM, EXPORT = "dialog .accounts-sum", 'dialog button:has-text("Export and record it")'
HISTORY = 'summary:has-text("History of changes")'
AGREED = ".agreed-lines"
ESTIMATE = '[id="field-details.estimatedPrice"]'
SAVE = ".card .form-buttons .main-button"


@pytest.fixture
def delivered(admin, workshop):
    """Two deliveries of Aek of 833.33 and 833.34 baht, and one of Nok of 1,000."""
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    aek, nok = (
        finished(
            admin,
            workshop,
            agreed=agreed,
            customer=str(workshop.customer(name=name).pk),
        )
        for name, agreed in (("Aek", 2500), ("Nok", 3000))
    )
    parts = (aek, 0), (aek, 1), (nok, 0)
    return [entry_of(admin, deliver(admin, job, pane)) for job, pane in parts]


def shows(tab, selector, count):
    wait_until(
        lambda: tab.count(selector) == count, describe=lambda: texts(tab, selector)
    )


def test_deliveries_of_a_customer_are_billed_with_one_invoice_and_taken_off_it(
    open_office, chromium, admin, delivered
):
    mine, theirs, other = delivered
    tab = open_office(admin.worker, "billing")
    see(tab, ".unbilled-figures header", "2,853.34 baht")
    shows(tab, ROW, 3)
    tab.click(ALL)
    see(tab, SELECTED, "An invoice has one customer")
    assert tab.attribute(BILL, "disabled") is not None
    see(tab, FIGURE, "Aek")
    tab.click(f'{FIGURE}:has-text("Aek")')
    shows(tab, ROW, 2)
    assert other["entryNumber"] not in tab.text(".billing-entries")
    tab.click(ALL)
    tab.click(BILL)
    assert texts(tab, "dialog .billed-sums dd") == ["1,666.67", "116.67", "1,783.34"]

    # somebody else bills one of them while the dialog is open
    assert bill(admin, theirs, invoice="INV-9").status == 200
    shows(tab, ROW, 1)
    tab.fill("#ask-invoiceNumber", "INV-1")
    tab.click(CONFIRM)
    see(tab, "dialog [role=alert]", f"{theirs['entryNumber']} is on the invoice INV-9")
    tab.press("Escape")
    tab.click(BILL)
    see(tab, "dialog", "1 left out")
    see(tab, "dialog h3 + .batch-rows", "Billed INV-9")
    tab.click(CONFIRM)
    see(tab, "dialog .field-fault", "required")
    tab.fill("#ask-invoiceNumber", "INV-1")
    tab.click(CONFIRM)
    tab.wait(".empty")
    shows(tab, FIGURE, 1)
    rows = admin.get("/api/billing-entries", sort="entryNumber").data
    assert [one["invoiceNumber"] for one in rows] == ["INV-1", "INV-9", ""]

    follow(tab, f"office/billing/{mine['_id']}")
    see(tab, ".head .status", "Billed")
    see(tab, ".quote-facts", "INV-1")
    see(tab, ".billing-parts a", "REQ-")
    assert tab.attribute("#field-adjustment", "readonly") is not None
    tab.click('.head button:has-text("Take off the invoice")')
    see(tab, "dialog h2", "Take off the invoice INV-1?")
    tab.click("dialog .danger")
    see(tab, ".head .status", "Not billed")
    tab.fill("#field-adjustment", "-33.33")
    tab.click(".card .form-buttons .main-button")
    see(tab, ".billing-parts tfoot", "856.00")  # 800 baht with VAT
    tab.click(HISTORY)
    see(tab, ".changes", "Status from Not billed to Billed")
    # another one bills what this page shows: it follows
    assert bill(admin, mine, invoice="INV-2").status == 200
    see(tab, ".quote-facts", "INV-2")
    assert unexpected(chromium) == []


def test_list_is_exported_with_its_columns_and_saved_exports_lead_to_it(
    open_office, chromium, admin, workshop, delivered
):
    assert bill(admin, delivered[0]).status == 200
    tab = open_office(admin.worker, "billing")
    shows(tab, ROW, 2)
    tab.click(".columns summary")
    tab.click('.columns label:has-text("With VAT") input')
    tab.click('.columns label:has-text("Notes") input')
    first, second = exported(tab)
    assert list(first) == [
        "Number", "Customer", "Date", "Panes", "Panes without a price", "Before VAT",
        "Invoice", "Notes",
    ]  # fmt: skip
    newest, older = first["Before VAT"], second["Before VAT"]
    assert (newest, older) == ("1000.0", "833.34")

    follow(tab, "office/billing?show=billed")
    shows(tab, ROW, 1)
    tab.click(".export")
    tab.click(".save-export summary")
    tab.fill("#export-name", "Billed")
    tab.click(".save-export form button")
    see(tab, ".save-export [role=status]", "Saved")
    tab.click(".save-export a")
    tab.wait(".saved-exports")
    (row,) = rows_of(kept_file(tab, ".saved-exports .main-button"), "xlsx")
    assert (row["Before VAT"], row["Invoice"]) == (833.33, "INV-1")
    tab.click('.saved-exports a:has-text("Billing")')
    shows(tab, ROW, 1)
    assert "show=billed" in tab.address()

    reader = workshop.worker(role=workshop.role(permissions=["pricing:view"]))
    tab = open_office(reader, "billing")
    shows(tab, ROW, 2)
    assert tab.count(".row-check") == 0
    assert unexpected(chromium) == []


def kept_file(tab, button):
    """The file that a button stores on the device."""
    tab.run(KEEP_FILES, None)
    tab.click(button)
    wait_until(lambda: len(tab.run(KEPT_FILES, None)) == 1)
    return bytes(tab.run(KEPT_FILES, None)[0])


def test_agreed_price_is_shared_out_and_cancelled_panes_are_charged_nevertheless(
    open_office, chromium, admin, workshop
):
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    job = order_with_panes(admin, workshop, steps=1, panes=4, pane=PANE)
    page, reason = f"office/requests/{job.request['_id']}", "Cut already"
    tab = open_office(admin.worker, f"requests/{job.request['_id']}")
    tab.wait(".panes .table-row .price")
    assert texts(tab, ".panes .table-row .price") == ["–"] * 4
    assert tab.count(AGREED) == 0
    tab.fill(ESTIMATE, "2500")
    tab.click(SAVE)
    see(tab, ".said", "2,500.00 baht are shared out among 4 panes")
    adds_up(tab, ["2,500.00"], "2,500.00")
    wait_until(lambda: texts(tab, ".panes .table-row .price") == ["625.00"] * 4)

    # what is delivered is charged, which the page hears of
    pass_station(admin, job.numbers[0], job.stations[0])
    delivered = entry_of(admin, deliver(admin, job, 0))
    adds_up(tab, ["625.00", "1,875.00"], "2,500.00")
    assert tab.text(f"{AGREED} a") == delivered["entryNumber"]

    follow(tab, f"office/panes?request={job.request['_id']}&status=pending")
    shows(tab, ".panes .table-row", 3)
    for number in job.numbers[1:3]:
        tab.click(f'[aria-label="Select {number}"]')
    tab.click('.selected button:has-text("Cancel panes")')
    see(
        tab,
        "dialog .soft",
        "1,250.00 baht that were agreed for these panes are then not",
    )
    tab.fill("dialog input[type=text]", reason)
    tab.click("dialog .check input")
    see(tab, "dialog .soft", "are charged, with this reason")
    tab.click("dialog .danger")
    see(tab, "dialog", "Charged with")
    lost = tab.attribute("dialog p a", "href").rpartition("/")[2]
    tab.press("Escape")

    follow(tab, page)
    adds_up(tab, ["625.00", "1,250.00", "625.00"], "2,500.00")
    see(tab, AGREED, f"Reason: {reason}")
    follow(tab, f"office/billing/{lost}")
    see(tab, ".quote-facts", reason)
    see(tab, ".quote-facts dt", "Charged")
    wait_until(lambda: tab.count(".charged-panes li") == 2)
    assert texts(tab, ".charged-panes a") == job.numbers[1:3]
    assert texts(tab, ".charged-panes .amount") == ["625.00", "625.00"]
    tab.click('.head button:has-text("Take the charge back")')
    tab.click("dialog .danger")
    see(tab, ".head .status", "Void")
    see(tab, ".office", "nothing is charged")

    follow(tab, page)
    adds_up(tab, ["625.00", "625.00"], "1,250.00")
    see(
        tab, ".agreed-lost", "2 cancelled or lost panes: 1,250.00 baht are not charged."
    )
    tab.click('.agreed-lost button:has-text("Charge nevertheless")')
    tab.click(CONFIRM)
    see(tab, "dialog .field-fault", "required")
    tab.fill("#ask-reason", "They had been made")
    tab.click(CONFIRM)
    adds_up(tab, ["625.00", "1,250.00", "625.00"], "2,500.00")
    assert tab.count(".agreed-lost") == 0
    follow(tab, "office/billing")
    tab.click(".columns summary")
    tab.click('.columns label:has-text("Delivery") input')
    see(tab, ".billing-entries .delivery", "They had been made")

    # what would go with the last pane is said before it is cancelled
    follow(tab, page)
    tab.click('.request-now button:has-text("Cancel the work")')
    see(tab, "dialog .consequences", "not charged: 625.00 baht")
    tab.press("Escape")
    follow(tab, f"office/panes/{job.numbers[3]}")
    see(tab, ".passport dl", "625.00 baht")
    tab.click('button:has-text("Correct")')
    tab.select("#field-currentStatus", "cancelled")
    see(tab, "dialog", "Its agreed price, 625.00 baht, is then not charged")
    assert unexpected(chromium) == []


def test_scratched_pane_is_credited_and_its_job_says_where_it_stands(
    open_office, chromium, admin, workshop, delivered
):
    mine, _, other = delivered
    assert bill(admin, mine).status == 200
    tab = open_office(admin.worker, f"billing/{mine['_id']}")
    steps = [
        "3 panes", "3 of 3", "2 of 3", "891.66 of 2,674.99 baht", "0 of 2,674.99 baht"
    ]  # fmt: skip
    stands(tab, *steps)
    assert tab.text('.standing [aria-current="page"]') == mine["entryNumber"]
    tab.click('.head button:has-text("Credit")')
    see(tab, "dialog h2", f"Credit a part of {mine['entryNumber']}")
    tab.click(".credit-pane input")
    assert texts(tab, "dialog .billed-sums dd") == ["833.33", "58.33", "891.66"]
    tab.fill(".credit-net", "900")
    tab.click(CONFIRM)
    see(tab, "dialog .field-fault", "required")
    tab.fill("#credit-reason", "Scratched, kept for less")
    tab.click(CONFIRM)
    see(tab, "dialog .credit-rows .field-fault", "At most 833.33 baht are left")
    tab.fill(".credit-net", "133.33")
    assert texts(tab, "dialog .billed-sums dd") == ["133.33", "9.33", "142.66"]
    tab.click(CONFIRM)
    see(tab, ".credits", "Scratched, kept for less")
    see(tab, ".credits tfoot", "700.00")
    stands(tab, *steps[:3], "891.66 of 2,532.33 baht", "0 of 2,532.33 baht")

    tab.click(".credits a")
    see(tab, ".quote-facts", f"Credit of {mine['entryNumber']}")
    see(tab, ".charged-panes", "−133.33")
    # an invoice of somebody else
    assert bill(admin, other, invoice="INV-N").status == 200
    tab.click('.head button:has-text("Mark as billed")')
    tab.fill("#ask-invoiceNumber", "INV-N")
    tab.click(CONFIRM)
    see(
        tab,
        "dialog .field-fault",
        f"INV-N is the invoice of Nok: {other['entryNumber']}",
    )
    tab.press("Escape")
    tab.click('.head button:has-text("Take the credit back")')
    see(tab, "dialog", "The customer owes these 133.33 baht")
    tab.click("dialog .danger")
    see(tab, ".head .status", "Void")
    follow(tab, f"office/billing/{mine['_id']}")
    stands(tab, *steps)
    wait_until(lambda: tab.count(".credits") == 0)  # the page shows what it kept first
    assert all("400" in one or "409" in one for one in unexpected(chromium))


def stands(tab, *figures):
    """Wait until the steps of the job have these figures."""
    wait_until(
        lambda: texts(tab, ".standing .step-figure") == list(figures),
        describe=lambda: texts(tab, ".standing"),
    )


def adds_up(tab, amounts, total):
    """Wait until the card of the agreed price has these rows above its total."""
    wanted = [*amounts, total]
    wait_until(
        lambda: texts(tab, f"{AGREED} td") == wanted,
        describe=lambda: texts(tab, AGREED),
    )


def test_what_is_not_billed_is_folded_on_the_screen_and_whole_on_paper(
    open_office, chromium, admin, workshop
):
    for number in range(1, 6):
        last = workshop.make(
            "BillingEntry",
            entry_number=f"BIL-{number}",
            customer=workshop.customer(name=f"Customer {number}").pk,
            delivered_at=clock.now(),
            net=100 * number,
        )
    tab = open_office(admin.worker, "billing")
    see(tab, ".unbilled-figures header", "1,500.00 baht")
    shown = ".unbilled .table-row:visible .customer"
    names = [f"Customer {number}" for number in (5, 4, 3, 2, 1)]  # by amount
    assert texts(tab, shown) == names[:3]
    tab.media("print")
    assert texts(tab, shown) == names
    tab.media("screen")
    tab.click('button:has-text("Show all 5")')
    assert texts(tab, shown) == names

    # on a phone the list comes first
    tab.size(390, 844)
    tab.click('button:has-text("Show fewer")')
    assert texts(tab, shown) == []
    top = "return document.querySelector(given).getBoundingClientRect().top + scrollY"
    assert tab.run(top, ROW) < 844
    assert tab.count(".find:visible") == tab.count(".export:visible") == 0
    tab.click('button:text-is("Filters")')
    tab.wait(".list-filters .export:visible")
    tab.click('button:has-text("Show all 5")')
    assert texts(tab, shown) == names

    # it charges no pane
    follow(tab, f"office/billing/{last.pk}")
    tab.click('.head button:has-text("Take the charge back")')
    see(tab, "dialog", "The customer no longer owes these 500.00 baht before VAT.")


def test_billing_is_exported_for_the_accounts_and_what_changes_is_said(
    open_office, chromium, admin, workshop, delivered
):
    mine, theirs, _ = delivered
    assert bill(admin, theirs, invoice="INV-9").status == 200
    tab = open_office(admin.worker, "billing?show=all")
    tab.click(ACCOUNTS)
    see(tab, SUM, "3 entries · 2,666.67 baht before VAT")
    tab.select("#accounts-which", "invoice")
    see(tab, SUM, "Enter the days or the invoice first")
    assert tab.attribute(EXPORT, "disabled") is not None
    tab.fill("#accounts-invoiceNumber", "INV-8")
    see(tab, SUM, "nothing to export")
    tab.fill("#accounts-invoiceNumber", "INV-9")
    see(tab, SUM, "1 entry · 833.34 baht")
    tab.select("#accounts-rows", "panes")
    (row,) = rows_of(kept_file(tab, 'dialog button:has-text("See the file")'), "xlsx")
    assert (row["Invoice number"], row["Before VAT"]) == ("INV-9", 833.34)
    assert row["Pane"].startswith("PNE-")

    tab.click(ACCOUNTS)
    see(tab, SUM, "3 entries")  # nothing was noted
    tab.select("#accounts-language", "th")
    rows = rows_of(kept_file(tab, EXPORT), "xlsx")
    assert [one["ยอดก่อน VAT"] for one in rows] == [833.34, 833.33, 1000]
    wait_until(lambda: tab.count("dialog") == 0)
    tab.click(ACCOUNTS)
    see(tab, SUM, "nothing to export")
    tab.press("Escape")

    change = {"adjustment": -33.33}
    assert admin.patch(f"/api/billing-entries/{mine['_id']}", change).status == 200
    tab.click(".columns summary")
    tab.click('.columns label:has-text("Exported") input')
    wait_until(lambda: tab.count(".billing-entries .exported .unpriced") == 1)
    follow(tab, "office/billing?show=all&exportState=changed")
    shows(tab, ROW, 1)
    tab.click(ACCOUNTS)
    see(tab, SUM, "1 entry · 800.00 baht before VAT · 1 changed")
    tab.press("Escape")
    follow(tab, f"office/billing/{mine['_id']}")
    see(tab, ".quote-facts", "Exported for the accounts")
    see(tab, ".quote-facts", "Changed since")
    tab.click(HISTORY)
    see(tab, ".changes", "Exported for the accounts from empty to")

    reader = workshop.worker(role=workshop.role(permissions=["pricing:view"]))
    tab = open_office(reader, "billing")
    tab.click(ACCOUNTS)
    see(tab, SUM, "1 entry")
    assert tab.count(EXPORT) == 0
    assert unexpected(chromium) == []
