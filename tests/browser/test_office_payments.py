"""Payments in the office: recorded from a job or a customer, corrected, and made void."""

import pytest

from billing_scenarios import PRICES, bill, deliver, entry_of, finished
from browser.pages import follow, see, texts, unexpected, value
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

RECORD = '.standing a:has-text("Record a payment")'
SAVE = ".card .form-buttons .main-button"
FACTS, BALANCE = ".facts-card", ".balance"
ROW, UNPAID = ".payments .table-row", ".unpaid .table-row"


@pytest.fixture
def job(admin, workshop):
    """Three finished panes of Aek, agreed at 1,000 baht each."""
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    customer = str(workshop.customer(name="Aek").pk)
    return finished(admin, workshop, agreed=3000, customer=customer)


def pays(tab, figure):
    """Wait until the last step of the job has a figure."""
    wait_until(
        lambda: texts(tab, ".standing .step-figure")[-1:] == [figure],
        describe=lambda: texts(tab, ".standing"),
    )


def test_deposit_and_invoice_of_a_job_are_paid_and_a_mistake_is_made_void(
    open_office, chromium, admin, workshop, job
):
    page, customer = f"office/requests/{job.request['_id']}", job.customer
    tab = open_office(admin.worker, f"requests/{job.request['_id']}")
    pays(tab, "0 of 3,210 baht")
    tab.click(RECORD)
    tab.wait("#field-amount")
    assert value(tab, "#field-amount") == "3210"
    assert value(tab, "#field-purpose") == "request"
    wait_until(lambda: value(tab, "#field-customer") == "Aek")
    tab.fill("#field-amount", "0")
    tab.click(SAVE)
    see(tab, ".field-fault", "not 0")
    tab.fill("#field-amount", "1000")
    tab.select("#field-way", "cash")
    tab.click(SAVE)
    see(tab, "h1", "PAY-")
    see(tab, FACTS, f"Request {job.request['requestNumber']}")
    number = tab.text("h1")

    # recorded again by mistake: the page says so, and makes it void
    follow(tab, page)
    pays(tab, "1,000 of 3,210 baht")
    tab.click(RECORD)
    tab.wait("#field-amount")
    tab.fill("#field-amount", "1000")
    tab.click(SAVE)
    see(tab, "main [role=status]", f"{number}: also 1,000.00 baht of this customer")
    tab.click('.head button:has-text("Make void")')
    tab.click("dialog .danger")
    see(tab, "dialog .field-fault", "required")
    tab.fill("#ask-reason", "Recorded twice")
    tab.click("dialog .danger")
    see(tab, ".head .status", "Void")
    see(tab, "h1 s", "PAY-")
    see(tab, FACTS, "Recorded twice")
    assert tab.attribute("#field-amount", "readonly") is not None

    entry = entry_of(admin, deliver(admin, job, 0, 1))
    assert bill(admin, entry, invoice="INV-7").status == 200
    follow(tab, f"office/billing/{entry['_id']}")
    pays(tab, "1,000 of 3,210 baht")
    see(tab, ".quote-facts", "1,000.00 of 2,140.00 baht")
    tab.click(RECORD)
    tab.wait(".unpaid-invoices button")
    assert value(tab, "#field-invoiceNumber") == "INV-7"
    assert value(tab, "#field-amount") == "1140"
    tab.fill("#field-amount", "140")
    tab.click(SAVE)
    see(tab, FACTS, "Invoice INV-7")
    # corrected: it was for no invoice
    tab.select("#field-purpose", "account")
    tab.click(SAVE)
    see(tab, FACTS, "On account")

    follow(tab, f"office/customers/{customer}")
    see(tab, BALANCE, "To pay")
    amounts = ["1,000.00 baht", "2,140.00", "1,140.00", "0.00"]
    wait_until(lambda: texts(tab, f"{BALANCE} dd") == amounts)
    see(tab, UNPAID, "INV-7")
    # what another one records is heard
    body = {"customer": customer, "amount": 1500, "way": "cheque"}
    assert admin.post("/api/payments", body).status == 201
    amounts = ["0.00 baht", "2,140.00", "2,640.00", "500.00"]
    wait_until(lambda: texts(tab, f"{BALANCE} dd") == amounts)
    assert tab.count(UNPAID) == 0
    follow(tab, f"office/billing/{entry['_id']}")
    see(tab, ".quote-facts", "The whole invoice")
    follow(tab, f"office/customers/{customer}")
    tab.click(f'{BALANCE} a:has-text("All payments")')
    wait_until(lambda: tab.count(ROW) == 4)
    assert tab.count(f"{ROW} .amount s") == 1
    tab.click('summary:has-text("More filters")')
    tab.select("#filter-status", "void")
    wait_until(lambda: tab.count(ROW) == 1)

    reader = workshop.worker(role=workshop.role(permissions=["pricing:view"]))
    tab = open_office(reader, "payments")
    wait_until(lambda: tab.count(ROW) == 4)
    assert tab.count(".head .new") == 0
    assert all("400" in one for one in unexpected(chromium))


def test_quote_shows_its_deposit_until_it_is_paid(
    open_office, chromium, admin, workshop
):
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    made = order_with_panes(admin, workshop, steps=1)
    pane = {"dimensions": {"width": 500, "height": 500}, "unitPrice": 1000}
    body = {"customer": made.customer, "panes": [pane], "depositPercent": 50}
    quote = admin.post("/api/quotes", body)
    assert quote.status == 201, quote.body
    tab = open_office(admin.worker, f"quotes/{quote.data['_id']}")
    see(tab, ".step-deposit", "deposit 0 of 535 baht")
    tab.click(RECORD)
    tab.wait("#field-amount")
    assert value(tab, "#field-amount") == "535"
    assert value(tab, "#field-purpose") == "quote"
    tab.click(SAVE)
    see(tab, FACTS, "Quote QUO-")
    tab.click(f'{FACTS} a:has-text("QUO-")')
    pays(tab, "535 of 1,070 baht")
    assert tab.count(".step-deposit") == 0
    assert unexpected(chromium) == []
