"""The link of a quote: what its customer sees by it, answers, and never sees."""

import hashlib
from dataclasses import replace
from datetime import timedelta
from functools import partial
from unittest.mock import Mock

import pypdfium2
import pytest

from api.test_quotes import PANE, PRICES, UNMAKEABLE
from concurrency import run_concurrently
from glassflow import runtime
from glassflow.core.process import clock
from glassflow.models.quote import Quote
from glassflow.services.quotes import links
from pdf_text import text_of_pdf

QUOTES = "/api/quotes"
#: All that a customer sees.
SHOWN = {
    "number", "kind", "changes", "status", "answeredOn", "date", "validUntil", "language", "seller", "buyer",
    "preparedBy", "lines", "subtotal", "rush", "discountPercent", "discount", "minimum",
    "net", "vatPercent", "vat", "gross", "depositPercent", "deposit", "leadTime", "expectedDelivery", "notes", "conditions",
    "changesAsked",
}  # fmt: skip
SHOWN_OF_LINE = {
    "description", "mark", "remark", "width", "height", "quantity", "unitPrice", "amount",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _prices(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200


@pytest.fixture
def sent(admin, workshop):
    """Create a sent quote of three panes, 1,155.60 baht with VAT."""

    def create(**values):
        customer = str(workshop.customer(name="Aek", discount=10).pk)
        body = {"customer": customer, "panes": [{**PANE, "quantity": 3}], **values}
        made = admin.post(QUOTES, body).data
        reply = admin.post(f"{QUOTES}/{made['_id']}/send", {})
        assert reply.status == 200, reply
        return reply.data

    return create


def make_link(api, quote):
    """Make the link of a quote; return the path of its offer, and the secret's header."""
    made = api.post(f"{QUOTES}/{quote['_id']}/link")
    assert made.status == 200, made
    address, fragment = made.data["url"].split("#")
    assert address == f"{api.url}/floor/offer"
    quote_id, _, secret = fragment.partition(".")
    assert quote_id == quote["_id"]
    return f"/api/offers/{quote_id}", {"X-Offer-Secret": secret}


def answer(api, link, action, **body):
    path, headers = link
    return api.call("POST", f"{path}/{action}", json={"name": "Somsri", **body}, headers=headers)  # fmt: skip


def accept(api, link, **body):
    return answer(api, link, "accept", **body)


def decline(api, link, **body):
    return answer(api, link, "decline", **body)


def ask_change(api, link, text="Wider"):
    return answer(api, link, "change", text=text)


def read(api, link, query=""):
    path, headers = link
    return api.call("GET", f"{path}{query}", headers=headers)


def code(reply):
    return reply.body["errors"]["code"]


def test_link_is_made_for_a_sent_quote_only(admin, client_with_keys, sent):
    offered = sent()
    path = f"{QUOTES}/{offered['_id']}"
    assert client_with_keys("pricing:view").post(f"{path}/link").status == 403
    assert (offered["hasLink"], offered["linkExpiresAt"]) == (False, None)
    make_link(admin, offered)
    shown = admin.get(path)
    assert shown.data["hasLink"]
    assert shown.data["linkExpiresAt"] > shown.data["validUntil"]
    history = str([one["changes"] for one in admin.get(f"{path}/history").data])
    for text in ("igest", "once"):
        assert text not in shown.text + history
    admin.post(f"{path}/reject", {})
    refused = admin.post(f"{path}/link")
    assert (refused.status, code(refused)) == (409, "QUOTE_NOT_OPEN")


def test_no_link_can_be_made_of_what_the_store_has(app, admin, sent):
    offered = sent()
    _, headers = make_link(admin, offered)
    (row,) = Quote.collection().find()
    assert headers["X-Offer-Secret"] not in str(row)
    assert len(row["linkDigest"]) == 64
    quote = Quote.from_stored(row)
    assert links.url(quote, "").endswith(headers["X-Offer-Secret"])
    others = Mock(fingerprint=lambda text: hashlib.sha256(text.encode()).hexdigest())
    with runtime.active(replace(app.extensions["runtime"], tokens=others)):
        assert links.url(quote, "") is None


WARNINGS = {
    "local": "Customers cannot open {host}, ",
    "unnamed": "{host} is where the office is open now",
    "plain": "{host} is opened without encryption",
}


@pytest.mark.parametrize(
    ("settings", "asked", "url", "warned"),
    [
        ({}, "127.0.0.1:8000", "http://127.0.0.1:8000", ["local"]),
        ({}, "floor.lan", "http://floor.lan", ["local"]),
        ({}, "evil.example", "http://evil.example", ["unnamed", "plain"]),
        ({"ALLOWED_HOSTS": [".glass.example"]}, "floor.glass.example:81", "http://floor.glass.example:81", ["plain"]),
        ({"ALLOWED_HOSTS": ["192.168.1.20"]}, "192.168.1.20", "http://192.168.1.20", ["local"]),
        ({"PUBLIC_URL": "https://Glass.example/"}, "evil.example", "https://glass.example", []),
        ({"PUBLIC_URL": "http://floor.local"}, "glass.example", "http://floor.local", ["local"]),
    ],
)  # fmt: skip
def test_link_has_the_public_address_and_says_where_customers_may_not_open_it(
    admin, sent, setting, settings, asked, url, warned
):
    offered = sent()
    setting(**settings)
    made = admin.call(
        "POST", f"{QUOTES}/{offered['_id']}/link", headers={"Host": asked}
    )
    assert made.status == 200, made
    assert made.data["url"].startswith(f"{url}/floor/offer#{offered['_id']}.")
    host = url.partition("//")[2].partition(":")[0]
    found = made.body.get("warnings", [])
    assert [one["field"] for one in found] == ["url"] * len(warned)
    for one, name in zip(found, warned, strict=True):
        assert one["message"].startswith(WARNINGS[name].format(host=host))


def test_customer_sees_what_is_on_the_paper_and_nothing_else(admin, anonymous, sent):
    admin.put("/api/workshop", {"name": "Thai Glass", "conditions": "cash"})
    day = {"expectedDeliveryDate": "2027-03-12T09:00:00Z"}
    offered = sent(language="en", leadTime="7 days", notes="by truck", **day)
    reply = read(anonymous, make_link(admin, offered))
    assert reply.status == 200
    assert reply.headers["Cache-Control"] == "no-store"
    shown = reply.data
    assert shown.keys() == SHOWN
    (line,) = shown["lines"]
    assert line.keys() == SHOWN_OF_LINE
    wanted = {
        "number": offered["quoteNumber"],
        "status": "sent",
        "answeredOn": None,
        "language": "en",
        "seller": "Thai Glass",
        "buyer": "Aek",
        "preparedBy": admin.worker.name,
        "subtotal": "1200.00",
        "discountPercent": 10,
        "discount": "120.00",
        "net": "1080.00",
        "vat": "75.60",
        "gross": "1155.60",
        "leadTime": "7 days",
        "expectedDelivery": "2027-03-12",
        "notes": "by truck",
        "conditions": "cash",
    }
    assert {name: shown[name] for name in wanted} == wanted
    assert (line["width"], line["height"], line["quantity"]) == (200, 500, 3)
    assert (line["unitPrice"], line["amount"]) == ("400.00", "1200.00")
    assert "Clear 6 mm" in line["description"]


def test_pdf_of_the_offer(admin, anonymous, sent):
    offered = sent()
    path, headers = make_link(admin, offered)
    answer = anonymous.session.get(f"{anonymous.url}{path}/pdf", headers=headers)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Content-Type"] == "application/pdf"
    text = pypdfium2.PdfDocument(answer.content)[0].get_textpage().get_text_range()
    assert "1,155.60" in text
    assert "Aek" in text


def test_wrong_unknown_revoked_replaced_and_expired_links_have_the_same_answer(
    admin, anonymous, sent, clock_at
):
    revoked, replaced, expired = sent(), sent(), sent()
    links = [make_link(admin, one) for one in (revoked, replaced, expired)]
    _, headers = make_link(admin, replaced)
    gone = admin.delete(f"{QUOTES}/{revoked['_id']}/link")
    assert (gone.status, gone.data["hasLink"], gone.data["linkExpiresAt"]) == (200, False, None)  # fmt: skip
    path, right = links[2]
    never = sent()["_id"]
    refused = [
        read(anonymous, links[0]),
        read(anonymous, links[1]),
        *(
            read(anonymous, (path, {"X-Offer-Secret": secret}))
            for secret in ("x", "", headers["X-Offer-Secret"], "é")
        ),
        anonymous.get(path),
        anonymous.get(f"/api/offers/{never}"),
        read(anonymous, (f"/api/offers/{'0' * 24}", right)),
        accept(anonymous, links[0]),
        decline(anonymous, links[0]),
        ask_change(anonymous, links[0]),
        anonymous.call("GET", f"{links[1][0]}/pdf", headers=links[1][1]),
    ]
    assert read(anonymous, links[2]).status == 200
    clock_at(40 * 86_400)
    refused.append(read(anonymous, links[2]))
    assert {one.status for one in refused} == {404}
    assert len({one.text for one in refused}) == 1
    assert admin.get("/api/requests").data == []


def test_accepted_offer_is_a_request_once(admin, anonymous, sent):
    offered = sent(notes="by truck", referenceId="PO-1")
    link = make_link(admin, offered)
    accepted = accept(anonymous, link, note="call before", referenceId="PO-7")
    assert accepted.status == 200, accepted
    assert accepted.headers["Cache-Control"] == "no-store"
    assert accepted.data.keys() == SHOWN
    assert (accepted.data["status"], accepted.data["answeredOn"]) == (
        "accepted",
        accepted.data["date"],
    )
    became = admin.get(f"{QUOTES}/{offered['_id']}").data
    assert became["acceptedName"] == "Somsri"
    assert (became["answeredBy"], became["order"]) == (None, None)
    (request,) = admin.get("/api/requests").data
    assert request["_id"] == became["request"]
    assert request["notes"] == "by truck\ncall before"
    assert request["referenceId"] == "PO-7"
    assert len(admin.get("/api/panes").data) == 3
    (newest, *_) = admin.get(f"{QUOTES}/{offered['_id']}/history").data
    assert (newest["via"], newest["by"]) == ("service", None)
    again = accept(anonymous, link)
    assert (again.status, code(again)) == (409, "QUOTE_NOT_OPEN")
    assert again.body["errors"]["status"] == "accepted"
    assert read(anonymous, link).data["status"] == "accepted"
    assert len(admin.get("/api/requests").data) == 1
    assert len(admin.get("/api/notifications").data) == 1


def test_worker_who_sent_the_quote_is_notified(admin, anonymous, sent):
    offered = sent()
    accept(anonymous, make_link(admin, offered))
    (notice,) = admin.get("/api/notifications").data
    assert notice["type"] == "quote_accepted"
    assert notice["recipient"] == offered["sentBy"]
    assert (notice["referenceType"], notice["referenceId"]) == ("Quote", offered["_id"])
    assert "Somsri" in notice["message"]
    assert offered["quoteNumber"] in notice["message"]


def test_what_was_deleted_since_the_quote_was_sent_is_left_out_and_named(
    admin, anonymous, sent, workshop
):
    gone, kept = (workshop.station(name=name) for name in ("Drilling", "Washing"))
    oven = workshop.station(name="Oven", is_laminate_station=True)
    sheet, lost = (workshop.material(name=name) for name in ("Sheet", "Green"))
    unit = {**PANE, "rawGlass": {**PANE["rawGlass"], "sheetsPerPane": 2}}
    offered = sent(
        panes=[
            {**PANE, "routing": [str(gone.pk), str(kept.pk)], "quantity": 2},
            {**PANE, "routing": [str(gone.pk)], "material": str(lost.pk)},
            {**unit, "routing": [str(kept.pk), str(oven.pk)], "glassTypeLabel": "Lami"},
            {**PANE, "material": str(sheet.pk)},
        ],
        deadline="2020-01-05T00:00:00.000Z",
    )
    link = make_link(admin, offered)
    for path in (f"stations/{gone.pk}", f"stations/{oven.pk}", f"materials/{lost.pk}"):
        assert admin.delete(f"/api/{path}").status == 200
    assert accept(anonymous, link).status == 200

    (request,) = admin.get("/api/requests").data
    assert request["leftOut"] == [
        {"kind": "station", "name": "Drilling"},
        {"kind": "station", "name": "Oven"},
        {"kind": "material", "name": "Green"},
        {"kind": "route", "name": "Lami"},
    ]
    panes = admin.get("/api/panes", sort="paneNumber").data
    # what has lost all its stations waits for those of its order: it is not finished
    assert [(one["routing"], one["material"], one["currentStatus"]) for one in panes] == [
        *[([str(kept.pk)], None, "pending")] * 2,
        ([], None, "pending"),
        ([], None, "pending"),
        ([], str(sheet.pk), "pending"),
    ]  # fmt: skip
    assert panes[3]["rawGlass"]["sheetsPerPane"] == 2
    (notice,) = admin.get("/api/notifications").data
    for words in ("Drilling", "Oven", "Green", "Lami", "เลยกำหนดส่ง"):
        assert words in notice["message"]

    alone = workshop.station(name="Packing")
    other = sent(panes=[{**PANE, "routing": [str(alone.pk)]}])
    assert admin.delete(f"/api/stations/{alone.pk}").status == 200
    accepted = admin.post(f"{QUOTES}/{other['_id']}/accept", {})
    assert [one["field"] for one in accepted.body["warnings"]] == ["panes"]
    assert "Packing" in str(accepted.body["warnings"])


def test_reason_for_what_cannot_be_made_goes_into_the_order(
    admin, client_with_keys, sent, workshop
):
    assert admin.put("/api/makeability", {"isStrict": True}).status == 200
    body = {"customer": str(workshop.customer().pk), "panes": [UNMAKEABLE, PANE]}
    draft = admin.post(QUOTES, body).data
    reason = {"overrideReason": "The supplier cuts it"}
    path = f"{QUOTES}/{draft['_id']}"
    assert admin.post(f"{path}/send", reason).status == 200
    accepted = admin.post(f"{path}/accept", {}).data
    panes = admin.get("/api/panes", sort="paneNumber").data
    assert [one["overrideReason"] for one in panes] == ["The supplier cuts it", ""]
    of_request = {
        "request": accepted["request"],
        "customer": accepted["customer"],
        "material": str(workshop.material().pk),
        "quantity": 2,
    }
    # a pane that was not offered with a reason, and one that has another shape since
    more = admin.post(
        f"/api/requests/{accepted['request']}/panes", {"panes": [UNMAKEABLE]}
    )
    (added,) = more.data["panes"]
    refused = admin.post("/api/orders", of_request)
    assert [one["paneNumber"] for one in refused.errors["panes"]] == [
        added["paneNumber"]
    ]
    first = f"/api/panes/{panes[0]['_id']}"
    larger = {"dimensions": {"width": 3001, "height": 5000}}
    assert admin.patch(first, larger).data["overrideReason"] == ""
    seller = client_with_keys("orders:create", "requests:view")
    assert seller.post("/api/orders", of_request | reason).status == 403
    made = admin.post("/api/orders", of_request | {"overrideReason": "Crane comes"})
    assert made.status == 201, made
    shown = [one["overrideReason"] for one in admin.get("/api/panes", sort="paneNumber").data]  # fmt: skip
    assert shown == ["Crane comes", "", "Crane comes"]


@pytest.mark.parametrize(
    "given", [(accept, accept), (accept, decline), (decline, decline)]
)
def test_of_two_answers_of_customers_at_once_one_counts(admin, anonymous, sent, given):
    link = make_link(admin, sent())
    replies = run_concurrently([partial(one, anonymous, link) for one in given])
    won, lost = sorted(replies, key=lambda one: one.status)
    assert (won.status, lost.status) == (200, 409)
    status = won.data["status"]
    assert lost.body["errors"] == {"code": "QUOTE_NOT_OPEN", "status": status}
    assert read(anonymous, link).data["status"] == status
    panes = {"accepted": 3, "rejected": 0}[status]
    assert len(admin.get("/api/requests").data) == bool(panes)
    assert len(admin.get("/api/panes").data) == panes
    kinds = [one["type"] for one in admin.get("/api/notifications").data]
    told = {"accepted": "quote_accepted", "rejected": "quote_declined"}[status]
    assert [one for one in kinds if one != "acceptance_refused"] == [told]


def test_customer_declines_with_a_reason(admin, anonymous, client_with_keys, sent):
    offered = sent()
    path, link = f"{QUOTES}/{offered['_id']}", make_link(admin, offered)
    declined = decline(anonymous, link, note="Too expensive")
    assert (declined.status, declined.data.keys()) == (200, SHOWN)
    assert (declined.data["status"], declined.data["answeredOn"]) == (
        "rejected",
        declined.data["date"],
    )
    quote = admin.get(path).data
    assert (quote["declinedName"], quote["rejectReason"]) == ("Somsri", "Too expensive")
    assert (quote["acceptedName"], quote["answeredBy"]) == ("", None)
    assert "declinedName" not in client_with_keys("pricing:view").get(path).data
    (newest, *_) = admin.get(f"{path}/history").data
    assert (newest["via"], newest["by"]) == ("service", None)
    (notice,) = admin.get("/api/notifications").data
    assert notice["type"] == "quote_declined"
    assert (notice["recipient"], notice["referenceId"]) == (offered["sentBy"], offered["_id"])  # fmt: skip
    assert "Somsri" in notice["message"]
    assert offered["quoteNumber"] in notice["message"]
    for again in (decline, accept, ask_change):
        refused = again(anonymous, link)
        assert (refused.status, code(refused)) == (409, "QUOTE_NOT_OPEN")
        assert refused.body["errors"]["status"] == "rejected"
    assert admin.get("/api/requests").data == []
    assert admin.post(f"{path}/revise", {}).status == 201


def test_customer_asks_for_changes_and_accepts(
    admin, anonymous, client_with_keys, sent
):
    offered = sent()
    path, link = f"{QUOTES}/{offered['_id']}", make_link(admin, offered)
    asked = ask_change(anonymous, link, text="Wider {left}")
    assert (asked.status, asked.data["status"]) == (200, "sent")
    (shown,) = asked.data["changesAsked"]
    assert shown == {"on": asked.data["date"], "name": "Somsri", "text": "Wider {left}"}
    assert ask_change(anonymous, link, text="Wider {left}").status == 200  # once
    (notice,) = admin.get("/api/notifications").data
    assert notice["type"] == "quote_change_asked"
    assert (notice["recipient"], notice["referenceId"]) == (offered["sentBy"], offered["_id"])  # fmt: skip
    assert "Somsri" in notice["message"]
    assert "Wider {left}" in notice["message"]
    for number in range(20):
        assert ask_change(anonymous, link, text=f"{number}").status == 200
    quote = admin.get(path).data
    assert (quote["status"], quote["answeredAt"]) == ("sent", None)
    texts = [one["text"] for one in quote["customerNotes"]]
    assert texts == [f"{number}" for number in range(20)]
    assert "customerNotes" not in client_with_keys("pricing:view").get(path).data
    assert accept(anonymous, link).status == 200


def test_quote_is_shown_and_printed_in_both_languages(
    admin, anonymous, client_with_keys, workshop, sent
):
    shop = {"name": "โรงกระจก", "nameEnglish": "Glass House", "conditions": "มัดจำ",
            "conditionsEnglish": "deposit"}  # fmt: skip
    admin.put("/api/workshop", shop)
    workshop.make("JobType", code="TMP", name="Tempered")
    hole = {"id": "h1", "x": 100, "y": 100, "diameter": 20}
    panes = [{**PANE, "jobType": "TMP", "holes": [hole]}]
    offered, typed = sent(panes=panes), sent(conditions="cash", language="en")
    other = {one: f"other {one}" for one in shop}
    admin.put("/api/workshop", other)

    path, link = f"{QUOTES}/{offered['_id']}", make_link(admin, offered)
    viewer = client_with_keys("pricing:view")
    for language, seller, conditions, work in (
        ("", "โรงกระจก", "มัดจำ", "เจาะรู 1 รู"),
        ("th", "โรงกระจก", "มัดจำ", "เจาะรู 1 รู"),
        ("en", "Glass House", "deposit", "holes: 1"),
    ):
        query = f"?language={language}" if language else ""
        shown = read(anonymous, link, query).data
        assert (shown["language"], shown["seller"]) == (language or "th", seller)
        assert shown["conditions"] == conditions
        (line,) = shown["lines"]
        assert "Tempered" in line["description"]
        assert work in line["description"]
        assert viewer.get(f"{path}/lines{query}").data == [line]
        for printed in (
            text_of_pdf(anonymous, f"{link[0]}/pdf{query}", link[1]),
            text_of_pdf(admin, f"{path}/pdf{query}"),
        ):
            text = "".join(printed.split())
            assert "".join(seller.split()) in text
            assert conditions in text
            assert work.split()[0] in text  # the rest may be in the next line
    assert read(anonymous, link, "?language=de").status == 400
    thai = read(anonymous, make_link(admin, typed), "?language=th").data
    assert (thai["language"], thai["seller"], thai["conditions"]) == ("th", "โรงกระจก", "cash")  # fmt: skip

    # of a quote that was sent before it kept both languages, one is printed in both
    Quote.collection().update_many({}, {"$unset": {"parties.other": ""}})
    shown = read(anonymous, link, "?language=en").data
    assert (shown["seller"], shown["conditions"]) == ("โรงกระจก", "มัดจำ")


@pytest.mark.parametrize(
    ("action", "status"), [("send", "superseded"), ("reject", "rejected")]
)
def test_offer_that_is_no_longer_open_is_shown_with_its_state(
    admin, anonymous, sent, action, status
):
    offered = sent()
    link = make_link(admin, offered)
    answered = offered
    if action == "send":
        answered = admin.post(f"{QUOTES}/{offered['_id']}/revise", {}).data
    assert admin.post(f"{QUOTES}/{answered['_id']}/{action}", {}).status == 200
    assert read(anonymous, link).data["status"] == status
    for name in ("Somsri", "Somsri", "Somchai"):
        refused = accept(anonymous, link, name=name)
        assert (refused.status, code(refused)) == (409, "QUOTE_NOT_OPEN")
        assert refused.body["errors"]["status"] == status
    # who sent the quote is told once
    (notice,) = admin.get("/api/notifications").data
    assert (notice["type"], notice["recipient"]) == ("acceptance_refused", offered["sentBy"])  # fmt: skip
    assert "Somsri" in notice["message"]
    (note,) = admin.get(f"{QUOTES}/{offered['_id']}").data["customerNotes"]
    assert (note["kind"], note["name"]) == ("failed", "Somsri")
    assert note["text"] in notice["message"]


def test_revision_has_no_link(admin, sent):
    offered = sent()
    make_link(admin, offered)
    revised = admin.post(f"{QUOTES}/{offered['_id']}/revise", {}).data
    assert (revised["hasLink"], revised["linkExpiresAt"]) == (False, None)


def test_offer_is_accepted_through_its_last_day(admin, anonymous, sent, clock_at):
    in_a_day = (clock.now() + timedelta(days=1)).isoformat()
    early, late = (make_link(admin, sent(validUntil=in_a_day)) for _ in range(2))
    clock_at(86_400 - 60)
    assert accept(anonymous, early).status == 200
    clock_at(3 * 86_400)
    refused = accept(anonymous, late)
    assert (refused.status, code(refused)) == (409, "QUOTE_EXPIRED")
    assert len(admin.get("/api/requests").data) == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": " "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"note": "x" * 501}, "note"),
        ({"text": " "}, "text"),
        ({"text": "x" * 501}, "text"),
    ],
)
def test_impossible_values_are_refused(admin, anonymous, sent, body, field):
    link = make_link(admin, sent())
    for action in ("change",) if field == "text" else ("accept", "decline"):
        refused = answer(anonymous, link, action, **body)
        assert refused.status == 400
        assert [one["field"] for one in refused.body["errors"]] == [field]
    assert read(anonymous, link).data["status"] == "sent"


def test_form_of_another_page_cannot_accept(admin, anonymous, sent):
    path, headers = make_link(admin, sent())
    answer = anonymous.session.post(
        f"{anonymous.url}{path}/accept", data={"name": "x"}, headers=headers
    )
    assert answer.status_code == 415


def test_attempts_of_an_address_are_limited(admin, anonymous, sent, setting):
    link = make_link(admin, sent())
    setting(LOGIN_ATTEMPTS_PER_ADDRESS=2)
    statuses = [read(anonymous, link).status for _ in range(2)]
    statuses += [read(anonymous, link).status, accept(anonymous, link).status]
    assert statuses == [200, 200, 429, 429]
    assert read(anonymous, link).headers["Retry-After"]
