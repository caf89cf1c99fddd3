"""Credits: what a customer need not pay of a billed entry, on the next invoice."""

from functools import partial

import pytest

from billing_scenarios import (
    PATH,
    PRICES,
    bill,
    deliver,
    entry_of,
    finished,
)
from concurrency import run_concurrently
from glassflow.models.billing_entry import BillingEntry


@pytest.fixture
def api(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    return admin


@pytest.fixture
def job(api, workshop):
    return finished(api, workshop, agreed=3000)


@pytest.fixture
def billed(api, job):
    """An entry of two panes of 1,000 baht each, on the invoice INV-1."""
    entry = entry_of(api, deliver(api, job, 0, 1))
    return bill(api, entry).data[0]


def credit(api, entry, *panes, reason="รอยขีดข่วน", **values):
    rows = [{"pane": pane, "net": net} for pane, net in panes]
    body = {"panes": rows, "reason": reason, **values}
    return api.post(f"{PATH}/{entry['_id']}/credit", body)


def agreed(api, job):
    request = api.get(f"/api/requests/{job.request['_id']}").data
    return request["details"]["estimatedPrice"]


def test_a_scratched_pane_costs_less_on_the_next_invoice_and_so_does_its_request(
    api, job, billed
):
    scratched = job.panes[0]["_id"]
    done = credit(api, billed, (scratched, 250.505), amount=10)
    assert done.status == 201, done.body
    made = done.data
    assert made["creditOf"] == billed["_id"]
    assert made["customer"] == billed["customer"]
    assert (made["status"], made["reason"]) == ("open", "รอยขีดข่วน")
    assert (made["net"], made["vat"], made["gross"]) == (-260.51, -18.24, -278.75)
    assert (made["paneCount"], made["adjustment"]) == (0, 0)
    [part] = made["parts"]
    assert (part["request"], part["net"]) == (job.request["_id"], -260.51)
    assert part["panes"] == [{"pane": scratched, "net": -250.51}]
    assert agreed(api, job) == 2739.49

    rest = entry_of(api, deliver(api, job, 2))
    billed_now = bill(api, rest, made, invoice="INV-2").data
    assert {one["net"] for one in billed_now} == {1000, -260.51}
    listed = api.get(PATH, creditOf=billed["_id"], populate="creditOf").data
    assert [one["creditOf"]["entryNumber"] for one in listed] == [billed["entryNumber"]]


def test_no_more_is_credited_than_is_left_of_a_pane_and_of_the_entry(api, job, billed):
    first, second, other = (one["_id"] for one in job.panes)
    assert credit(api, billed, (first, 400)).status == 201
    for panes, values, field in (
        ([(first, 600.01)], {}, "panes.0.net"),
        ([(first, 1), (first, 1)], {}, "panes.1.net"),
        ([(second, 1), (other, 1)], {}, "panes.1.pane"),
        ([(second, 1000)], {"amount": 600.01}, "amount"),
        ([], {}, "amount"),
        ([], {"amount": 0}, "amount"),
        ([], {"amount": -1}, "amount"),
        ([(second, 1)], {"reason": ""}, "reason"),
    ):
        refused = credit(api, billed, *panes, **values)
        assert refused.status == 400, (panes, values)
        assert list(refused.faults) == [field]
    assert credit(api, billed, (first, 600), (second, 1000)).status == 201
    assert agreed(api, job) == 1000


def test_a_credit_is_taken_back_until_it_is_on_an_invoice(api, job, billed):
    made = credit(api, billed, (job.panes[0]["_id"], 400)).data
    unbilled = api.post(f"{PATH}/unbill", {"ids": [billed["_id"]]})
    assert (unbilled.status, unbilled.errors["code"]) == (409, "ENTRY_CREDITED")
    assert unbilled.errors["credits"] == [made["entryNumber"]]
    bill(api, made, invoice="INV-2")
    refused = api.post(f"{PATH}/{made['_id']}/void")
    assert (refused.status, refused.errors["code"]) == (409, "ALREADY_BILLED")
    api.post(f"{PATH}/unbill", {"ids": [made["_id"]]})
    assert api.post(f"{PATH}/{made['_id']}/void").data["net"] == 0
    assert agreed(api, job) == 3000
    assert api.post(f"{PATH}/unbill", {"ids": [billed["_id"]]}).status == 200


def test_only_what_is_on_an_invoice_is_credited_and_no_credit(api, job, billed):
    made = credit(api, billed, amount=1).data
    open_one = entry_of(api, deliver(api, job, 2))
    for entry, code in (
        (open_one, "NOT_BILLED"),
        (made, "CREDIT_OF_CREDIT"),
    ):
        refused = credit(api, entry, amount=1)
        assert (refused.status, refused.errors["code"]) == (409, code)


def test_two_credits_at_once_do_not_give_more_than_the_entry(api, job, billed):
    answers = run_concurrently([partial(credit, api, billed, amount=1500)] * 3)
    assert sorted(one.status for one in answers) == [201, 400, 400]
    assert BillingEntry.collection().count_documents({"net": {"$lt": 0}}) == 1


def test_an_invoice_number_belongs_to_one_customer(api, workshop, billed):
    other = entry_of(api, deliver(api, finished(api, workshop), 0))
    refused = bill(api, other)
    assert (refused.status, refused.errors["code"]) == (
        409,
        "INVOICE_OF_OTHER_CUSTOMER",
    )
    assert refused.errors["customer"] == billed["customer"]
    assert refused.errors["entries"] == [billed["entryNumber"]]
    api.post(f"{PATH}/unbill", {"ids": [billed["_id"]]})
    assert bill(api, other).status == 200


def test_of_two_customers_one_gets_an_invoice_number_that_both_are_given(api, workshop):
    entries = [
        entry_of(api, deliver(api, finished(api, workshop), 0)) for _ in range(2)
    ]
    answers = run_concurrently([partial(bill, api, one) for one in entries])
    assert sorted(one.status for one in answers) == [200, 409]
