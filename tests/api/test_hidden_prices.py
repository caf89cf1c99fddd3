"""Prices of requests and panes are for holders of `pricing:view` or `requests:manage` only.

Every GET route of the API is read, and every event is received, by three workers: one with
all keys but those that show prices, and two with one of these keys besides.
"""

import json
import re
from datetime import timedelta
from types import SimpleNamespace

import pytest

from glassflow.core.events import event_log
from glassflow.core.process import clock
from glassflow.domain.permissions import ALL_KEYS, EVERYTHING
from glassflow.jobs.webhooks import messages
from glassflow.services.auth import identity
from realtime.test_event_log import wait_until_published
from route_walk import POPULATE, ids_of_records, read_routes, shown_at
from scenarios import (
    bring_to_lamination,
    claim_under_order,
    order_with_panes,
    order_with_units,
)
from tables_api import exported_rows

PRICE, HIGHER = 98765.43, 98765.54
# of the request, and of each of its two panes; not as a part of an id or a hash, which are
# random
DIGITS = re.compile(r"(?<![0-9a-f])(98,?765|49,?382)(?![0-9a-f])")
PRICED = "details.estimatedPrice"
SHOWING = ("pricing:view", "requests:manage")
# `pricing:manage` implies one of them
OTHERS = [key for key in ALL_KEYS if key not in {*SHOWING, "pricing:manage"}]
ROOMS = ("dashboard", "request", "order", "claim", "pane", "production", "station")
# Where holders of one of the keys find the price.
SHOWN_AT = {
    "/api/requests",
    "/api/requests/export.csv",
    "/api/requests/export.xlsx",
    "/api/requests/<oid:record_id>",
    "/api/requests/<oid:record_id>/history",
    "/api/requests/<oid:record_id>/cancellation",
    "/api/orders",
    "/api/orders/due",
    "/api/orders/<oid:record_id>",
    "/api/claims",
    "/api/claims/<oid:record_id>",
    "/api/claims/<oid:record_id>/outcomes",
    "/api/pane-logs",
    "/api/panes",
    "/api/panes/<oid:record_id>",
    "/api/panes/<oid:record_id>/history",
    "/api/panes/<number>/related",
    "/api/panes/export.csv",
    "/api/panes/<number>/passport",
    "/api/saved-exports/<oid:record_id>/file",
    "/api/activity",
    "/api/dashboard/stats",
    "/api/events",
}


@pytest.fixture
def readers(client_with_keys):
    """A worker who is shown no prices, and two with one of the keys that show them."""
    return SimpleNamespace(
        others=client_with_keys(*OTHERS),
        pricing=client_with_keys(*OTHERS, "pricing:view"),
        sales=client_with_keys(*OTHERS, "requests:manage"),
    )


@pytest.fixture
def job(admin, worker, workshop):
    """A job with a priced request, a claim, a scan, and another request that is deleted."""
    before = event_log.last()  # the log has the events of earlier tests, too
    job = order_with_panes(admin, workshop, panes=2)
    job.before, job.path = before, path_of(job)
    set_price(admin, job, PRICE)
    later = {"deadline": "2027-01-05T09:00:00Z", "reason": "a"}
    assert admin.post(f"{job.path}/changes", later).status == 201
    details = {"type": "door", "quantity": 1, "estimatedPrice": PRICE}
    body = {"customer": job.customer, "details": details}
    job.deleted = f"/api/requests/{admin.post('/api/requests', body).data['_id']}"
    assert admin.delete(job.deleted).status == 200
    worker.scan(job.numbers[0], "scan_in")
    job.claim = claim_under_order(admin, job)
    export = {"name": "all requests", "resource": "requests", "shared": True}
    assert admin.post("/api/saved-exports", export).status == 201
    return job


def has_price(text):
    """Whether a text has one of the prices, whatever stands after the decimal point."""
    return bool(DIGITS.search(text))


def path_of(job):
    return f"/api/requests/{job.request['_id']}"


def set_price(api, job, price):
    body = {"details": {"estimatedPrice": price}}
    assert api.patch(path_of(job), body).status == 200


@pytest.mark.slow
def test_no_route_shows_the_price_without_one_of_the_keys(app, admin, readers, job):
    ids = ids_of_records(app, admin)
    ids |= {"requests": job.request["_id"], "panes": job.panes[0]["_id"]}
    ids["before"] = job.before
    found, readable = shown_at(readers.others, read_routes(app), ids, has_price)
    assert found == set()
    assert readable >= SHOWN_AT
    parts = f"{job.path}/agreed-price"
    assert readers.others.get(parts).status == 403
    assert readers.pricing.get(parts).status == 200
    assert len(readable) > 80
    for reader in (readers.pricing, readers.sales):
        found, _ = shown_at(reader, SHOWN_AT, ids, has_price)
        assert found == SHOWN_AT


