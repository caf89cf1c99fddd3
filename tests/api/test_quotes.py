"""Quotes: drafts with their prices, sent, answered once, revised, and expired."""

from datetime import timedelta
from functools import partial

import pytest

from concurrency import run_concurrently
from glassflow.core.process import clock
from glassflow.jobs.overdue import Overdue
from pdf_text import text_of_pdf
from store_commands import record_commands
from tables_api import import_rows

PATH = "/api/quotes"
PRICES = {
    "glassPrices": {"Clear": {"6mm": {"pricePerSqFt": 100, "grindingRate": 10}}},
    "holePriceEach": 50,
    "notchPrice": 100,
    "minimumArea": 4,
    "edgeRates": {"arris": 3},
    "rushPercent": 20,
    "minimumCharge": 0,
    "vatPercent": 7,
}
PANE = {
    "dimensions": {"width": 200, "height": 500},
    "rawGlass": {"glassType": "Clear", "thickness": 6},
}
# a rim touches the edge
UNMAKEABLE = {
    **PANE,
    "dimensions": {"width": 3000, "height": 5000},
}


@pytest.fixture(autouse=True)
def _prices(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200


@pytest.fixture
def customer(workshop):
    return str(workshop.customer(discount=10).pk)


@pytest.fixture
def draft(admin, customer):
    """Create a draft of three panes, 1,080 baht before VAT."""

    def create(**values):
        body = {"customer": customer, "panes": [{**PANE, "quantity": 3}], **values}
        made = admin.post(PATH, body)
        assert made.status == 201, made.body
        return made.data

    return create


@pytest.fixture
def sent(admin, draft):
    def create(**values):
        made = admin.post(f"{PATH}/{draft(**values)['_id']}/send", {})
        assert made.status == 200, made.body
        return made.data

    return create


def act(api, quote, action, **body):
    return api.post(f"{PATH}/{quote['_id']}/{action}", body)


def read(api, quote):
    return api.get(f"{PATH}/{quote['_id']}").data


def code(reply):
    return reply.body["errors"]["code"]


def fields(reply):
    return [one["field"] for one in reply.body["errors"]]


def test_draft_has_a_number_its_prices_and_a_last_day(draft, customer):
    made = draft()
    assert made["quoteNumber"].startswith("QUO-")
    assert (made["status"], made["revision"], made["revises"]) == ("draft", 1, None)
    assert made["amount"] == 1080
    price = made["price"]
    assert price["panes"][0]["total"] == "400.00"
    wanted = {
        "subtotal": "1200.00",
        "discount": 10,
        "discountAmount": "120.00",
        "total": "1080.00",
        "vat": "75.60",
        "totalWithVat": "1155.60",
        "isComplete": True,
    }
    assert {name: price[name] for name in wanted} == wanted
    days = timedelta(days=30)
    assert made["validUntil"][:10] >= (clock.now() + days).date().isoformat()[:8]
    assert "terms" not in made


def test_draft_is_priced_by_the_prices_that_it_was_made_with(admin, draft):
    made = draft()
    dearer = {"glassPrices": {"Clear": {"6mm": {"pricePerSqFt": 200}}}}
    admin.put("/api/pricing-settings", dearer)
    path = f"{PATH}/{made['_id']}"
    changed = admin.patch(path, {"panes": [{**PANE, "quantity": 4}]}).data
    assert changed["price"]["subtotal"] == "1600.00"
    assert changed["pricedAt"] == made["pricedAt"]
    asked = {"quote": made["_id"], "panes": [PANE]}
    assert admin.post(f"{PATH}/price", asked).data["subtotal"] == "400.00"
    del asked["quote"]
    assert admin.post(f"{PATH}/price", asked).data["subtotal"] == "800.00"
    current = admin.patch(path, {"currentPrices": True}).data
    assert current["price"]["subtotal"] == "3200.00"
    assert current["pricedAt"] > made["pricedAt"]


def test_other_customer_has_other_terms(admin, draft, workshop):
    made = draft()
    other = str(workshop.customer(name="Bee", discount=50).pk)
    changed = admin.patch(f"{PATH}/{made['_id']}", {"customer": other}).data
    assert changed["price"]["discount"] == 50
    assert changed["amount"] == 600


def test_rush_discount_and_agreed_price(admin, draft):
    panes = [{**PANE, "quantity": 2, "unitPrice": 333.33}, {"unitPrice": 100}]
    made = draft(panes=panes, isRush=True, discountPercent=0)
    priced = made["price"]["panes"]
    assert [one["total"] for one in priced] == ["333.33", "100.00"]
    assert [one["area"] for one in priced] == ["4", None]
    assert priced[0]["lines"][0]["part"] == "agreed"
    assert made["price"]["rush"] == "153.33"
    assert made["amount"] == 919.99
    assert [one["unitPrice"] for one in made["panes"]] == [333.33, 100]


def test_change_that_prices_do_not_depend_on_leaves_them(admin, draft):
    made = draft()
    changed = admin.patch(f"{PATH}/{made['_id']}", {"leadTime": "7 days"}).data
    assert changed["price"] == made["price"]
    assert changed["leadTime"] == "7 days"
    cleared = admin.patch(f"{PATH}/{made['_id']}", {"validUntil": None}).data
    assert cleared["validUntil"] == made["validUntil"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"discountPercent": 101}, "discountPercent"),
        ({"discountPercent": -1}, "discountPercent"),
        ({"panes": [{"quantity": 0}]}, "panes.0.quantity"),
        ({"panes": [{"unitPrice": -1}]}, "panes.0.unitPrice"),
        ({"language": "de"}, "language"),
        ({"validUntil": "2569-01-01"}, "validUntil"),
    ],
)
def test_impossible_values_are_refused(admin, customer, body, field):
    refused = admin.post(PATH, {"customer": customer, **body})
    assert refused.status == 400
    assert fields(refused) == [field]


