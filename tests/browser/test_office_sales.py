"""Where a customer stands, and what customers were sold; in the office, by a browser."""

import pytest

from billing_scenarios import PRICES, deliver, finished, month_of
from browser.pages import (
    KEEP_FILES,
    KEPT_FILES,
    follow,
    see,
    settles,
    texts,
    unexpected,
)
from tables_api import rows_of
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

TOTAL = ".sales-table tfoot td"
FIGURES = ["Charged deliveries", "Panes", "Before VAT", "Made again", "Cost of remakes"]


def make_again(admin, job):
    """Let a claim of the first pane of a job be approved, which makes a remake."""
    reported = {"source": "customer", "description": "รอย", "reportedBy": admin.id}
    body = {**reported, "paneNumber": job.numbers[0]}
    claim = admin.post("/api/claims/from-pane", body).data
    approved = {"status": "approved"}
    assert admin.patch(f"/api/claims/{claim['_id']}", approved).status == 200


def test_customer_stands_where_deliveries_leave_them_and_sales_add_them_up(
    open_office, chromium, admin, workshop
):
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    tab = open_office(admin.worker, "sales")
    see(tab, ".empty", "Nothing was handed over in this time")
    job = finished(admin, workshop, agreed=3000)
    follow(tab, f"office/customers/{job.customer}")
    see(tab, ".sales", "Nothing was delivered to this customer")
    first = deliver(admin, job, 0)
    undone = deliver(admin, job, 1)
    assert admin.post(f"/api/deliveries/{undone['_id']}/undo", {}).status == 200
    make_again(admin, finished(admin, workshop, panes=1, customer=job.customer))
    settles(lambda: texts(tab, TOTAL), ["1", "1", "1,000.00", "1", "1,000.00"])
    see(tab, ".account", "Not billed yet, with VAT 1,070.00 baht")
    see(tab, ".account", "Claims to decide 0 1 of 1 claim approved so far")
    deliver(admin, job, 2)  # while the page is open
    sums = ["2", "2", "2,000.00", "1", "1,000.00"]
    settles(lambda: texts(tab, TOTAL), sums)
    see(tab, ".account", "2,140.00 baht 2,000.00 before VAT + 140.00 VAT")
    tab.click('.account a[href*="claims"]')
    see(tab, ".table-row", "รอย")

    follow(tab, "office/sales")
    settles(lambda: texts(tab, TOTAL), sums)
    tab.click('.sales button:has-text("Show months")')
    assert len(texts(tab, ".sales-table .part")) == 1
    tab.run(KEEP_FILES, None)
    tab.click(".sales .export")
    wait_until(lambda: len(tab.run(KEPT_FILES, None)) == 1)
    [row] = rows_of(bytes(tab.run(KEPT_FILES, None)[0]))
    customer = admin.get(f"/api/customers/{job.customer}").data["name"]
    assert (row["Customer"], row["Month"]) == (customer, month_of(first))
    assert [row[name] for name in FIGURES] == ["2", "2", "2000", "1", "1000"]
    tab.click(".sales-table a")
    see(tab, "h1", customer)
    assert unexpected(chromium) == []


def test_reader_without_the_key_of_prices_sees_orders_and_claims_only(
    open_office, chromium, admin, workshop
):
    job = finished(admin, workshop)
    role = workshop.role(permissions=["customers:view", "orders:view", "claims:view"])
    reader = workshop.worker(role=role)
    tab = open_office(reader, f"customers/{job.customer}")
    see(tab, ".account", "Open orders")
    assert "0 of 0" not in tab.text(".account")
    shown = ["Open orders", "Planned deliveries", "Claims to decide"]
    assert texts(tab, ".account dt") == shown
    assert tab.count(".sales") == tab.count('.rail a[href$="sales"]') == 0
    follow(tab, "office/sales")
    see(tab, "main [role=alert]", "may not see this")
    assert unexpected(chromium) == []