def test_passport_at_a_moment_hides_the_price(readers, job):
    path = f"/api/panes/{job.numbers[0]}/passport"
    at = f"{clock.now() + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
    hidden, shown = (api.get(path, at=at) for api in (readers.others, readers.pricing))
    assert hidden.data["request"]["_id"] == job.request["_id"]
    assert not has_price(hidden.text)
    assert has_price(shown.text)


def test_history_of_a_deleted_request_hides_its_price(readers, job):
    path = f"{job.deleted}/history"
    hidden = readers.others.get(path)
    assert [one["action"] for one in hidden.data] == ["deleted", "created"]
    assert not has_price(hidden.text)
    assert "door" in hidden.text
    assert has_price(readers.pricing.get(path).text)


def test_history_leaves_out_a_change_of_the_price_alone(admin, readers, job):
    path = f"{job.path}/history"
    of_all, of_others = (
        [one["version"] for one in api.get(path).data]
        for api in (readers.pricing, readers.others)
    )
    set_price(admin, job, HIGHER)
    assert [one["version"] for one in readers.others.get(path).data] == of_others
    assert len(readers.pricing.get(path).data) == len(of_all) + 1
    assert admin.patch(job.path, {"details": {"quantity": 7}}).status == 200
    newest = readers.others.get(path).data[0]["changes"]
    assert [one["field"] for one in newest] == ["details"]
    assert newest[0]["to"] == {"type": "window", "quantity": 7}


def test_hidden_price_is_left_out_of_its_object(readers, job):
    shown = readers.others.get(job.path).data["details"]
    assert shown == {"type": "window", "quantity": 2}
    assert readers.sales.get(job.path).data["details"] == {
        **shown,
        "estimatedPrice": PRICE,
    }


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_export_has_no_column_of_hidden_prices(readers, job, format):
    hidden = exported_rows(readers.others, "requests", format)
    shown = exported_rows(readers.sales, "requests", format)
    assert {*shown[0]} - {*hidden[0]} == {PRICED, "unsharedPrice", "changes"}


@pytest.mark.parametrize(
    ("path", "sort"),
    [
        ("/api/requests", PRICED),
        ("/api/requests", f"-{PRICED}"),
        ("/api/requests", "details"),
        ("/api/requests/export.csv", PRICED),
        ("/api/orders", f"request.{PRICED}"),
        ("/api/panes", f"request.{PRICED}"),
    ],
)
def test_sort_by_a_hidden_price_is_refused(readers, job, path, sort):
    assert readers.others.get(path, sort=sort).status == 403
    assert readers.pricing.get(path, sort=sort).status == 200


def test_neither_filter_nor_search_finds_a_price(readers, job):
    for api in (readers.others, readers.pricing):
        every = api.get("/api/requests").data
        for name in (f"{PRICED}_gte", PRICED):
            found = api.get("/api/requests", **{name: str(HIGHER)})
            assert len(found.data) == len(every)
            assert name in json.dumps(found.body["warnings"])
        assert api.get("/api/requests", search=str(PRICE)).data == []
        assert api.get("/api/search", q="98765").data == []


def test_answers_to_changes_of_other_records_hide_the_price(readers, job):
    path = f"/api/orders/{job.order['_id']}?populate={POPULATE}"
    for api in (readers.others, readers.pricing, readers.sales):
        answer = api.patch(path, {"notes": "x"})
        assert answer.data["request"]["_id"] == job.request["_id"]
        assert has_price(answer.text) == (api is not readers.others)


def test_answers_to_changes_of_requests_show_the_price(readers, job):
    answer = readers.sales.patch(job.path, {"notes": "x"})
    assert answer.data["details"]["estimatedPrice"] == PRICE


def test_figure_of_open_orders_needs_one_of_the_keys(readers, job):
    values = [
        api.get("/api/dashboard/stats").data["toDo"]["openValue"]
        for api in (readers.others, readers.pricing, readers.sales)
    ]
    assert values == [None, PRICE, PRICE]


def change_all(admin, worker, job):
    """Change the request and what belongs to it, so that each has events."""
    set_price(admin, job, HIGHER)
    order, claim = f"/api/orders/{job.order['_id']}", f"/api/claims/{job.claim['_id']}"
    assert admin.patch(order, {"notes": "y"}).status == 200
    assert admin.patch(claim, {"description": "y"}).status == 200
    worker.scan(job.numbers[1], "scan_in")
    body = {"customer": job.customer, "details": {"type": "door", "quantity": 1}}
    body["details"]["estimatedPrice"] = PRICE
    made = admin.post("/api/requests", body).data
    assert admin.delete(f"/api/requests/{made['_id']}").status == 200