def test_keys_of_quotes(client_with_keys, draft, sent):
    offered = sent()
    viewer = client_with_keys("pricing:view")
    assert read(viewer, offered)["_id"] == offered["_id"]
    for action in ("send", "accept", "reject", "revise"):
        assert act(viewer, offered, action).status == 403
    seller = client_with_keys("requests:manage")
    assert seller.get(PATH).status == 403
    order = {"material": "0" * 24}
    assert act(seller, offered, "accept", order=order).status == 403
    assert act(seller, offered, "accept").status == 200


def test_sent_quote_does_not_change(admin, sent, draft):
    offered = sent()
    assert offered["status"] == "sent"
    assert offered["sentAt"]
    assert offered["sentBy"]
    refused = admin.patch(f"{PATH}/{offered['_id']}", {"notes": "x"})
    assert (refused.status, code(refused)) == (409, "QUOTE_NOT_DRAFT")
    assert code(act(admin, offered, "send")) == "QUOTE_NOT_DRAFT"
    refused = admin.delete(f"{PATH}/{offered['_id']}")
    assert (refused.status, code(refused)) == (409, "IN_USE")
    assert read(admin, offered) == offered
    made = draft()
    assert admin.delete(f"{PATH}/{made['_id']}").status == 200


TOO_MANY = "11 panes: at most 10 in one request or quote"


def test_quote_without_panes_a_price_or_a_day_to_come_is_not_sent(admin, draft):
    refused = act(admin, draft(panes=[]), "send")
    assert (refused.status, fields(refused)) == (400, ["panes"])
    unpriced = {"dimensions": {"width": 200}}
    refused = act(admin, draft(panes=[PANE, unpriced]), "send")
    assert (refused.status, code(refused)) == (400, "NOT_PRICED")
    assert refused.body["errors"]["rows"] == [2]
    unsized = {"id": "n1", "type": "rectangle", "x": 0, "y": 0, "width": 50}
    made = draft(panes=[unpriced, PANE, {**PANE, "notches": [unsized], "unitPrice": 5}])
    assert [one["total"] is None for one in made["price"]["panes"]] == [
        True,
        False,
        True,
    ]
    refused = act(admin, made, "send")
    assert refused.message == (
        "No price: row 1 (no width or height), row 3 (a hole or a notch has no size)"
    )
    assert refused.body["errors"]["missing"] == {"1": "size", "3": "cutOut"}
    yesterday = (clock.now() - timedelta(days=2)).date().isoformat()
    refused = act(admin, draft(validUntil=yesterday), "send")
    assert (refused.status, fields(refused)) == (400, ["validUntil"])


