"""`localMessage`: refusals, faults and warnings in the language that a client asks for."""

import re

import pytest

from glassflow.web.language import preferred
from pictures import photo
from scenarios import order_with_panes

THAI = re.compile(r"[\u0e00-\u0e7f]")
ASKED = {"th": "th-TH,th;q=0.9,en;q=0.5", "en": "en-GB"}


@pytest.mark.parametrize(("header", "language"), [
    (None, None), ("", None), ("  ", None), ("th", "th"), ("TH-th", "th"),
    ("de, th;q=0.5, en;q=0.4", "th"), ("en, th", "en"), ("th;q=0, en", "en"),
    ("de", "en"), ("*", "en"), (";;q=x,\x00", "en"),
])  # fmt: skip
def test_language_is_the_preferred_one_of_two_or_english(header, language):
    assert preferred(header) == language


@pytest.fixture
def refusals(admin, workshop):
    """Requests that are refused, each in another way: method, path, options."""
    job = order_with_panes(admin, workshop, panes=2)
    order, number = f"/api/orders/{job.order['_id']}", job.numbers[0]
    assert admin.scan(number, "scan_in").status == 200
    customer = f"/api/customers/{job.order['customer']}"
    wrong = {"name": 5, "discount": 101, "notes": "a\x1ab"}
    malformed = {"data": b"{", "headers": {"Content-Type": "application/json"}}
    foreign = {"data": b"a", "headers": {"Content-Type": "text/plain"}}
    large = {"data": b" " * 1_100_000, "headers": {"Content-Type": "application/json"}}
    reused = {"headers": {"Idempotency-Key": "k1"}}
    assert admin.post("/api/customers", {"name": "a"}, **reused).status == 201
    return [
        ("GET", "/api/nothing", {}),
        ("GET", "/api//customers", {"allow_redirects": False}),
        ("PUT", "/api/customers", {}),
        ("GET", f"/api/customers/{'0' * 24}", {}),
        ("GET", "/api/customers", {"headers": {"Authorization": "Bearer x"}}),
        ("GET", "/api/customers?discount=x&sort=odd&search=" + "x" * 201, {}),
        ("GET", "/api/orders/due?due=odd", {}),
        ("GET", "/api/panes?includeMerged=odd", {}),
        ("GET", "/api/customers?cursor=odd", {}),
        ("POST", "/api/customers", malformed),
        ("POST", "/api/customers", foreign),
        ("POST", "/api/customers", large),
        ("POST", "/api/customers", {"json": [1]}),
        ("POST", "/api/customers", {"json": wrong}),
        ("POST", "/api/customers", {"json": {"name": "b"}, **reused}),
        ("POST", "/api/orders", {"json": {}}),
        ("POST", "/api/claims/from-pane", {"json": {"photos": ["data:,x", photo()]}}),
        ("POST", "/api/roles", {"json": {"name": "a", "permissions": ["odd:key"]}}),
        ("POST", "/api/roles", {"json": {"name": "a", "slug": "admin"}}),
        ("POST", "/api/stations", {"json": {"name": "a", "templateId": "0" * 24}}),
        ("POST", f"/api/panes/{number}/scan", {"json": {"action": "scan_out"}}),
        ("POST", f"/api/panes/{number}/scan", {"json": {"action": "qc_fail"}}),
        ("PATCH", customer, {"json": {"name": "c"}, "headers": {"If-Match": '"9"'}}),
        ("DELETE", customer, {}),
        ("DELETE", order, {}),
        (
            "POST",
            "/api/customers",
            {"json": {"odd": 1}, "headers": {"Prefer": "handling=strict"}},
        ),
        (
            "POST",
            "/api/customers/import",
            {"data": "odd\nx\n", "headers": {"Content-Type": "text/csv"}},
        ),
    ]


def asking(options, language):
    headers = options.get("headers", {})
    return {**options, "headers": {**headers, "Accept-Language": ASKED[language]}}