def test_events_carry_the_price_to_holders_of_the_keys_only(
    admin, worker, readers, job, screen
):
    screens = {
        name: screen(api, *(f"join_{room}" for room in ROOMS))
        for name, api in vars(readers).items()
    }
    start = screens["others"].catch_up(admin).metas[-1]["seq"]
    change_all(admin, worker, job)
    received = {}
    for name, one in screens.items():
        one.catch_up(admin)
        found = [
            pair
            for pair, meta in zip(one.received, one.metas, strict=True)
            if meta["seq"] > start and pair[0] != "notification"
        ]
        received[name] = [(event, payload.get("action")) for event, payload in found]
        assert has_price(json.dumps(found)) == (name != "others"), name
    # each change once, to all alike
    assert received["others"] == received["pricing"] == received["sales"]
    requests = [action for event, action in received["others"] if "request" in event]
    assert requests == ["updated", "created", "deleted"]
    assert {"order:updated", "pane:updated", "claim:updated"} <= {
        event for event, _ in received["others"]
    }


def test_lamination_tells_the_price_to_holders_of_the_keys_only(
    admin, readers, workshop, screen
):
    job = order_with_units(admin, workshop, before=0, after=0)
    set_price(admin, job, PRICE)
    for sheet in job.sheets[0]:
        bring_to_lamination(admin, sheet, job)
    number, station = job.sheets[0][0], job.lamination_station
    screens = [screen(one, "join_pane") for one in (readers.others, readers.sales)]
    assert admin.scan(number, "laminate", station=station).status == 200
    told = [
        [one for one in mine.catch_up(admin).received if one[0] == "pane:laminated"]
        for mine in screens
    ]
    assert [len(one) for one in told] == [1, 1]
    assert [has_price(json.dumps(one)) for one in told] == [False, True]


def test_event_log_and_resume_hide_the_price(admin, worker, readers, job, screen):
    change_all(admin, worker, job)
    wait_until_published()
    numbers = {}
    for name, api in vars(readers).items():
        answer = api.get("/api/events", event="request:updated", after=job.before)
        assert has_price(answer.text) == (name != "others"), name
        numbers[name] = [
            (row["data"]["action"], row["data"]["data"]["version"], row["rooms"])
            for row in answer.data
        ]
        late = screen(api, "join_request", "join_dashboard")
        assert late.call("resume", {"after": job.before})["ok"]
        assert has_price(json.dumps(late.received)) == (name != "others"), name
    assert numbers["others"] == numbers["pricing"] == numbers["sales"]


def test_open_socket_follows_the_rights_of_its_worker(
    admin, client_with_keys, job, screen
):
    reader = client_with_keys(*OTHERS)
    mine = screen(reader, "join_request")
    role = f"/api/roles/{reader.worker.role}"

    def prices():
        events = mine.events_during(admin, lambda: set_price(admin, job, PRICE))
        found = [one for event, one in events if event == "request:updated"]
        set_price(admin, job, 1)
        return [one["data"]["details"].get("estimatedPrice") for one in found]

    set_price(admin, job, 1)
    assert prices() == [None]
    mine.events_during(
        admin,
        lambda: admin.patch(role, {"permissions": [*OTHERS, "pricing:view"]}).data,
    )
    assert prices() == [PRICE]
    mine.events_during(admin, lambda: admin.patch(role, {"permissions": OTHERS}).data)
    assert prices() == [None]


def test_webhook_is_sent_each_change_once_with_the_price(admin, readers, job):
    """Only holders of `*` have webhooks; nothing is delivered once the owner lacks it."""
    hook = {"url": "https://example.com/hook", "events": ["*"]}
    assert readers.others.post("/api/webhooks", hook).status == 403
    set_price(admin, job, HIGHER)
    admin.get("/api/events")
    owner = identity.identify(admin.token)
    assert EVERYTHING in owner.keys
    events = event_log.named("request:updated", after=job.before, upto=event_log.last())
    sent = [
        json.loads(messages.body_of(one, owner))["data"]["data"]
        for one in events
        if messages.rooms_of(one, owner)
    ]
    mine = [one for one in sent if one["_id"] == job.request["_id"]]
    versions = [one["version"] for one in mine]
    assert versions == sorted(set(versions))
    assert all("estimatedPrice" in one["details"] for one in sent)