def test_quote_of_which_no_request_could_be_made_is_not_sent(admin, draft, workshop):
    gone, kept = workshop.stations(2)
    unit = {**PANE, "rawGlass": {**PANE["rawGlass"], "sheetsPerPane": 2}}
    lost = workshop.material()
    made = draft(
        panes=[
            {**PANE, "routing": [str(gone.pk), str(kept.pk)]},
            {**PANE, "material": str(lost.pk)},
            {**unit, "routing": [str(kept.pk)]},  # it does not laminate
        ]
    )
    for path in (f"/api/stations/{gone.pk}", f"/api/materials/{lost.pk}"):
        assert admin.delete(path).status == 200
    refused = act(admin, made, "send")
    wanted = ["panes.0.routing", "panes.1.material", "panes.2.routing"]
    assert (refused.status, fields(refused)) == (400, wanted)


def test_more_panes_than_a_request_can_have_are_neither_kept_nor_sent(
    admin, draft, customer, set_policy
):
    panes = [{**PANE, "quantity": 6}, {**PANE, "quantity": 5}]
    made = draft(panes=panes)
    set_policy(max_array_length=10)
    for refused in (
        act(admin, made, "send"),
        admin.post(PATH, {"customer": customer, "panes": panes}),
        admin.patch(f"{PATH}/{made['_id']}", {"panes": panes}),
    ):
        assert refused.status == 400
        assert refused.faults == {"panes": TOO_MANY}
    assert admin.patch(f"{PATH}/{made['_id']}", {"notes": "later"}).status == 200
    assert admin.patch(f"{PATH}/{made['_id']}", {"panes": panes[:1]}).status == 200


def test_what_cannot_be_made_is_offered_with_a_reason_only(
    admin, client_with_keys, draft
):
    made = draft(panes=[PANE, UNMAKEABLE])
    assert made["panes"][1]["makeability"][0]["level"] == "refusal"
    refused = act(admin, made, "send")
    assert (refused.status, code(refused)) == (400, "NOT_MAKEABLE")
    assert [one["row"] for one in refused.body["errors"]["panes"]] == ["2"]
    seller = client_with_keys("requests:manage")
    reason = {"overrideReason": "The supplier cuts it"}
    assert act(seller, made, "send", **reason).status == 403
    offered = act(admin, made, "send", **reason)
    assert offered.status == 200
    assert offered.data["overrideReason"] == reason["overrideReason"]
    assert offered.data["overriddenBy"] == offered.data["sentBy"]
    assert offered.body["warnings"]


def test_sent_quote_has_the_conditions_of_the_workshop(admin, sent):
    conditions = {"conditions": "มัดจำ 50%", "conditionsEnglish": "50 % deposit"}
    admin.put("/api/workshop", conditions)
    assert sent()["conditions"] == "มัดจำ 50%"
    assert sent(language="en")["conditions"] == "50 % deposit"
    assert sent(conditions="cash")["conditions"] == "cash"
    for own, in_english in (("", "50 % deposit"), ("cash", "cash")):
        revision = act(admin, sent(conditions=own), "revise").data
        path = f"{PATH}/{revision['_id']}"
        assert admin.patch(path, {"language": "en"}).data["conditions"] == in_english
    admin.put("/api/workshop", {"conditionsEnglish": ""})
    assert sent(language="en")["conditions"] == "มัดจำ 50%"