def words(body):
    """The objects of a refusal that say in words what it is: itself, and its faults."""
    errors = body.get("errors")
    return [body, *(errors if isinstance(errors, list) else [])]


def test_every_refusal_and_fault_is_in_the_language_that_is_asked_for(admin, refusals):
    for method, path, options in refusals:
        plain = admin.call(method, path, **options)
        assert plain.status >= 300, plain
        assert "localMessage" not in plain.text
        assert "Accept-Language" in plain.headers["Vary"]
        for language in ASKED:
            answer = admin.call(method, path, **asking(options, language))
            assert answer.headers["Content-Language"] == language
            assert "Accept-Language" in answer.headers["Vary"]
            for said, before in zip(words(answer.body), words(plain.body), strict=True):
                assert said["message"] == before["message"]
                is_thai = bool(THAI.search(said["localMessage"]))
                assert is_thai == (language == "th"), (path, said)
                assert "{" not in said["localMessage"]


def test_thai_message_of_the_contract_has_an_english_form(admin, workshop):
    job = order_with_panes(admin, workshop)
    asked = {"headers": {"Accept-Language": "en"}}
    path = f"/api/panes/{job.numbers[0]}/scan"
    assert admin.scan(job.numbers[0], "scan_in").status == 200
    refused = admin.post(path, {"action": "scan_out"}, **asked).body
    assert refused["message"].startswith("กระจก")
    assert refused["localMessage"] == (
        "The work at this station is not completed; please scan it as completed first"
    )


def test_counted_dependents_are_named_in_thai(admin, workshop):
    job = order_with_panes(admin, workshop)
    path = f"/api/customers/{job.order['customer']}"
    body = admin.call("DELETE", path, headers={"Accept-Language": "th"}).body
    assert body["message"] == "Customer has 1 request, 1 order"
    assert body["localMessage"] == "ลูกค้ายังมีใบรับงาน 1 รายการ, ออเดอร์ 1 รายการ"


def test_parts_of_a_success_are_in_the_language_too(admin, workshop):
    asked = {"headers": {"Accept-Language": "th"}}
    made = admin.post("/api/customers", {"name": "a", "odd": 1}, **asked)
    [warning] = made.body["warnings"]
    assert warning == {
        "field": "odd",
        "message": "Unknown field, ignored",
        "localMessage": "ไม่รู้จักช่องนี้ จึงไม่ได้ใช้",
    }
    assert made.headers["Content-Language"] == "th"
    job = order_with_panes(admin, workshop)
    station = str(workshop.station(status="maintenance").pk)
    path = f"/api/panes/{job.numbers[0]}/next?station={station}"
    plain, local = admin.get(path), admin.call("GET", path, **asked)
    refusal = local.data["refusal"]
    assert "localMessage" not in plain.data["refusal"]
    assert refusal["message"] == plain.data["refusal"]["message"]
    assert THAI.search(refusal["localMessage"])
    assert "Accept-Language" in local.headers["Vary"]
    file = {
        "data": "odd\nx\n",
        "headers": {"Content-Type": "text/csv", **asked["headers"]},
    }
    trial = admin.call("POST", "/api/customers/import?dryRun=1", **file)
    assert trial.data["errors"][0]["localMessage"] == "ไม่รู้จักคอลัมน์: odd"


def test_answer_that_is_sent_again_is_the_first_one_with_its_language(admin):
    key = {"Idempotency-Key": "k1"}
    thai, english = ({**key, "Accept-Language": one} for one in ("th", "en"))
    first = admin.post("/api/customers", {"name": ""}, headers=thai)
    again = admin.post("/api/customers", {"name": ""}, headers=english)
    assert (again.text, again.status) == (first.text, 400)
    assert again.headers["Content-Language"] == "th"


def test_list_is_the_same_for_every_language(admin, customers):
    tags = {
        admin.call("GET", "/api/customers", headers={"Accept-Language": one}).headers[
            "ETag"
        ]
        for one in ("th", "en")
    }
    assert len(tags) == 1
