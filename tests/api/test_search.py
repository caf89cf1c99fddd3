"""One search over panes, orders, requests, deliveries, customers, billing and others."""

import pytest

from glassflow.core.process import clock
from scenarios import PRICE_OF_NOTHING, claim_pane, order_with_panes, order_with_units


def found(api, text):
    """The kind of each found record, and its number or name."""
    return [(row["kind"], name_of(row)) for row in api.get("/api/search", q=text).data]


def name_of(row):
    names = (
        "paneNumber", "orderNumber", "requestNumber", "quoteNumber", "deliveryNumber",
        "claimNumber", "entryNumber", "paymentNumber", "name",
    )  # fmt: skip
    return next(row[name] for name in names if name in row)


@pytest.fixture
def job(admin, workshop):
    return order_with_panes(admin, workshop, panes=2)


def test_number_is_found_in_every_form_that_people_type(admin, job):
    number = job.numbers[0]
    digits = number.removeprefix("PNE-").lstrip("0")
    for text in (
        number,
        number.lower(),
        f" {number.replace('-', '')} ",
        f"pne{digits}",
    ):
        assert found(admin, text)[0] == ("pane", number), text
        assert admin.get("/api/search", q=text).data[0]["exact"], text


def test_bare_number_finds_the_records_of_every_kind_with_it_first(admin, workshop):
    for kind, field in (("Pane", "pane_number"), ("Order", "order_number")):
        prefix = {"Pane": "PNE", "Order": "ORD"}[kind]
        extra = {} if kind == "Pane" else {
            "customer": workshop.customer().pk,
            "material": workshop.material().pk,
            "quantity": 1,
        }  # fmt: skip
        workshop.make(kind, **{field: f"{prefix}-0077"}, **extra)
        workshop.make(kind, **{field: f"{prefix}-10077"}, **extra)
    rows = admin.get("/api/search", q="0077").data
    assert [(row["kind"], name_of(row), row["exact"]) for row in rows] == [
        ("pane", "PNE-0077", True),
        ("order", "ORD-0077", True),
        ("pane", "PNE-10077", False),
        ("order", "ORD-10077", False),
    ]


def test_qr_payload_finds_its_pane_only(admin, workshop):
    job = order_with_units(admin, workshop)
    sheet = job.sheets[0][0]
    for text in (
        f"STDPLUS:{sheet}",
        f"stdplus:{sheet.lower()}",
        f" ]Q1STDPLUS:{sheet}",
    ):
        assert found(admin, text) == [("pane", sheet)]
    assert found(admin, "STDPLUS:PNE-999999") == []
    # typed, the number of the parent finds its sheets too
    parent = job.parents[0]
    numbers = [name for kind, name in found(admin, parent) if kind == "pane"]
    assert numbers[0] == parent
    assert set(numbers) == {parent, *job.sheets[0]}


def test_revision_of_a_quote_is_found_by_its_number(admin, workshop):
    customer = workshop.customer(name="Aek").pk
    for number in ("QUO-0001", "QUO-0001-R2"):
        workshop.make(
            "Quote", quote_number=number, customer=customer, price=PRICE_OF_NOTHING
        )
    for text in ("quo1r2", "QUO-0001-R2"):
        assert found(admin, text) == [("quote", "QUO-0001-R2")]
    assert found(admin, "quo 1")[0] == ("quote", "QUO-0001")


def test_delivery_is_found_by_its_number(admin, workshop):
    customer = workshop.customer(name="Aek").pk
    workshop.make("Delivery", delivery_number="DLV-0007", customer=customer)
    assert found(admin, "dlv7") == [("delivery", "DLV-0007")]


def test_merged_pane_is_found_by_its_number(admin, workshop):
    workshop.make("Pane", pane_number="PNE-7001", current_status="merged_into")
    assert found(admin, "PNE-7001") == [("pane", "PNE-7001")]


def test_text_is_found_in_any_letter_case_and_in_thai(admin, workshop):
    customer = workshop.customer(name="ร้านกระจก Nam-Thip", phone="081-234-5678")
    workshop.customer(name="อื่น")
    for text in ("nam-thip", "กระจก", "234-5678"):
        assert found(admin, text) == [("customer", customer.name)]


