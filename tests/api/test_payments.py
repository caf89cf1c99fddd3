"""Payments: deposits, invoices and on account, and where a job and a customer stand."""

from functools import partial

import pytest

from billing_scenarios import (
    PANE,
    PRICES,
    bill,
    deliver,
    entry_of,
    finished,
)
from billing_scenarios import (
    PATH as ENTRIES,
)
from concurrency import run_concurrently

PATH = "/api/payments"


@pytest.fixture
def api(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    return admin


@pytest.fixture
def job(api, workshop):
    """Three finished panes, agreed at 1,000 baht each."""
    return finished(api, workshop, agreed=3000)


def pay(api, customer, amount, **values):
    return api.post(PATH, {"customer": customer, "amount": amount, **values})


def standing(api, **record):
    found = api.get("/api/standing", **record)
    assert found.status == 200, found.body
    return found.data["jobs"]


def money(api, job):
    [found] = standing(api, request=job.request["_id"])
    names = ("gross", "charged", "billed", "paid", "open")
    return [float(found["money"][name]) for name in names]


def balance(api, customer):
    found = api.get(f"/api/customers/{customer}/account").data["balance"]
    names = ("billed", "paid", "open", "inAdvance")
    return [float(found[name]) for name in names], found["invoices"]


def test_a_deposit_and_the_payment_of_the_invoice_settle_a_request(api, job):
    made = pay(api, job.customer, 1000.004, request=job.request["_id"], way="cash")
    assert made.status == 201, made.body
    assert made.data["paymentNumber"].startswith("PAY-")
    assert (made.data["amount"], made.data["status"]) == (1000, "recorded")
    assert made.data["recordedBy"]
    assert money(api, job) == [3210, 0, 0, 1000, 2210]
    first = entry_of(api, deliver(api, job, 0))
    bill(api, first)
    assert money(api, job) == [3210, 1070, 1070, 1000, 2210]
    assert balance(api, job.customer)[0] == [1070, 1000, 70, 0]
    pay(api, job.customer, 70, invoiceNumber="INV-1")
    assert balance(api, job.customer) == ([1070, 1070, 0, 0], [])
    second = entry_of(api, deliver(api, job, 1, 2))
    bill(api, second, invoice="INV-2")
    assert money(api, job) == [3210, 3210, 3210, 1070, 2140]
    [unpaid] = balance(api, job.customer)[1]
    assert (unpaid["invoiceNumber"], unpaid["open"]) == ("INV-2", "2140.00")
    pay(api, job.customer, 2500)  # on account: too much
    assert money(api, job) == [3210, 3210, 3210, 3210, 0]
    assert balance(api, job.customer)[0] == [3210, 3570, 0, 360]
    # a credit is money for the customer too
    body = {"amount": 100, "reason": "ส่งช้า"}
    credited = api.post(f"{ENTRIES}/{second['_id']}/credit", body).data
    bill(api, credited, invoice="INV-3")
    assert money(api, job) == [3103, 3103, 3103, 3103, 0]
    assert balance(api, job.customer)[0] == [3103, 3570, 0, 467]


def test_an_adjustment_belongs_to_the_requests_of_its_entry(api, job):
    entry = entry_of(api, deliver(api, job, 0, 1, 2))
    api.patch(f"{ENTRIES}/{entry['_id']}", {"adjustment": -100})
    bill(api, entry)
    pay(api, job.customer, 3103, invoiceNumber="INV-1")
    assert money(api, job) == [3103, 3103, 3103, 3103, 0]


def test_a_payment_is_for_one_thing_of_its_customer(api, workshop, job):
    other = finished(api, workshop)
    bill(api, entry_of(api, deliver(api, other, 0)))
    request = job.request["_id"]
    for values, field in (
        ({"request": other.request["_id"]}, "request"),
        ({"invoiceNumber": "INV-1"}, "invoiceNumber"),
        ({"invoiceNumber": "INV-9"}, "invoiceNumber"),
        ({"request": request, "invoiceNumber": "INV-1"}, "invoiceNumber"),
        ({"amount": 0}, "amount"),
        ({"amount": 0.001}, "amount"),
        ({"amount": 1e11}, "amount"),
        ({"way": "gold"}, "way"),
    ):
        body = {"customer": job.customer, "amount": 1, **values}
        refused = api.post(PATH, body)
        assert refused.status == 400, values
        assert field in refused.faults, values
    made = pay(api, job.customer, 100, request=request).data
    moved = api.patch(f"/api/requests/{request}", {"customer": other.customer})
    assert moved.status in (400, 409)
    refused = api.patch(f"{PATH}/{made['_id']}", {"customer": other.customer})
    assert list(refused.faults) == ["customer"]
    assert api.delete(f"/api/requests/{request}").status == 409


def test_a_payment_is_corrected_and_made_void_and_stays_on_record(api, job):
    made = pay(api, job.customer, 100).data
    path = f"{PATH}/{made['_id']}"
    changed = api.patch(path, {"amount": 321, "request": job.request["_id"]})
    assert changed.data["amount"] == 321
    assert money(api, job)[3] == 321
    done = api.post(f"{path}/void", {"reason": "เช็คคืน"}).data
    assert (done["status"], done["voidReason"]) == ("void", "เช็คคืน")
    assert done["voidedBy"]
    assert money(api, job)[3] == 0
    for refused in (
        api.post(f"{path}/void", {"reason": "a"}),
        api.patch(path, {"amount": 1}),
    ):
        assert (refused.status, refused.errors["code"]) == (409, "PAYMENT_VOID")
    assert api.delete(path).status == 405
    assert [one["_id"] for one in api.get(PATH, status="void").data] == [made["_id"]]


def test_a_payment_that_looks_the_same_is_named(api, job):
    first = pay(api, job.customer, 100)
    assert not first.body.get("warnings")
    second = pay(api, job.customer, 100)
    [warning] = second.body["warnings"]
    assert first.data["paymentNumber"] in warning["message"]
    api.post(f"{PATH}/{first.data['_id']}/void", {"reason": "สองครั้ง"})
    api.post(f"{PATH}/{second.data['_id']}/void", {"reason": "สองครั้ง"})
    assert not pay(api, job.customer, 100).body.get("warnings")


def test_of_two_who_record_a_payment_at_once_one_reads_that_of_the_other(
    api, manager, job
):
    answers = run_concurrently(
        [partial(pay, one, job.customer, 100) for one in (api, manager)]
    )
    first, second = sorted(answers, key=lambda one: len(one.body.get("warnings", ())))
    assert not first.body.get("warnings")
    [warning] = second.body["warnings"]
    assert first.data["paymentNumber"] in warning["message"]


def test_a_payment_that_two_void_at_once_is_void_once(api, manager, job):
    made = pay(api, job.customer, 100).data
    path, body = f"{PATH}/{made['_id']}/void", {"reason": "a"}
    answers = run_concurrently(
        [partial(one.post, path, body) for one in (api, manager)]
    )
    assert sorted(one.status for one in answers) == [200, 409]


def test_a_deposit_is_asked_for_until_it_is_there(api, workshop):
    api.put("/api/workshop", {"depositPercent": 50})
    customer = str(workshop.customer().pk)
    body = {"customer": customer, "panes": [{**PANE, "quantity": 2}]}
    quote = api.post("/api/quotes", body).data
    assert quote["depositPercent"] == 50
    assert quote["price"]["totalWithVat"] == "2140.00"

    def deposit(**record):
        [found] = standing(api, **record)
        return [float(found["money"]["deposit"][name]) for name in ("asked", "open")]

    assert deposit(quote=quote["_id"]) == [1070, 1070]
    pay(api, customer, 500, quote=quote["_id"])
    assert api.delete(f"/api/quotes/{quote['_id']}").status == 409
    other = {"customer": str(workshop.customer().pk)}
    moved = api.patch(f"/api/quotes/{quote['_id']}", other)
    assert moved.errors["code"] == "CUSTOMER_FIXED"
    api.post(f"/api/quotes/{quote['_id']}/send", {})
    revised = api.post(f"/api/quotes/{quote['_id']}/revise", {}).data
    assert revised["depositPercent"] == 50
    assert deposit(quote=revised["_id"]) == [1070, 570]
    api.post(f"/api/quotes/{revised['_id']}/send", {})
    accepted = api.post(f"/api/quotes/{revised['_id']}/accept", {}).data
    request = accepted["request"]
    assert deposit(request=request) == [1070, 570]
    assert deposit(quote=quote["_id"]) == [1070, 570]
    pay(api, customer, 570, request=request)
    [found] = standing(api, request=request)
    assert found["money"]["deposit"] == {
        "percent": 50, "asked": "1070.00", "paid": "1070.00", "open": "0.00",
    }  # fmt: skip
    assert [one["quoteNumber"] for one in found["quotes"]] == [revised["quoteNumber"]]
    assert [float(one["amount"]) for one in found["payments"]] == [500, 570]


def test_every_record_of_a_job_leads_to_where_it_stands(api, client_with_keys, job):
    worker = client_with_keys("orders:view")
    delivery = deliver(api, job, 0, 1)
    entry = entry_of(api, delivery)
    bill(api, entry)
    [found] = standing(api, request=job.request["_id"])
    assert found["request"]["requestNumber"] == job.request["requestNumber"]
    assert [one["_id"] for one in found["orders"]] == [job.order["_id"]]
    assert [one["_id"] for one in found["deliveries"]] == [delivery["_id"]]
    [charged] = found["entries"]
    assert (charged["_id"], charged["net"]) == (entry["_id"], "2000.00")
    assert found["panes"] == {"count": 3, "finished": 3, "delivered": 2}
    for record in (
        {"order": job.order["_id"]},
        {"delivery": delivery["_id"]},
        {"entry": entry["_id"]},
    ):
        assert standing(api, **record) == [found], record
    [seen] = standing(worker, order=job.order["_id"])
    assert seen["orders"] == found["orders"]
    for part in ("quotes", "entries", "payments", "money"):
        assert seen[part] is None, part
    assert worker.get("/api/standing", entry=entry["_id"]).status == 403
    for asked in (
        {},
        {"order": "x"},
        {"order": job.order["_id"], "entry": entry["_id"]},
    ):
        assert api.get("/api/standing", **asked).status == 400, asked


def test_panes_of_a_customer_who_pays_cash_leave_with_a_warning_while_not_paid(
    api, client_with_keys, job
):
    driver = client_with_keys("panes:scan")
    api.patch(f"/api/customers/{job.customer}", {"paysCash": True})
    ids = [one["_id"] for one in job.panes[:2]]
    body = {"customer": job.customer, "panes": ids}
    delivery = api.post("/api/deliveries", body).data
    path = f"/api/deliveries/{delivery['_id']}"

    def unpaid(caller=api):
        return caller.get(f"{path}/checklist").data["unpaid"]

    assert unpaid() == {"missing": "2140.00"}
    assert unpaid(driver) == {"missing": None}
    pay(api, job.customer, 1000, request=job.request["_id"])
    number = job.panes[0]["paneNumber"]
    [warning] = api.post(f"{path}/load", {"paneNumbers": [number]}).body["warnings"]
    assert "1,140.00" in warning["message"]
    handed = {"paneNumbers": [number], "receivedBy": "สมชาย"}
    [warning] = api.post(f"{path}/hand-over", handed).body["warnings"]
    assert "1,140.00" in warning["message"]
    pay(api, job.customer, 70)
    assert unpaid() == {"missing": "1070.00"}
    pay(api, job.customer, 1070)
    assert unpaid() is None
    api.patch(f"/api/customers/{job.customer}", {"paysCash": False})
    assert unpaid() is None
