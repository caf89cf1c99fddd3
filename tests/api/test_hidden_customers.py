"""Names, telephones and addresses of customers are read by holders of a key for them only.

Every GET route of the API is read, and every event is received, by a worker with all keys
but those for customers and those with which such texts are written. All that tells of the
customer has one word, which nothing else has: the short name lacks it.
"""

import json
from types import SimpleNamespace

import pytest

from billing_scenarios import PRICES
from glassflow.core.events import event_log
from glassflow.domain.permissions import ALL_KEYS, CUSTOMER_NAMES
from pictures import photo
from route_walk import ids_of_records, read_routes, shown_at
from scenarios import order_with_panes, pass_station

WORD = "Wichaidee"
# `…:manage` and `…:create` of requests and orders stay away with their `:manage`
SHOWING = ("customers:view", "customers:manage", "orders:manage", "requests:manage")
OTHERS = [key for key in ALL_KEYS if key not in SHOWING]
WHERE_TO = {
    "recipient": f"Site of {WORD}",
    "address": f"1 {WORD} Road",
    "contact": f"Khun {WORD}",
    "phone": f"081 {WORD}",
}
CUSTOMER = {
    "name": f"Sombat Tempered Glass {WORD} Trading and Export Bangna Co., Ltd.",
    "phone": f"02 {WORD}",
    "address": f"2 {WORD} Road",
    "email": f"{WORD}@example.com",
    "contact": f"Khun {WORD}",
}
SHORT = "Sombat Tempered… Bangna"
HIDDEN = {*WHERE_TO, "handOvers"}
# What a driver needs, as long as the delivery can be handed over.
FOR_DRIVERS = {
    "/api/deliveries/open",
    "/api/deliveries/<oid:record_id>/checklist",
    "/api/deliveries/<oid:record_id>/pdf",
}
# Where holders of `customers:view` read the word, beside the routes of customers.
SHOWN_AT = FOR_DRIVERS | {
    "/api/deliveries",
    "/api/deliveries/<oid:record_id>",
    "/api/deliveries/<oid:record_id>/history",
    "/api/deliveries/export.csv",
    "/api/deliveries/export.xlsx",
    "/api/quotes",
    "/api/quotes/<oid:record_id>",
    "/api/quotes/<oid:record_id>/history",
    "/api/quotes/<oid:record_id>/pdf",
    "/api/orders",
    "/api/board",
    "/api/activity",
    "/api/events",
}
# Some of the routes that populate a customer.
NAMED_AT = {
    "/api/activity",
    "/api/deliveries/<oid:record_id>",
    "/api/orders",
    "/api/panes",
    "/api/requests/<oid:record_id>/history",
}


@pytest.fixture
def readers(client_with_keys):
    """Workers who may not see customers, or by short names, one who may, one who plans, a screen."""
    return SimpleNamespace(
        others=client_with_keys(*OTHERS),
        floor=client_with_keys(*OTHERS, CUSTOMER_NAMES),
        seller=client_with_keys(*OTHERS, "customers:view"),
        planner=client_with_keys(*OTHERS, "orders:manage"),
        screen=client_with_keys("orders:view"),
    )


@pytest.fixture
def job(admin, workshop):
    """An order whose delivery was handed over, undone and planned again, and a sent quote."""
    before = event_log.last()  # the log has the events of earlier tests, too
    job = order_with_panes(admin, workshop, steps=1)
    assert pass_station(admin, job.numbers[0], job.stations[0]).status == 200
    assert admin.patch(f"/api/customers/{job.customer}", CUSTOMER).status == 200
    body = {"customer": job.customer, "panes": [job.panes[0]["_id"]], **WHERE_TO}
    job.before, job.delivery = before, admin.post("/api/deliveries", body).data
    job.path = f"/api/deliveries/{job.delivery['_id']}"
    hand_over(admin, job)
    assert admin.post(f"{job.path}/undo", {"reason": "wrong van"}).status == 200
    job.quote = quote_of(admin, job.customer)
    return job


def hand_over(api, job):
    signature = api.post("/api/attachments", {"photo": photo("image/png")})
    body = {"paneNumbers": job.numbers, "receivedBy": f"Khun {WORD}"}
    body["signature"] = signature.data["_id"]
    answer = api.post(f"{job.path}/hand-over", body)
    assert answer.status == 200
    return answer


def quote_of(api, customer):
    assert api.put("/api/pricing-settings", PRICES).status == 200
    pane = {
        "dimensions": {"width": 200, "height": 500},
        "rawGlass": {"glassType": "Clear", "thickness": 6},
    }
    body = {
        "customer": customer,
        "deliveryAddress": f"3 {WORD} Road",
        "panes": [pane],
    }
    made = api.post("/api/quotes", body)
    assert made.status == 201, made.body
    return made.data


def has_word(text):
    return WORD.upper() in text.upper()


def has_short_name(text):
    return SHORT in text


