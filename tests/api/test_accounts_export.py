"""The export of billing for the accounts: what it has, and what it notes on the entries."""

from datetime import date, datetime, timedelta
from functools import partial

import pytest

from billing_scenarios import PATH, PRICES, bill, deliver, entry_of, finished
from concurrency import run_concurrently
from glassflow.core.process import clock
from glassflow.services import accounts_export
from tables_api import rows_of

ACCOUNTS = f"{PATH}/accounts"
BUYER = {
    "name": "=บริษัท กระจก จำกัด",
    "taxId": "0999990000010",
    "branch": "00001",
    "address": "99 ถนนสุขุมวิท",
}


@pytest.fixture(autouse=True)
def _prices(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200


@pytest.fixture
def buyer(workshop):
    return workshop.customer(**{"tax_id": BUYER["taxId"]}, **_but(BUYER, "taxId"))


@pytest.fixture
def job(admin, workshop, buyer):
    """Three finished panes of a request with a PO number, agreed at 2,500 baht."""
    job = finished(admin, workshop, agreed=2500, customer=str(buyer.pk))
    path = f"/api/requests/{job.request['_id']}"
    assert admin.patch(path, {"referenceId": "@PO-7"}).status == 200
    return job


def _but(values, name):
    return {key: value for key, value in values.items() if key != name}


def look(api, format="xlsx", language="en", **choice):
    """The rows of a file that notes nothing."""
    url = f"{api.url}{ACCOUNTS}.{format}"
    answer = api.session.get(url, params={"language": language, **choice}, timeout=60)
    assert answer.status_code == 200, answer.text
    return rows_of(answer.content, format)


def send(api, key=None, **body):
    headers = {"Idempotency-Key": key} if key else {}
    url = f"{api.url}{ACCOUNTS}"
    body = {"language": "en", **body}
    return api.session.post(url, json=body, headers=headers, timeout=60)


def mark(api, format="xlsx", **choice):
    """The rows of a file whose entries are noted as exported."""
    answer = send(api, format=format, **choice)
    assert answer.status_code == 200, answer.text
    return rows_of(answer.content, format)


def figures(api, **choice):
    return api.get(ACCOUNTS, **choice).data


def numbers(rows):
    return [row["Entry"] for row in rows]


def test_row_has_what_a_tax_invoice_needs(admin, job):
    delivered = deliver(admin, job, 0, 1)
    entry = entry_of(admin, delivered)
    change = {"adjustment": -100, "notes": "ลดให้"}
    assert admin.patch(f"{PATH}/{entry['_id']}", change).status == 200
    assert bill(admin, entry, invoice="=INV-1").status == 200
    today = date.fromisoformat(f"{clock.now() + timedelta(hours=7):%Y-%m-%d}")
    first, adjustment = look(admin)
    at_midnight = datetime.combine(today, datetime.min.time())
    assert first == {
        "Invoice number": "=INV-1",
        "Invoice date": at_midnight,
        "Entry": entry["entryNumber"],
        "Kind": "Delivery",
        "Delivered or charged on": at_midnight,
        "Delivery note": delivered["deliveryNumber"],
        "Customer": BUYER["name"],
        "Tax ID": BUYER["taxId"],
        "Branch": "Branch 00001",
        "Address": BUYER["address"],
        "Country": None,
        "Request": job.request["requestNumber"],
        "Order": None,
        "Customer’s PO number": "@PO-7",
        "Panes": 2,
        "Before VAT": 1666.67,
        "VAT %": 7,
        "VAT": 116.67,
        "With VAT": 1783.34,
        "Reason": None,
        "Notes": "ลดให้",
        "Status": "Billed",
        "Exported before": None,
        "Changed since": None,
    }
    billed = admin.get(f"{PATH}/{entry['_id']}").data
    assert (adjustment["Kind"], adjustment["Panes"]) == ("Adjustment", None)
    assert adjustment["Before VAT"] == -100
    assert round(first["VAT"] + adjustment["VAT"], 2) == billed["vat"]

    thai = look(admin, "csv", "th")[0]
    assert thai["เลขที่ใบแจ้งหนี้"] == "'=INV-1"
    assert thai["ชื่อลูกค้า"] == f"'{BUYER['name']}"
    assert thai["เลขที่ใบสั่งซื้อของลูกค้า"] == "'@PO-7"
    assert thai["วันที่ใบแจ้งหนี้"] == today.isoformat()
    assert (thai["ยอดก่อน VAT"], thai["สาขา"]) == ("1666.67", "สาขา 00001")


def test_each_pane_has_a_row_with_its_price(admin, job):
    deliver(admin, job, 0, 1)
    first, second = look(admin, rows="panes")
    assert [one["Pane"] for one in (first, second)] == job.numbers[:2]
    assert (first["Before VAT"], second["Before VAT"]) == (833.33, 833.34)
    assert first["Size (mm)"] == "929.03 × 1000"
    assert first["Glass and work"].endswith("Clear 6 mm")
    assert (first["Panes"], first["Request"]) == (1, job.request["requestNumber"])
    assert round(first["VAT"] + second["VAT"], 2) == 116.67


def test_vat_of_an_invoice_adds_up_over_several_exports(admin, workshop, buyer):
    """Entries of 0.50 baht each have 0.04 baht of VAT, and two of them 0.07 baht."""
    jobs = [
        finished(admin, workshop, agreed=0.5, panes=1, customer=str(buyer.pk))
        for _ in range(3)
    ]
    entries = [entry_of(admin, deliver(admin, one, 0)) for one in jobs]
    assert bill(admin, *entries[:2]).status == 200
    exported = mark(admin)
    assert [row["VAT"] for row in exported] == [0.04, 0.03, 0.04]
    assert bill(admin, entries[2]).status == 200
    assert look(admin) == []  # billed from the export: nothing is new
    whole = look(admin, invoiceNumber="INV-1")
    assert [row["VAT"] for row in whole] == [0.04, 0.03, 0.04]
    assert [row["With VAT"] for row in whole] == [0.54, 0.53, 0.54]


def test_entries_are_exported_once_and_again_where_they_change(admin, job):
    delivered = [deliver(admin, job, one) for one in (0, 1, 2)]
    mine, theirs, undone = (entry_of(admin, one) for one in delivered)
    assert figures(admin) == {"count": 3, "changed": 0, "net": "2500.00"}
    assert bill(admin, theirs).status == 200
    rows = mark(admin)
    # those with an invoice come first
    assert numbers(rows) == [one["entryNumber"] for one in (theirs, mine, undone)]
    assert [row["Exported before"] for row in rows] == [None] * 3
    assert figures(admin)["count"] == 0
    found = admin.get(f"{PATH}/{mine['_id']}").data
    kept = found["exported"]
    assert (kept["net"], kept["by"], kept["invoiceNumber"]) == (833.33, admin.id, "")
    assert found["exportState"] == "exported"

    change = {"adjustment": -33.33}
    assert admin.patch(f"{PATH}/{mine['_id']}", change).status == 200
    assert admin.post(f"{PATH}/unbill", {"ids": [theirs["_id"]]}).status == 200
    path = f"/api/deliveries/{delivered[2]['_id']}"
    assert admin.post(f"{path}/undo", {}).status == 200
    assert figures(admin) == {"count": 3, "changed": 3, "net": "1633.34"}
    rows = {(row["Entry"], row["Kind"]): row for row in mark(admin)}
    changed, adjustment, unbilled, void = (
        rows[one["entryNumber"], kind]
        for one, kind in (
            (mine, "Delivery"),
            (mine, "Adjustment"),
            (theirs, "Delivery"),
            (undone, "Delivery"),
        )
    )
    assert (changed["Before VAT"], adjustment["Before VAT"]) == (833.33, -33.33)
    assert changed["Changed since"] == "833.33 before"
    assert unbilled["Changed since"] == "invoice INV-1 before"
    assert (unbilled["Status"], unbilled["Invoice number"]) == ("Not billed", None)
    assert (void["Before VAT"], void["VAT"], void["Status"]) == (0, 0, "Void")
    assert void["Changed since"] == "833.33 before"
    assert void["Exported before"] is not None
    assert figures(admin)["count"] == 0

    # delivered after all: the entry is used again, and is new for the accounts
    body = {"paneNumbers": job.numbers[2:], "receivedBy": "สมชาย"}
    assert admin.post(f"{path}/hand-over", body).status == 200
    [again] = mark(admin)
    assert (again["Entry"], again["Before VAT"]) == (undone["entryNumber"], 833.33)
    assert again["Changed since"] == "0.00 before"
    assert again["Delivery note"] == f"{delivered[2]['deliveryNumber']}/2"


def test_void_entry_that_was_never_exported_is_left_out(admin, job):
    delivered = deliver(admin, job, 0)
    undo = f"/api/deliveries/{delivered['_id']}/undo"
    assert admin.post(undo, {}).status == 200
    day = f"{clock.now() + timedelta(hours=7):%Y-%m-%d}"
    assert look(admin) == look(admin, **{"from": day, "to": day}) == []


def test_credit_and_charge_without_delivery_are_rows_of_their_kinds(admin, job):
    entry = entry_of(admin, deliver(admin, job, 0))
    assert bill(admin, entry).status == 200
    body = {
        "reason": "รอย",
        "panes": [{"pane": job.panes[0]["_id"], "net": 33.33}],
        "amount": 0.5,
    }
    made = admin.post(f"{PATH}/{entry['_id']}/credit", body)
    assert made.status == 201, made
    lost = job.panes[1]["_id"]
    cancelled = {"currentStatus": "cancelled"}
    assert admin.patch(f"/api/panes/{lost}", cancelled).status == 200
    charge = {"panes": [lost], "reason": "Cut already"}
    assert admin.post(PATH, charge).status == 201
    rows = [row for row in look(admin) if row["Status"] == "Not billed"]
    kinds = {row["Kind"]: row for row in rows}
    credit, charged = (kinds[name] for name in ("Credit", "Charge without delivery"))
    assert (credit["Before VAT"], credit["VAT"]) == (-33.83, made.data["vat"])
    assert (credit["Panes"], credit["Reason"]) == (0, "รอย")
    assert credit["Request"] == job.request["requestNumber"]
    assert (charged["Before VAT"], charged["Delivery note"]) == (833.34, None)
    by_pane = look(admin, rows="panes")
    assert sum(r["Before VAT"] for r in by_pane) == pytest.approx(1632.84)
    credited = [row for row in by_pane if row["Kind"] == "Credit"]
    assert [row["Pane"] for row in credited] == [job.numbers[0], None]
    assert [row["Before VAT"] for row in credited] == [-33.33, -0.5]


def test_days_are_those_of_the_workshop(admin, workshop, buyer):
    """16:59:59 in UTC is 23:59:59 in Bangkok."""
    for number, moment in enumerate(("16:59:59", "17:00:00"), 1):
        at = datetime.fromisoformat(f"2026-03-31T{moment}")
        for state in ("open", "billed"):
            is_billed = state == "billed"
            workshop.make(
                "BillingEntry",
                entry_number=f"BIL-{number}{state}",
                customer=buyer.pk,
                delivered_at=at - timedelta(days=40) if is_billed else at,
                billed_at=at if is_billed else None,
                status=state,
                net=10,
            )
    march = look(admin, **{"from": "2026-03-01", "to": "2026-03-31"})
    assert numbers(march) == ["BIL-1billed", "BIL-1open"]
    assert march[0]["Invoice date"] == datetime(2026, 3, 31)
    april = look(admin, **{"from": "2026-04-01"})
    assert numbers(april) == ["BIL-2billed", "BIL-2open"]
    assert april[1]["Delivered or charged on"] == datetime(2026, 4, 1)
    assert admin.get(ACCOUNTS, **{"from": "2569-04-01"}).status == 400
    assert numbers(look(admin, customer="0" * 24)) == []


def test_customer_is_the_one_that_others_were_merged_into(admin, workshop, job):
    deliver(admin, job, 0)
    kept = workshop.customer(name="Kept", branch="00000")
    merged = admin.post(
        f"/api/customers/{kept.pk}/merge", {"customers": [job.customer]}
    )
    assert merged.status == 200, merged
    [row] = look(admin, customer=str(kept.pk))
    assert (row["Customer"], row["Branch"]) == ("Kept", "Head office")


def test_reader_without_other_keys_gets_no_columns_of_other_records(
    admin, client_with_keys, job
):
    deliver(admin, job, 0)
    clerk = client_with_keys("pricing:view")
    [row] = look(clerk, rows="panes")
    assert row["Before VAT"] == 833.33
    hidden = ("Customer", "Tax ID", "Address", "Request", "Delivery note", "Pane")
    assert not {*hidden} & row.keys()
    assert {"Customer", "Tax ID"} <= look(
        client_with_keys("pricing:view", "customers:view")
    )[0].keys()
    assert send(clerk).status_code == 403  # it changes the entries
    assert figures(clerk)["count"] == 1
    assert client_with_keys("orders:view").get(ACCOUNTS).status == 403


def test_two_exports_at_once_share_the_new_entries(admin, manager, job):
    entries = [entry_of(admin, deliver(admin, job, one)) for one in (0, 1, 2)]
    calls = [partial(mark, one, "csv") for one in (admin, manager)]
    files = run_concurrently(calls)
    found = [number for rows in files for number in numbers(rows)]
    assert sorted(found) == [one["entryNumber"] for one in entries]


def test_export_that_is_sent_again_gets_the_file_again(admin, job):
    deliver(admin, job, 0)
    first, again = (send(admin, key="export-1") for _ in range(2))
    assert again.headers["Idempotency-Replayed"] == "true"
    assert first.content == again.content
    assert again.headers["Content-Disposition"].startswith(
        'attachment; filename="accounts-'
    )
    assert [row["Panes"] for row in rows_of(again.content, "xlsx")] == [1]
    assert mark(admin) == []


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_more_rows_than_the_limit_are_refused_and_noted_nowhere(
    admin, job, setting, monkeypatch, format
):
    deliver(admin, job, 0, 1)
    deliver(admin, job, 2)
    setting(EXPORT_MAX_ROWS=2)
    refused = send(admin, format=format, rows="panes")
    assert (refused.status_code, figures(admin)["count"]) == (400, 2)
    assert refused.json()["errors"][0]["field"] == "limit"
    monkeypatch.setattr(accounts_export, "MOST_MARKED", 1)
    refused = send(admin, format=format)
    assert refused.json()["errors"]["code"] == "TOO_MANY"
    monkeypatch.setattr(accounts_export, "PART_ROWS", 1)
    assert len(look(admin, format)) == 2