@pytest.mark.parametrize(("written", "typed"), [
    ("076-325-907", ("076-325-907", "076325907", "076 325 907", "+66 76 325907",
                     "+66 (0)76 325 907", "0066 76 325907", "6676325907", "325907")),
    ("+66 81 234 5678", ("0812345678", "081-234-5678", "+66812345678", "234 56")),
    ("โทร. 02-123-4567, 089 765 4321", ("021234567", "+66897654321")),
    ("+856 20 5555 1234", ("+856 2055551234", "00856 2055551234")),
])  # fmt: skip
def test_telephone_number_is_found_however_it_is_typed(admin, workshop, written, typed):
    customer = workshop.customer(name="Aek", phone=written)
    workshop.customer(name="Boon", phone="076-325-908")
    for text in typed:
        assert found(admin, text) == [("customer", customer.name)], text
        rows = admin.get("/api/customers", search=text).data
        assert [row["name"] for row in rows] == ["Aek"], text


def test_text_of_many_digits_is_no_telephone_number(admin, workshop):
    workshop.customer(phone="1" * 30)
    assert admin.get("/api/customers", search="1-" * 100).data == []
    assert len(admin.get("/api/customers", search="1" * 30).data) == 1


def test_entries_and_payments_are_found_by_their_numbers_and_those_of_invoices(
    admin, client_with_keys, workshop
):
    customer = workshop.customer(name="Aek").pk
    workshop.make(
        "BillingEntry", entry_number="BIL-0009", customer=customer,
        invoice_number="INV-2026-001", delivered_at=clock.now(),
    )  # fmt: skip
    workshop.make(
        "Payment", payment_number="PAY-0012", customer=customer, amount=107,
        invoice_number="INV-2026-001", paid_at=clock.now(),
    )  # fmt: skip
    entry, payment = ("billingEntry", "BIL-0009"), ("payment", "PAY-0012")
    assert found(admin, "bil9") == [entry]
    assert found(admin, "PAY-0012") == [payment]
    assert found(admin, "inv-2026-001") == [entry, payment]
    shown = admin.get("/api/search", q="INV-2026-001").data[0]
    assert shown["invoiceNumber"] == "INV-2026-001"
    assert shown["customer"]["name"] == "Aek"
    assert found(client_with_keys("orders:view"), "INV-2026-001") == []


def test_briefs_name_what_a_record_belongs_to(admin, worker, job):
    claim = claim_pane(worker, job.numbers[0]).data
    by_kind = {
        text: admin.get("/api/search", q=text).data[0]
        for text in (
            job.numbers[0],
            job.order["orderNumber"],
            job.request["requestNumber"],
            claim["claimNumber"],
        )
    }
    pane, order, request, found_claim = by_kind.values()
    assert set(pane["order"]) == {"_id", "orderNumber"}
    assert pane["currentStatus"] == "claimed"
    for row in (order, request):
        assert set(row["customer"]) == {"_id", "name"}
    assert found_claim["pane"] == {
        "_id": pane["_id"],
        "paneNumber": job.numbers[0],
    }


def test_only_what_the_caller_may_read_is_found(client_with_keys, admin, worker, job):
    claim_pane(worker, job.numbers[0])
    digits = job.order["orderNumber"].removeprefix("ORD-")
    orders = client_with_keys("orders:view").get("/api/search", q=digits).data
    assert {row["kind"] for row in orders} == {"order"}
    assert orders[0]["customer"] == job.customer  # an id, not its name
    claims = client_with_keys("claims:view").get("/api/search", q="CLM").data
    assert [row["pane"] for row in claims] == [job.panes[0]["_id"]]
    assert client_with_keys("stations:view").get("/api/search", q=digits).data == []


def test_at_most_20_records_are_found_and_every_kind_has_its_share(admin, workshop):
    for n in range(30):
        workshop.make("Pane", pane_number=f"PNE-{n + 1:04d}", notes="งานด่วน")
    workshop.customer(name="งานด่วน จำกัด")
    rows = admin.get("/api/search", q="งานด่วน").data
    assert [row["kind"] for row in rows] == ["pane"] * 19 + ["customer"]
    assert rows[0]["paneNumber"] == "PNE-0030"  # the newest


@pytest.mark.parametrize(("query", "message"), [
    ({}, "q is required"),
    ({"q": "  "}, "q is required"),
    ({"q": "x" * 201}, "Too long to search for"),
    ({"q": "\x00a"}, "Contains a control character"),
    ({"q": "a\x1fb"}, "Contains a control character"),
])  # fmt: skip
def test_text_is_required_printable_and_not_too_long(admin, query, message):
    assert admin.get("/api/search", **query).faults == {"q": message}


@pytest.mark.parametrize("text", [".*", "(", "\\", "$ne", "%"])
def test_signs_of_patterns_are_plain_text(admin, job, text):
    assert found(admin, text) == []