@pytest.mark.slow
def test_no_route_but_those_of_drivers_tells_of_a_customer(app, admin, readers, job):
    ids = ids_of_records(app, admin)
    ids |= {"panes": job.panes[0]["_id"], "before": job.before}
    for reader in (readers.others, readers.floor):
        found, readable = shown_at(reader, read_routes(app), ids, has_word)
        assert found == FOR_DRIVERS
        assert readable >= SHOWN_AT
        assert len(readable) > 80
    for reader, named_at in ((readers.others, set()), (readers.floor, NAMED_AT)):
        assert shown_at(reader, NAMED_AT, ids, has_short_name)[0] == named_at
    found, _ = shown_at(readers.seller, SHOWN_AT, ids, has_word)
    assert found == SHOWN_AT
    found, _ = shown_at(readers.screen, SHOWN_AT, ids, has_word)
    assert found == set()
    assert readers.planner.get(job.path).data["recipient"] == WHERE_TO["recipient"]
    assert readers.screen.get("/api/board").data["deliveries"][0]["recipient"] is None


def test_hidden_fields_are_left_out_of_a_delivery_and_its_checklist(readers, job):
    shown = readers.seller.get(job.path).data
    assert {*shown} - {*readers.others.get(job.path).data} == HIDDEN
    checklist = f"{job.path}/checklist"
    listed = readers.seller.get(checklist).data
    assert {*listed} - {*readers.screen.get(checklist).data} == HIDDEN & {*listed}
    assert readers.others.get(checklist).data == listed


def test_driver_no_longer_reads_of_a_delivery_that_cannot_be_undone(
    admin, readers, job, monkeypatch
):
    answer = hand_over(readers.others, job)
    assert not has_word(answer.text)
    checklist, note = f"{job.path}/checklist", f"{job.path}/pdf"
    assert has_word(readers.others.get(checklist).text)
    from glassflow.domain import deliveries

    ended = deliveries.UNDO_WINDOW * 0
    assert admin.post(f"{job.path}/undo", {"reason": "again"}).status == 200
    monkeypatch.setattr(deliveries, "UNDO_WINDOW", ended)
    hand_over(admin, job)
    assert not has_word(readers.others.get(checklist).text)
    assert has_word(readers.seller.get(checklist).text)
    assert readers.others.session.get(readers.others.url + note).status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        {"sort": "address"},
        {"recipient": WHERE_TO["recipient"]},
        {"phone_ne": "null"},
    ],
)
def test_lists_are_neither_sorted_nor_filtered_by_hidden_fields(readers, job, query):
    for path in ("/api/deliveries", "/api/deliveries/export.csv"):
        assert readers.others.get(path, **query).status == 403
        assert readers.seller.get(path, **query).status == 200


def test_search_finds_deliveries_and_quotes_by_their_numbers_only(readers, job):
    for path, number in (
        ("/api/deliveries", job.delivery["deliveryNumber"]),
        ("/api/quotes", job.quote["quoteNumber"]),
    ):
        for text, found_by_others in ((WORD, 0), (number.lower(), 1)):
            for api, count in (
                (readers.others, found_by_others),
                (readers.floor, found_by_others),
                (readers.seller, 1),
            ):
                assert len(api.get(path, search=text).data) == count, (path, text)
    for api in (readers.others, readers.floor):
        assert api.get("/api/search", q=WORD).data == []
        assert api.get("/api/search", q="Sombat").data == []
    kinds = {one["kind"] for one in readers.seller.get("/api/search", q=WORD).data}
    assert kinds == {"delivery", "quote", "customer"}


def test_events_tell_of_customers_to_holders_of_a_key_only(admin, readers, job, screen):
    screens = {
        name: screen(api, "join_dashboard", "join_order")
        for name, api in vars(readers).items()
    }
    start = screens["others"].catch_up(admin).metas[-1]["seq"]
    order = f"/api/orders/{job.order['_id']}"
    assert admin.patch(job.path, {"notes": "ring twice"}).status == 200
    assert admin.patch(order, {"notes": "y"}).status == 200
    received = {}
    for name, one in screens.items():
        one.catch_up(admin)
        found = [
            (event, payload)
            for (event, payload), meta in zip(one.received, one.metas, strict=True)
            if meta["seq"] > start and event in ("delivery:updated", "order:updated")
        ]
        # each change once, to all alike
        assert [event for event, _ in found] == ["delivery:updated", "order:updated"]
        received[name] = json.dumps(found)
    told = {name for name, text in received.items() if has_word(text)}
    assert told == {"seller", "planner"}
    log = readers.others.get("/api/events", event="delivery:updated", after=job.before)
    assert log.data
    assert not has_word(log.text)


def test_holder_of_the_key_of_short_names_reads_nothing_else_of_customers(readers, job):
    path, floor = f"/api/orders/{job.order['_id']}", readers.floor
    short = {"_id": job.customer, "shortName": SHORT}
    assert floor.get(path, populate="customer").data["customer"] == short
    assert floor.get("/api/customers").status == 403
    for name in ("name", "shortName"):
        assert floor.get("/api/orders", sort=f"customer.{name}").status in (400, 403)
    for populate in ("order.customer", "order.customer.shortName"):
        pane = floor.get(f"/api/panes/{job.panes[0]['_id']}", populate=populate).data
        assert pane["order"]["customer"] == short
        of_seller = readers.seller.get(
            f"/api/panes/{job.panes[0]['_id']}", populate=populate
        ).data["order"]["customer"]
        assert has_word(str(of_seller)) == (populate == "order.customer")
        assert of_seller["shortName"] == SHORT
        pane = readers.others.get(
            f"/api/panes/{job.panes[0]['_id']}", populate=populate
        ).data
        assert pane["order"]["customer"] == job.customer