def test_accepted_quote_is_a_request_with_its_panes(admin, sent, customer, workshop):
    routing = [str(one.pk) for one in workshop.stations(2)]
    hole = {"id": "h1", "x": 100, "y": 100, "diameter": 20}
    row = {**PANE, "quantity": 2, "holes": [hole], "routing": routing, "notes": "left"}
    offered = sent(
        panes=[row, {**PANE, "unitPrice": 5}],
        project="Lobby",
        deliveryAddress="Bang Na",
        referenceId="PO-1",
        notes="by truck",
        deadline="2027-01-05T00:00:00.000Z",
    )
    accepted = act(admin, offered, "accept", referenceId="PO-7")
    assert accepted.status == 200
    assert accepted.data["status"] == "accepted"
    assert accepted.data["answeredAt"]
    assert accepted.data["answeredBy"]
    request = admin.get(f"/api/requests/{accepted.data['request']}").data
    wanted = {
        "customer": customer,
        "details": {
            "type": "Lobby",
            "quantity": 3,
            "estimatedPrice": offered["amount"],
        },
        "deliveryLocation": "Bang Na",
        "referenceId": "PO-7",
        "notes": "by truck",
        "deadline": "2027-01-05T00:00:00.000Z",
    }
    assert {name: request[name] for name in wanted} == wanted
    panes = admin.get(f"/api/panes?request={request['_id']}&sort=paneNumber").data
    assert [len(pane["holes"]) for pane in panes] == [1, 1, 0]
    assert [pane["notes"] for pane in panes] == ["left", "left", ""]
    assert panes[0]["routing"] == routing
    assert accepted.data["order"] is None


def test_accepted_quote_is_an_order_too_if_asked_for(admin, sent, workshop):
    offered = sent()
    material = str(workshop.material().pk)
    station = str(workshop.station().pk)
    order = {"material": material, "stations": [station], "priority": 2}
    accepted = act(admin, offered, "accept", order=order).data
    made = admin.get(f"/api/orders/{accepted['order']}").data
    assert made["request"] == accepted["request"]
    assert (made["quantity"], made["paneCount"], made["priority"]) == (3, 3, 2)
    panes = admin.get(f"/api/panes?order={made['_id']}").data
    assert {pane["material"] for pane in panes} == {material}


def test_urgency_and_language_of_a_quote_reach_its_orders_and_deliveries(
    admin, sent, customer, workshop
):
    material = str(workshop.material().pk)
    ordered = {"customer": customer, "material": material, "quantity": 1}

    def accepted(order=None, **values):
        """Accept a quote of one pane; return its order, made at once or afterwards."""
        offered = sent(panes=[PANE], **values)
        if order is not None:
            made = act(admin, offered, "accept", order={"material": material, **order})
            return admin.get(f"/api/orders/{made.data['order']}").data
        request = act(admin, offered, "accept").data["request"]
        return admin.post("/api/orders", {**ordered, "request": request}).data

    urgent = accepted(isRush=True, language="en")
    thai = accepted(order={})
    found = [
        urgent,
        accepted(order={}, isRush=True),
        accepted(order={"priority": 0}, isRush=True),
        thai,
        admin.post("/api/orders", ordered).data,
    ]
    assert [order["priority"] for order in found] == [1, 1, 0, 0, 0]

    def language(*orders, **values):
        panes = [
            pane["_id"]
            for order in orders
            for pane in admin.get("/api/panes", order=order["_id"]).data
        ]
        body = {"customer": customer, "panes": panes, "address": "1", **values}
        made = admin.post("/api/deliveries", body).data
        assert admin.delete(f"/api/deliveries/{made['_id']}").status == 200
        return made["language"]

    assert language(urgent) == "en"
    assert language(urgent, language="th") == "th"
    assert language(thai) == language(urgent, thai) == language() == "th"


def test_deadline_that_is_over_is_named_when_a_quote_is_sent_and_accepted(admin, draft):
    made = draft(deadline="2020-01-05T00:00:00.000Z")
    for action in ("send", "accept"):
        answer = act(admin, made, action)
        assert [one["field"] for one in answer.body["warnings"]] == ["deadline"], action
    other = draft(deadline=f"{clock.now() + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}")
    assert "warnings" not in act(admin, other, "send").body


def test_order_that_cannot_be_created_leaves_the_quote_open(admin, sent):
    offered = sent()
    refused = act(admin, offered, "accept", order={"material": "0" * 24})
    assert refused.status == 400
    assert read(admin, offered) == offered
    assert admin.get("/api/requests").data == []


