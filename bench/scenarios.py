"""The kinds of requests that `bench.request_costs` measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from bench.timing import Request
from bench.workload import Workload
from demo.workshop import demo_passwords

SCAN_BEFORE = {
    "scan_in": (),
    "start": ("scan_in",),
    "complete": ("scan_in",),
    "scan_out": ("complete",),
    "qc_pass": ("complete",),
    "qc_fail": ("complete",),
}


@dataclass(frozen=True)
class Scenario:
    """A kind of request.

    `requests` creates the records for so many requests, and returns the requests. Slow
    ones are repeated less often, quick ones more often: `share` is the share of the rounds.
    """

    name: str
    requests: Callable[[Workload, int], Sequence[Request]]
    share: float = 1.0


def _read(name: str, path: str, share: float = 1.0) -> Scenario:
    """Return a scenario that reads one path; it may name a station."""

    def requests(workload: Workload, count: int) -> list[Request]:
        filled = path.format(station=workload.far_station)
        return [("GET", filled, None)] * count

    return Scenario(name, requests, share)


def _log_in(workload: Workload, count: int) -> list[Request]:
    logins = [
        {"username": name, "password": password}
        for name, password in demo_passwords().items()
    ]
    return [("POST", "/api/auth/login", logins[n % len(logins)]) for n in range(count)]


def _panes_of_an_order(workload: Workload, count: int) -> list[Request]:
    order, _ = workload.order(10)
    path = f"/api/panes?order={order['_id']}&limit=20&populate=true"
    return [("GET", path, None)] * count


def _create_customers(workload: Workload, count: int) -> list[Request]:
    return [("POST", "/api/customers", {"name": f"bench {n}"}) for n in range(count)]


def _change_stations(workload: Workload, count: int) -> list[Request]:
    rows = workload.api.get("/api/stations", limit=20)
    return [
        (
            "PATCH",
            f"/api/stations/{rows[n % len(rows)]['_id']}",
            {"notes": f"bench {n}"},
        )
        for n in range(count)
    ]


def _scan(action: str, workload: Workload, count: int) -> list[Request]:
    body = {"action": action, "station": workload.route[0]}
    if action == "qc_fail":
        body["reason"] = "broken"
    numbers = workload.numbers(count, *SCAN_BEFORE[action])
    return [("POST", f"/api/panes/{number}/scan", body) for number in numbers]


def _laminate(workload: Workload, count: int) -> list[Request]:
    body = {"action": "laminate", "station": workload.lamination}
    numbers = workload.complete_units(count)
    return [("POST", f"/api/panes/{number}/scan", body) for number in numbers]


SCENARIOS: Sequence[Scenario] = (
    Scenario("login", _log_in, share=0.3),
    _read("auth/me", "/api/auth/me"),
    # A list takes a few milliseconds: with so few of them two runs differ by a fifth.
    _read("panes, newest 20", "/api/panes?limit=20", share=4),
    _read("panes, newest 20, populated", "/api/panes?limit=20&populate=true", share=4),
    Scenario("panes of an order, populated", _panes_of_an_order, share=4),
    _read(
        "100 panes at a station", "/api/panes?station={station}&limit=100", share=0.3
    ),
    _read(
        "orders, newest 20, populated", "/api/orders?limit=20&populate=true", share=4
    ),
    _read("board", "/api/board", share=0.1),
    Scenario("new customer", _create_customers),
    Scenario("change of a station", _change_stations),
    # These come last: they create thousands of panes, which the reads above would read.
    *(Scenario(f"scan {action}", partial(_scan, action)) for action in SCAN_BEFORE),
    Scenario("scan laminate", _laminate, share=0.5),
)
