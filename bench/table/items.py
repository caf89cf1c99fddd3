"""The inputs of the scenarios: one for each request, over HTTP and for the floor alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bench.table.workload import (
    BATCH_SIZE,
    MAX_PANES_PER_REQUEST,
    PANES_PER_ORDER,
    Workload,
)
from demo.workshop import demo_passwords

Item = dict[str, Any]
PAGE = 20  # rows
PANE_REFERENCES = {
    "orders": ["order"],
    "requests": ["request"],
    "materials": ["material"],
    "stations": ["currentStation", "routing", "laminateStation"],
}
ORDER_REFERENCES = {
    "requests": ["request"],
    "customers": ["customer"],
    "materials": ["material"],
    "stations": ["stations"],
}
SCAN_BEFORE = {
    "scan_in": (),
    "start": ("scan_in",),
    "complete": ("scan_in",),
    "scan_out": ("complete",),
    "qc_pass": ("complete",),
    "qc_fail": ("complete",),
}


def same_item(item: Item) -> Callable[[Workload, int], Sequence[Item]]:
    """Return a function that gives the same input to each request."""
    return lambda workload, count: [item] * count


def scan_items(action: str, workload: Workload, count: int) -> list[Item]:
    """Panes in the state that the action needs."""
    given = {"action": action, "station": workload.route[0]}
    if action == "qc_fail":
        given["reason"] = "broken"
    numbers = workload.numbers(count, *SCAN_BEFORE[action])
    return [{"number": number, **given} for number in numbers]


def hot_items(workload: Workload, count: int) -> list[Item]:
    """Panes of one order after another, as large as they can be, to be scanned out."""
    orders = workload.orders(count, per_order=min(count, MAX_PANES_PER_REQUEST))
    numbers = [pane["paneNumber"] for order in orders for pane in order["panes"]]
    workload.scan_all(numbers, "complete")
    given = {"action": "scan_out", "station": workload.route[0]}
    return [{"number": number, **given} for number in numbers]


def unit_items(workload: Workload, count: int) -> list[Item]:
    """A sheet of each of so many complete units."""
    given = {"action": "laminate", "station": workload.lamination}
    return [{"number": one, **given} for one in workload.complete_units(count)]


def batch_items(workload: Workload, count: int) -> list[Item]:
    """Whole orders."""
    given = {"action": "scan_in", "station": workload.route[0]}
    return [
        {"numbers": [pane["paneNumber"] for pane in order["panes"]], **given}
        for order in workload.orders(BATCH_SIZE * count, per_order=BATCH_SIZE)
    ]


def request_items(panes: int, workload: Workload, count: int) -> list[Item]:
    """Requests with so many panes."""
    item = {"customer": workload.customer, "routing": workload.route, "panes": panes}
    return [item] * count


def login_items(workload: Workload, count: int) -> list[Item]:
    """The logins of the demo workers, in turns."""
    logins = [
        {"username": name, "password": password}
        for name, password in demo_passwords().items()
    ]
    return [logins[index % len(logins)] for index in range(count)]


def page_items(
    collection: str, references: Mapping[str, Any], workload: Workload, count: int
) -> list[Item]:
    """The newest 20."""
    if collection == "orders":
        workload.orders(2 * PAGE * PANES_PER_ORDER)
    return [{"limit": PAGE, "populate": references}] * count


def order_items(workload: Workload, count: int) -> list[Item]:
    """The panes of one order."""
    orders = workload.orders(10)
    return [
        {"order": orders[0]["_id"], "limit": 20, "populate": PANE_REFERENCES}
    ] * count


def station_items(workload: Workload, count: int) -> list[Item]:
    """The panes at the station where the many wait."""
    return [{"station": workload.far_station, "limit": 100}] * count


def number_items(workload: Workload, count: int) -> list[Item]:
    """The number of one pane."""
    number = workload.orders(10)[0]["panes"][0]["paneNumber"]
    return [{"text": number}] * count


def new_customers(workload: Workload, count: int) -> list[Item]:
    """Names of new customers."""
    return [{"name": f"bench {index}"} for index in range(count)]


def changes_of(collection: str, workload: Workload, count: int) -> list[Item]:
    """Changes of different records, each with another text."""
    rows = workload.api.get(f"/api/{collection}", limit=20)
    return [
        {"id": rows[index % len(rows)]["_id"], "notes": f"bench {index}"}
        for index in range(count)
    ]