@pytest.mark.parametrize("second", ["accept", "reject", "send"])
def test_of_two_answers_at_once_one_counts(admin, sent, second):
    """A revision that is sent is the answer of the workshop."""
    offered = sent()
    other = act(admin, offered, "revise").data if second == "send" else offered
    replies = run_concurrently(
        [partial(act, admin, offered, "accept"), partial(act, admin, other, second)]
    )
    assert sorted(one.status for one in replies) == [200, 409]
    (refused,) = (one for one in replies if one.status == 409)
    assert code(refused) in ("QUOTE_NOT_OPEN", "QUOTE_NOT_REVISABLE")
    became = read(admin, offered)
    created = admin.get("/api/requests").data
    assert len(created) == (became["status"] == "accepted")
    assert len(admin.get("/api/panes").data) == 3 * len(created)


def test_rejected_quote_keeps_the_reason(admin, sent):
    offered = sent()
    rejected = act(admin, offered, "reject", reason="too dear").data
    assert (rejected["status"], rejected["rejectReason"]) == ("rejected", "too dear")
    refused = act(admin, offered, "accept")
    assert (refused.status, code(refused)) == (409, "QUOTE_NOT_OPEN")
    assert refused.body["errors"]["status"] == "rejected"


def test_revision_has_the_prices_of_the_quote_and_supersedes_it_once_sent(admin, sent):
    offered = sent(discountPercent=20, project="Lobby")
    dearer = {"glassPrices": {"Clear": {"6mm": {"pricePerSqFt": 200}}}}
    admin.put("/api/pricing-settings", dearer)
    revised = act(admin, offered, "revise")
    assert revised.status == 201
    second = revised.data
    assert second["quoteNumber"] == f"{offered['quoteNumber']}-R2"
    assert (second["revision"], second["revises"]) == (2, offered["_id"])
    assert second["status"] == "draft"
    assert second["price"] == offered["price"]
    assert read(admin, offered) == offered
    assert code(act(admin, offered, "revise")) == "QUOTE_NOT_REVISABLE"
    path = f"{PATH}/{second['_id']}"
    changed = admin.patch(path, {"panes": [PANE]}).data
    assert changed["price"]["subtotal"] == "400.00"
    assert act(admin, second, "send").status == 200
    assert read(admin, offered)["status"] == "superseded"
    assert code(act(admin, offered, "accept")) == "QUOTE_NOT_OPEN"
    third = act(admin, second, "revise").data
    assert third["quoteNumber"] == f"{offered['quoteNumber']}-R3"


def test_draft_and_accepted_quote_have_no_revision(admin, draft, sent):
    assert code(act(admin, draft(), "revise")) == "QUOTE_NOT_REVISABLE"
    offered = sent()
    act(admin, offered, "accept")
    assert code(act(admin, offered, "revise")) == "QUOTE_NOT_REVISABLE"


def test_quote_is_as_it_was_once_its_draft_revision_is_deleted(admin, sent):
    offered = sent()
    second = act(admin, offered, "revise").data
    admin.delete(f"{PATH}/{second['_id']}")
    assert read(admin, offered) == offered
    again = act(admin, offered, "revise").data
    assert again["quoteNumber"] == second["quoteNumber"]
    # the offer is accepted while its revision is written: that one is not sent any more
    assert act(admin, offered, "accept").status == 200
    assert code(act(admin, again, "send")) == "QUOTE_NOT_REVISABLE"


def test_restored_draft_is_sent(admin, draft):
    made = draft()
    path = f"{PATH}/{made['_id']}"
    admin.delete(path)
    assert admin.post(f"{path}/restore", {}).status == 201
    assert read(admin, made)["price"] == made["price"]
    assert act(admin, made, "send").status == 200


def test_of_equal_acceptances_at_once_one_creates_anything(
    admin, workshop, sent, monkeypatch
):
    order = {"material": str(workshop.material().pk)}
    call = partial(act, admin, sent(), "accept", order=order)
    created = record_commands(
        monkeypatch, lambda command: command.get("insert") == "panes", of_all=True
    )
    replies = run_concurrently([call] * 5)
    assert sorted(one.status for one in replies) == [200] + [409] * 4
    assert len(created.sent) == 1


