"""Sales by customer and month, and where a customer stands."""

from datetime import timedelta

import pytest

from billing_scenarios import PRICES, bill, deliver, entry_of, finished, month_of
from glassflow.core.process import clock
from glassflow.models.billing_entry import BillingEntry
from scenarios import order_with_panes


@pytest.fixture(autouse=True)
def _prices(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200


def test_sales_add_up_deliveries_and_remakes_by_customer_and_month(
    admin, workshop, client_with_keys
):
    job, other = (finished(admin, workshop, agreed=3000) for _ in range(2))
    first = deliver(admin, job, 0)
    deliver(admin, job, 1)
    bill(admin, entry_of(admin, first))
    undone = deliver(admin, other, 0)
    admin.post(f"/api/deliveries/{undone['_id']}/undo", {})
    failed = finished(admin, workshop, panes=1, customer=job.customer)
    _claim_and_remake(admin, failed)
    found = admin.get("/api/sales").data
    [row] = found["rows"]
    assert row["customer"] == job.customer
    assert row["month"] == month_of(first)
    assert (row["deliveries"], row["panes"], row["net"]) == (2, 2, "2000.00")
    assert (row["remakes"], row["remakeCost"]) == (1, "1000.00")
    assert found["total"]["net"] == "2000.00"
    assert admin.get("/api/sales", customer=other.customer).data["rows"] == []
    unnamed = client_with_keys("pricing:view").get("/api/sales").data
    assert unnamed["rows"][0]["customerName"] is None
    assert admin.get("/api/sales", months="7").status == 400


def _claim_and_remake(admin, job):
    claim = admin.post(
        "/api/claims/from-pane",
        {
            "paneNumber": job.numbers[0],
            "source": "customer",
            "description": "รอย",
            "reportedBy": admin.id,
        },
    ).data
    decided = admin.patch(f"/api/claims/{claim['_id']}", {"status": "approved"})
    assert decided.status == 200


def test_sales_begin_with_the_month(admin, workshop):
    job = finished(admin, workshop, agreed=3000)
    entry = entry_of(admin, deliver(admin, job, 0))
    earlier = clock.now() - timedelta(days=70)
    BillingEntry.objects(pk=entry["_id"]).update(set__delivered_at=earlier)
    assert admin.get("/api/sales", months="1").data["rows"] == []
    [row] = admin.get("/api/sales", months="12").data["rows"]
    assert row["month"] < month_of(entry)


def test_account_shows_where_a_customer_stands(admin, workshop, client_with_keys):
    job = finished(admin, workshop, agreed=3000)
    admin.patch(f"/api/customers/{job.customer}", {"discount": 5})
    open_order = order_with_panes(admin, workshop, customer=job.customer)
    deliver(admin, job, 0)
    rest = {"customer": job.customer, "panes": [job.panes[1]["_id"]]}
    admin.post("/api/deliveries", rest)
    offer = {"panes": [{"unitPrice": 500}], "customer": job.customer}
    quote = admin.post("/api/quotes", offer).data
    assert admin.post(f"/api/quotes/{quote['_id']}/send", {}).status == 200
    path = f"/api/customers/{job.customer}/account"
    found = admin.get(path).data
    assert found["quotes"] == {"count": 1, "amount": "475.00"}
    assert found["orders"] == {
        "count": 1, "paneCount": len(open_order.panes), "panesCompleted": 0,
        "panesDelivered": 0,
    }  # fmt: skip
    assert (found["deliveries"]["count"], found["deliveries"]["panes"]) == (1, 1)
    assert found["unbilled"] == {
        "count": 1, "net": "1000.00", "vat": "70.00", "gross": "1070.00",
    }  # fmt: skip
    assert found["claims"] == {"pending": 0, "approved": 0, "count": 0}
    assert found["prices"]["discount"] == 5
    seen = client_with_keys("customers:view").get(path).data
    assert set(seen.values()) == {None}
