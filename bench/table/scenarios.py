"""The scenarios: what a request is, over HTTP and as an operation of the floor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bench.connection import Connection
from bench.table.items import (
    ORDER_REFERENCES,
    PANE_REFERENCES,
    SCAN_BEFORE,
    Item,
    batch_items,
    changes_of,
    hot_items,
    login_items,
    new_customers,
    number_items,
    order_items,
    page_items,
    request_items,
    same_item,
    scan_items,
    station_items,
    unit_items,
)
from bench.table.workload import Workload

CONCURRENCY = 8
# The targets: ratios to the floor, in processor time of service and store together.
MAX_SCAN, MAX_LIST, MAX_REQUEST = 1.8, 1.6, 2.5
# A list takes a few milliseconds: with so few of them two runs differ by a fifth.
LIST_SHARE = 4.0


@dataclass(frozen=True)
class Scenario:
    """A kind of request.

    `items` creates so many inputs, each for one request; `send` sends one of them, and
    the floor's operation `floor` takes the same. Slow ones are repeated less often,
    quick ones more often: `share` is the share of the rounds. `at_once` is how many are sent at once while
    processor time is measured, `times_at_once` while times are. `max_ratio` is the target
    for the ratio to the floor.
    """

    name: str
    items: Callable[[Workload, int], Sequence[Item]]
    send: Callable[[Connection, Item], Any]
    floor: str
    share: float = 1.0
    at_once: int = CONCURRENCY
    times_at_once: int = 1
    max_ratio: float | None = None


def _scan(connection: Connection, item: Item) -> None:
    body = {name: item[name] for name in item if name != "number"}
    connection.request("POST", f"/api/panes/{item['number']}/scan", body)


def _scan_batch(connection: Connection, item: Item) -> None:
    body = {"paneNumbers": item["numbers"]}
    body |= {name: item[name] for name in ("action", "station")}
    connection.request("POST", "/api/panes/batch-scan", body)


def _create_request(connection: Connection, item: Item) -> None:
    body = {
        "customer": item["customer"],
        "details": {"type": "window", "quantity": item["panes"]},
        "panes": [{"routing": item["routing"]}] * item["panes"],
    }
    connection.request("POST", "/api/requests", body)


def _log_in(connection: Connection, item: Item) -> None:
    connection.request("POST", "/api/auth/login", item)


def _get(path: str) -> Callable[[Connection, Item], Any]:
    return lambda connection, item: connection.request("GET", path.format(**item))


def _patch(collection: str) -> Callable[[Connection, Item], Any]:
    return lambda connection, item: connection.request(
        "PATCH", f"/api/{collection}/{item['id']}", {"notes": item["notes"]}
    )


def _post_customer(connection: Connection, item: Item) -> None:
    connection.request("POST", "/api/customers", item)


def _scan_scenario(action: str) -> Scenario:
    floor = "qc_fail" if action == "qc_fail" else "scan"
    items = partial(scan_items, action)
    return Scenario(f"scan {action}", items, _scan, floor, max_ratio=MAX_SCAN)


SCENARIOS: Sequence[Scenario] = (
    Scenario("login", login_items, _log_in, "login", share=0.3),
    Scenario("auth/me", same_item({}), _get("/api/auth/me"), "me"),
    Scenario(
        "panes, newest 20",
        partial(page_items, "panes", {}),
        _get("/api/panes?limit=20"),
        "panes",
        share=LIST_SHARE,
        max_ratio=MAX_LIST,
    ),
    Scenario(
        "panes, newest 20, populated",
        partial(page_items, "panes", PANE_REFERENCES),
        _get("/api/panes?limit=20&populate=true"),
        "panes",
        share=LIST_SHARE,
        max_ratio=MAX_LIST,
    ),
    Scenario(
        "panes of an order, populated",
        order_items,
        _get("/api/panes?order={order}&limit=20&populate=true"),
        "panes_of_order",
        share=LIST_SHARE,
        max_ratio=MAX_LIST,
    ),
    Scenario(
        "100 panes at a station",
        station_items,
        _get("/api/panes?station={station}&limit=100"),
        "panes_at_station",
        share=0.3,
        max_ratio=MAX_LIST,
    ),
    Scenario(
        "orders, newest 20",
        partial(page_items, "orders", {}),
        _get("/api/orders?limit=20"),
        "orders",
        share=LIST_SHARE,
        max_ratio=MAX_LIST,
    ),
    Scenario(
        "orders, newest 20, populated",
        partial(page_items, "orders", ORDER_REFERENCES),
        _get("/api/orders?limit=20&populate=true"),
        "orders",
        share=LIST_SHARE,
        max_ratio=MAX_LIST,
    ),
    Scenario(
        "search of a pane number",
        number_items,
        _get("/api/panes?search={text}"),
        "search_number",
        share=0.3,
    ),
    Scenario(
        "search of a word",
        same_item({"text": "laminated"}),
        _get("/api/panes?search={text}"),
        "search_text",
        share=0.1,
        at_once=2,
    ),
    Scenario(
        "dashboard",
        same_item({}),
        _get("/api/dashboard/stats"),
        "dashboard",
        share=0.1,
        at_once=2,
    ),
    Scenario("new customer", new_customers, _post_customer, "new_customer"),
    Scenario(
        "change of a customer",
        partial(changes_of, "customers"),
        _patch("customers"),
        "customer",
    ),
    Scenario(
        "change of a station",
        partial(changes_of, "stations"),
        _patch("stations"),
        "station",
    ),
    # These come last: they create tens of thousands of panes, of which the lists above
    # would read all of the last hours.
    *map(_scan_scenario, SCAN_BEFORE),
    Scenario(
        "scan laminate", unit_items, _scan, "laminate", share=0.5, max_ratio=MAX_SCAN
    ),
    Scenario(
        "one hot order, 8 scanners",
        hot_items,
        _scan,
        "scan",
        times_at_once=CONCURRENCY,
        max_ratio=MAX_SCAN,
    ),
    Scenario("batch of 50 scans", batch_items, _scan_batch, "batch", share=0.2),
    Scenario(
        "request with 20 panes",
        partial(request_items, 20),
        _create_request,
        "request",
        share=0.5,
        max_ratio=MAX_REQUEST,
    ),
    Scenario(
        "request with 500 panes",
        partial(request_items, 500),
        _create_request,
        "request",
        share=0.1,
        at_once=1,
    ),
)