def test_of_two_revisions_at_once_one_is_made(admin, sent):
    offered = sent()
    replies = run_concurrently([partial(act, admin, offered, "revise")] * 2)
    assert sorted(one.status for one in replies) == [201, 409]
    assert len(admin.get(PATH).data) == 2


def let_quotes_expire():
    """Do what the process that publishes does once a minute."""
    Overdue(is_holder=lambda: True).look()


def test_quote_expires_after_its_last_day(admin, client_with_keys, sent, clock_at):
    offered, other = sent(), sent()
    clock_at(40 * 86_400)
    let_quotes_expire()
    assert [one["status"] for one in admin.get(PATH).data] == ["expired", "expired"]
    assert admin.get(f"{PATH}?status=sent").data == []
    (row, *_) = admin.get(f"{PATH}/{offered['_id']}/history").data
    assert row["via"] == "service", row
    seller = client_with_keys("requests:manage")
    refused = act(seller, offered, "accept")
    assert (refused.status, code(refused)) == (409, "QUOTE_EXPIRED")
    assert act(admin, offered, "accept").status == 200
    assert act(seller, other, "reject", reason="late").status == 200


def test_quote_is_valid_through_its_last_day(admin, client_with_keys, sent, clock_at):
    offered = sent(validUntil=(clock.now() + timedelta(days=1)).isoformat())
    clock_at(86_400 - 60)
    seller = client_with_keys("requests:manage")
    assert act(seller, offered, "accept").status == 200


def test_customer_with_quotes_stays(admin, draft, customer):
    draft()
    refused = admin.delete(f"/api/customers/{customer}")
    assert code(refused) == "IN_USE"


def test_quote_of_a_deleted_request_stays_accepted(admin, sent):
    accepted = act(admin, sent(), "accept").data
    assert admin.delete(f"/api/requests/{accepted['request']}").status == 200
    left = read(admin, accepted)
    assert (left["status"], left["request"]) == ("accepted", None)
    admin.post(f"/api/requests/{accepted['request']}/restore", {})
    assert read(admin, accepted)["request"] == accepted["request"]


def test_enquiry_is_imported_as_a_draft_with_its_panes(admin, customer):
    name = admin.get(f"/api/customers/{customer}").data["name"]
    glass = {"panes.rawGlass.glassType": "Clear", "panes.rawGlass.thickness": 6}
    width, height = "panes.dimensions.width", "panes.dimensions.height"
    rows = [
        {"customer.name": name, "project": "Lobby", **glass, width: 200, height: 500,
         "panes.quantity": 3},
        {**glass, width: 1000, height: 1000, "panes.quantity": 1},
    ]  # fmt: skip
    imported = import_rows(admin, "quotes", rows)
    assert imported.status == 200, imported
    (made,) = admin.get(PATH).data
    assert [one["quantity"] for one in made["panes"]] == [3, 1]
    assert made["price"]["isComplete"]


def text_of(api, quote):
    """The text of the PDF of a quote, without spaces."""
    return "".join(text_of_pdf(api, f"{PATH}/{quote['_id']}/pdf").split())


def test_pdf_of_a_draft_has_its_lines_and_sums_and_is_marked(admin, draft, customer):
    admin.patch(
        f"/api/customers/{customer}", {"name": "บ้านใส", "taxId": "0107544000108"}
    )
    admin.put("/api/workshop", {"name": "โรงกระจก", "bankLine": "KBank 123"})
    hole = {"id": "h1", "x": 100, "y": 100, "diameter": 20}
    edge = {"side": "top", "edgeProfile": "bevel_10"}
    made = draft(
        panes=[{**PANE, "quantity": 3}, {**PANE, "holes": [hole], "edgeTasks": [edge]}]
    )
    admin.put("/api/pricing-settings", {"edgeRates": {"bevel_10": 40}})
    admin.patch(f"{PATH}/{made['_id']}", {"currentPrices": True})
    text = text_of(admin, made)
    for one in (
        made["quoteNumber"], "โรงกระจก", "บ้านใส", "0107544000108", "KBank123", "200×500",
        "1,200.00", "458.00", "ขอบเจียรปรี", "เจาะรู1รู", "ฉบับร่าง", "1,492.20", "1,596.65",
        "หนึ่งพันห้าร้อยเก้าสิบหกบาทหกสิบห้าสตางค์",
    ):  # fmt: skip
        assert one in text, one
    admin.patch(f"{PATH}/{made['_id']}", {"language": "en"})
    assert "Onethousandfivehundredninety-sixbaht" in text_of(admin, made)


