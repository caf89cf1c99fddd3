"""Billing: what deliveries are charged, and the invoices that the accounts made for it."""

from functools import partial

import pytest

from billing_scenarios import PATH, PRICES, bill, deliver, entry_of, finished, month_of
from concurrency import run_concurrently
from scenarios import (
    bring_to_lamination,
    claim_pane,
    order_with_units,
    pass_station,
)
from tables_api import exported_rows


@pytest.fixture(autouse=True)
def _prices(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200


@pytest.fixture
def job(admin, workshop):
    """An order of three finished panes of 1,000 baht each, agreed at 2,500 baht."""
    return finished(admin, workshop, agreed=2500)


def code(reply):
    return reply.body["errors"]["code"]


def test_panes_are_charged_their_shares_of_the_agreed_price(admin, job):
    first, rest = (
        entry_of(admin, deliver(admin, job, *panes)) for panes in ([0], [1, 2])
    )
    assert (first["net"], first["vat"], first["gross"]) == (833.33, 58.33, 891.66)
    assert (rest["net"], rest["paneCount"]) == (1666.67, 2)
    assert first["entryNumber"].startswith("BIL-")
    [part] = rest["parts"]
    assert part == {
        "request": job.request["_id"],
        "order": None,
        "net": 1666.67,
        "panes": [
            {"pane": job.panes[1]["_id"], "net": 833.34},
            {"pane": job.panes[2]["_id"], "net": 833.33},
        ],
    }


def test_each_hand_over_of_a_delivery_is_charged_by_itself(admin, job):
    body = {"customer": job.customer, "panes": [one["_id"] for one in job.panes]}
    planned = admin.post("/api/deliveries", body).data
    path = f"/api/deliveries/{planned['_id']}"

    def hand_over(*numbers):
        values = {"paneNumbers": numbers, "receivedBy": "สมชาย"}
        assert admin.post(f"{path}/hand-over", values).status == 200

    def entries():
        found = admin.get(PATH, delivery=planned["_id"], sort="entryNumber").data
        return {one["handOver"]: one for one in found}

    hand_over(job.numbers[0])
    assert bill(admin, entries()[1]).status == 200
    hand_over(*job.numbers[1:])
    assert {one: entry["net"] for one, entry in entries().items()} == {
        1: 833.33,
        2: 1666.67,
    }
    assert admin.post(f"{path}/undo", {"handOver": 2}).status == 200
    assert (entries()[1]["status"], entries()[2]["status"]) == ("billed", "void")
    assert code(admin.post(f"{path}/undo", {"handOver": 1})) == "ALREADY_BILLED"
    hand_over(*job.numbers[1:])  # its entry is used again
    assert {one: entry["net"] for one, entry in entries().items()} == {
        1: 833.33,
        3: 1666.67,
    }


def test_without_an_agreed_price_panes_are_charged_what_they_cost(admin, workshop):
    customer = workshop.customer(discount=10)
    job = finished(admin, workshop, panes=2, customer=str(customer.pk))
    entry = entry_of(admin, deliver(admin, job, 0))
    assert (entry["net"], entry["unpricedPanes"]) == (900, 0)
    admin.put("/api/pricing-settings", {**PRICES, "glassPrices": {}})
    entry = entry_of(admin, deliver(admin, job, 1))
    assert (entry["net"], entry["unpricedPanes"]) == (0, 1)


def test_remake_of_a_delivered_pane_is_free_and_makes_no_entry(admin, job):
    deliver(admin, job, 0, 1, 2)
    claim = admin.post(
        "/api/claims/from-pane",
        {
            "paneNumber": job.numbers[0],
            "source": "customer",
            "description": "รอย",
            "reportedBy": admin.id,
        },
    ).data
    decided = admin.patch(f"/api/claims/{claim['_id']}", {"status": "approved"}).data
    remake = admin.get(f"/api/panes/{decided['remadePane']}").data
    pass_station(admin, remake["paneNumber"], job.stations[0])
    assert remake["agreedPrice"] == 0
    job.panes.append(remake)
    delivered = deliver(admin, job, 3)
    assert admin.get(PATH, delivery=delivered["_id"]).data == []


def test_remake_of_a_laminated_pane_counts_as_delivered(admin, workshop):
    job = order_with_units(admin, workshop, before=0, after=0, count=2)
    details = {"estimatedPrice": 1000}
    admin.patch(f"/api/requests/{job.request['_id']}", {"details": details})
    first, second = (laminated(admin, job, sheets) for sheets in job.sheets)
    job.panes = [first, second]
    assert entry_of(admin, deliver(admin, job, 0))["net"] == 500
    claim = claim_pane(admin, first["paneNumber"]).data
    decided = admin.patch(f"/api/claims/{claim['_id']}", {"status": "approved"}).data
    sheets = admin.get("/api/panes", parentPane=decided["remadePane"]).data
    job.panes.append(laminated(admin, job, [one["paneNumber"] for one in sheets]))
    assert entry_of(admin, deliver(admin, job, 1))["net"] == 500
    assert job.panes[2]["agreedPrice"] == 0


def laminated(api, job, sheets):
    """Laminate a unit of these sheets, and let it pass; return the finished pane."""
    for number in sheets:
        bring_to_lamination(api, number, job)
    station = job.lamination_station
    for action in ("laminate", "scan_out"):
        done = api.scan(sheets[0], action, station=station)
        assert done.status == 200, done.body
    return done.data["pane"]


def test_two_deliveries_of_a_request_at_once_are_charged_its_price_once(admin, job):
    calls = [partial(deliver, admin, job, *panes) for panes in ([0], [1], [2])]
    run_concurrently(calls)
    entries = admin.get(PATH).data
    assert round(sum(one["net"] for one in entries), 2) == 2500


def test_entries_are_billed_once(admin, manager, job):
    entries = [entry_of(admin, deliver(admin, job, one)) for one in (0, 1)]
    replies = run_concurrently(
        [
            partial(bill, admin, *entries, invoice="INV-1"),
            partial(bill, manager, *entries, invoice="INV-2"),
        ]
    )
    assert sorted(one.status for one in replies) == [200, 409]
    [refused] = [one for one in replies if one.status == 409]
    [billed] = [one for one in replies if one.status == 200]
    numbers = {one["invoiceNumber"] for one in billed.data}
    assert code(refused) == "ALREADY_BILLED"
    assert refused.body["errors"]["invoices"] == list(numbers)
    assert {one["status"] for one in admin.get(PATH).data} == {"billed"}
    changed = admin.patch(f"{PATH}/{entries[0]['_id']}", {"adjustment": 5})
    assert (changed.status, code(changed)) == (409, "ALREADY_BILLED")


def test_mistaken_invoice_is_taken_back(admin, job):
    entry = entry_of(admin, deliver(admin, job, 0))
    bill(admin, entry)
    undone = admin.post(f"{PATH}/unbill", {"ids": [entry["_id"]]})
    assert [one["status"] for one in undone.data] == ["open"]
    assert undone.data[0]["invoiceNumber"] == ""
    assert bill(admin, entry, invoice="INV-2").status == 200


def test_invoice_has_entries_of_one_customer(admin, workshop, job):
    other = finished(admin, workshop, panes=1)
    entries = [entry_of(admin, deliver(admin, one, 0)) for one in (job, other)]
    refused = bill(admin, *entries)
    assert (refused.status, code(refused)) == (400, "SEVERAL_CUSTOMERS")
    missing = bill(admin, entries[0], {"_id": "0" * 24})
    assert missing.status == 404
    assert {one["status"] for one in admin.get(PATH).data} == {"open"}


def test_office_adjusts_what_is_not_billed_yet(admin, job):
    entry = entry_of(admin, deliver(admin, job, 0, 1, 2))
    path = f"{PATH}/{entry['_id']}"
    changed = admin.patch(path, {"adjustment": -100.005, "notes": "ค่าขนส่งคืน"}).data
    assert (changed["net"], changed["vat"]) == (2400.0, 168.0)
    assert admin.patch(path, {"adjustment": None}).data["net"] == 2500


def test_undone_hand_over_is_void_and_its_next_one_is_charged(admin, job):
    delivered = deliver(admin, job, 0)
    path = f"/api/deliveries/{delivered['_id']}"
    assert admin.post(f"{path}/undo", {}).status == 200
    entry = entry_of(admin, delivered)
    assert (entry["status"], entry["net"], entry["parts"]) == ("void", 0, [])
    change = partial(admin.patch, f"{PATH}/{entry['_id']}", {"adjustment": 5})
    for refused in (bill(admin, entry), change()):
        assert (refused.status, code(refused)) == (409, "ENTRY_VOID")
    unbilled = admin.post(f"{PATH}/unbill", {"ids": [entry["_id"]]})
    assert [one["status"] for one in unbilled.data] == ["void"]
    body = {"paneNumbers": job.numbers[:1], "receivedBy": "สมชาย"}
    assert admin.post(f"{path}/hand-over", body).status == 200
    entry = entry_of(admin, delivered)
    assert (entry["status"], entry["net"]) == ("open", 833.33)
    bill(admin, entry)
    refused = admin.post(f"{path}/undo", {})
    assert (refused.status, code(refused)) == (409, "ALREADY_BILLED")


def test_figures_add_up_what_is_not_billed_by_customer_and_month(
    admin, workshop, client_with_keys, job
):
    entries = [entry_of(admin, deliver(admin, job, one)) for one in (0, 1, 2)]
    other = finished(admin, workshop, agreed=100, panes=1)
    deliver(admin, other, 0)
    bill(admin, entries[0])
    found = admin.get(f"{PATH}/figures").data
    sums = {one["customer"]: one for one in found["groups"]}
    mine = sums[job.customer]
    assert (mine["count"], mine["net"], mine["vat"]) == (2, "1666.67", "116.67")
    assert mine["month"] == month_of(entries[0])
    assert mine["customerName"]
    assert found["total"] == {
        "count": 3, "net": "1766.67", "vat": "123.67", "gross": "1890.34",
    }  # fmt: skip
    unnamed = client_with_keys("pricing:view").get(f"{PATH}/figures").data
    assert {one["customerName"] for one in unnamed["groups"]} == {None}
    assert client_with_keys("orders:view").get(PATH).status == 403


def test_entries_are_exported_with_chosen_columns(admin, job):
    entry = entry_of(admin, deliver(admin, job, 0))
    columns = ("entryNumber", "net", "vat", "invoiceNumber")
    [row] = exported_rows(admin, "billing-entries", fields=",".join(columns))
    values = [entry["entryNumber"], "833.33", "58.33", ""]
    assert [row[name] for name in columns] == values


def test_price_that_was_raised_after_the_last_delivery_is_charged_by_itself(
    admin, workshop
):
    admin.put("/api/pricing-settings", PRICES)
    job = finished(admin, workshop, agreed=3000)
    deliver(admin, job, 0, 1, 2)
    request = f"/api/requests/{job.request['_id']}"
    body = {"request": job.request["_id"], "reason": "ค่ากระจกขึ้น"}
    early = admin.post(PATH, body)
    assert (early.status, code(early)) == (409, "NOTHING_WAITS")
    admin.patch(request, {"details": {"estimatedPrice": 3500}})
    replies = run_concurrently([partial(admin.post, PATH, body) for _ in range(2)])
    assert sorted(one.status for one in replies) == [201, 409]
    [made] = [one.data for one in replies if one.status == 201]
    assert (made["net"], made["paneCount"], made["parts"][0]["panes"]) == (500, 0, [])
    shown = admin.get(f"{request}/agreed-price").data
    assert (shown["charged"], shown["waiting"]) == ("3500.00", "0.00")
    assert admin.post(f"{PATH}/{made['_id']}/void").status == 200
    shown = admin.get(f"{request}/agreed-price").data
    assert (shown["total"], shown["waiting"]) == ("3500.00", "500.00")
    for wrong in ({}, {"panes": [job.panes[0]["_id"]]}):
        refused = admin.post(PATH, {**body, **wrong} if wrong else {"reason": "a"})
        assert list(refused.faults) == ["panes"]