def test_pdf_of_a_sent_quote_shows_the_parties_of_then(
    admin, client_with_keys, sent, customer, workshop
):
    admin.put("/api/workshop", {"name": "Old name", "conditions": "cash"})
    admin.patch(f"/api/customers/{customer}", {"name": "Aek"})
    kind = workshop.make("JobType", code="TMP", name="Tempered")
    offered = sent(language="en", panes=[{**PANE, "jobType": "TMP"}])
    admin.patch(f"/api/job-types/{kind.pk}", {"name": "Hardened"})
    admin.put("/api/workshop", {"name": "New name", "conditions": "deposit"})
    admin.patch(f"/api/customers/{customer}", {"name": "Renamed"})
    text = text_of(admin, offered)
    assert "Oldname" in text
    assert "cash" in text
    assert "Aek" in text
    assert "Tempered" in text
    assert "Newname" not in text
    assert "Renamed" not in text
    assert "DRAFT" not in text
    name = read(admin, offered)
    assert "parties" not in name
    # who may not read customers does not read them on paper either
    viewer = client_with_keys("pricing:view")
    assert "Aek" not in text_of(viewer, offered)


def test_worked_panes_have_drawings_if_the_workshop_wants_them(admin, sent):
    hole = {"id": "h1", "x": 60, "y": 170, "diameter": 20}
    polished = [
        {"side": side, "edgeProfile": "polished"}
        for side in ("top", "right", "bottom", "left")
    ]
    rows = [
        {**PANE, "holes": [hole], "cornerSpec": "R30"},
        {**PANE, "edgeTasks": polished},  # its description tells it whole
        {**PANE, "edgeTasks": polished[:1]},
        PANE,
    ]
    plain = sent(panes=rows, language="en")
    admin.put("/api/workshop", {"quoteDrawings": True})
    drawn = sent(panes=rows, language="en")
    admin.put("/api/workshop", {"quoteDrawings": False})
    confirmed = "Drawingconfirmed"
    assert text_of(admin, plain).count(confirmed) == 0
    text = text_of(admin, drawn)
    assert text.count(confirmed) == 2
    for words in ("Ø20", "R30", "top:polished"):
        assert words in text


def test_quote_that_is_not_priced_has_no_pdf(admin, draft):
    unpriced = draft(panes=[{"dimensions": {"width": 200}}])
    refused = admin.get(f"{PATH}/{unpriced['_id']}/pdf")
    assert (refused.status, code(refused)) == (400, "NOT_PRICED")
    refused = admin.get(f"{PATH}/{draft(panes=[])['_id']}/pdf")
    assert (refused.status, fields(refused)) == (400, ["panes"])


def test_figures_of_what_waits_expires_soon_and_was_answered(admin, sent, clock_at):
    soon = (clock.now() + timedelta(days=3)).date().isoformat()
    sent(validUntil=soon)
    for _ in range(2):
        sent()
    for action in ("accept", "accept", "reject"):
        act(admin, sent(), action)
    of_one = {"count": 1, "amount": 1080}
    none = {"count": 0, "amount": 0}
    found = admin.get(f"{PATH}/figures").data
    assert found == {
        "waiting": {"count": 3, "amount": 3240},
        "expiring": of_one,
        "answers": {
            "accepted": {"count": 2, "amount": 2160},
            "rejected": of_one,
            "expired": none,
        },
    }
    clock_at(10 * 86_400)
    let_quotes_expire()
    found = admin.get(f"{PATH}/figures").data
    assert (found["waiting"]["count"], found["expiring"]) == (2, none)
    assert found["answers"]["expired"] == of_one
    clock_at(110 * 86_400)
    let_quotes_expire()
    answers = admin.get(f"{PATH}/figures").data["answers"]
    assert answers == {
        "accepted": none,
        "rejected": none,
        "expired": {"count": 2, "amount": 2160},
    }
