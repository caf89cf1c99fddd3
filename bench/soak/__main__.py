"""`python -m bench.soak`: hundreds of screens, a bad network, restarts; then a table.

Ends with 1 if anybody misses an event, or has one twice or out of order.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from bench.processes import Redis, Service
from bench.soak import report
from bench.soak.client import Account, Client
from bench.soak.crowd import Crowd, Weather
from bench.soak.mishaps import Mishaps
from bench.soak.traffic import Traffic
from bench.soak.verdict import judge, read_log
from demo.client import Api

ADMIN = ("admin", "admin1234")  # of the demo workshop that the service starts with
PASSWORD = "soak-soak-soak"
ROLES = ("admin", "manager", "worker", "worker")
ACCOUNTS = 12
WORKING = 4  # accounts that make the traffic
SLOW = 10  # one of so many reads slowly at times
QUIET = 4.0  # seconds after the last change until all is told, at most
PATIENCE = 120.0  # seconds for everybody to be back

Joins = list[tuple[str, object, str]]


def main() -> None:
    """Run it as the arguments say."""
    given = arguments()
    with ExitStack() as until_end:
        folder = tempfile.TemporaryDirectory(prefix="glassflow-soak-")
        good = soak(given, Path(until_end.enter_context(folder)), until_end)
    sys.exit(0 if good else 1)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    made = argparse.ArgumentParser(prog="bench.soak", description=__doc__)
    made.add_argument("--clients", type=int, default=500)
    made.add_argument("--minutes", type=float, default=10)
    made.add_argument("--processes", type=int, default=1, help="2: with Redis")
    made.add_argument("--rate", type=float, default=10, help="changes a second")
    made.add_argument("--backlog", type=int, default=1000, help="SOCKET_BACKLOG")
    return made.parse_args()


def soak(given: argparse.Namespace, folder: Path, until_end: ExitStack) -> bool:
    """Start everything, let it live, and print the table; True if all is well."""
    service = start(given, folder, until_end)
    admin = Api.login(service.url, *ADMIN)
    apis = list(hire(admin))
    crowd = Crowd(service.port, list(screens(admin, apis, given.clients)), Weather())
    gather(crowd)
    traffic = Traffic(apis[:WORKING], rate=given.rate)
    traffic.start()
    mishaps = Mishaps(service, given.minutes * 60)
    end = time.monotonic() + given.minutes * 60
    crowd.run(lambda: time.monotonic() > end)
    mishaps.stop()
    traffic.stop()
    gather(crowd)
    logs = {api.worker["username"]: read_log(api) for api in apis}
    verdict = judge(crowd.clients, logs, traffic.acknowledged)
    if crowd.live < given.clients:
        verdict.say(f"only {crowd.live} of {given.clients} were back at the end")
    verdict.words += mishaps.failed
    print("\n".join(report.table(given, crowd, traffic, mishaps, verdict)), flush=True)
    if not verdict.good:
        print(service.said(), file=sys.stderr)
    return verdict.good


def start(given: argparse.Namespace, folder: Path, until_end: ExitStack) -> Service:
    """Start the service, with Redis if it is to have several processes."""
    settings: dict[str, object] = {"SOCKET_BACKLOG": given.backlog}
    if given.processes > 1:
        redis = Redis(folder)
        until_end.callback(redis.stop)
        settings |= {"WORKERS": given.processes, "REDIS_URL": redis.url}
    service = Service(folder, settings)
    until_end.callback(service.stop)
    return service.start()


def gather(crowd: Crowd) -> None:
    """Let everybody come, and hear what is on its way to them."""
    late = time.monotonic() + PATIENCE
    everybody = len(crowd.clients)
    crowd.run(
        lambda: crowd.live == everybody or time.monotonic() > late,
        calm=True,
    )
    still = time.monotonic() + QUIET
    crowd.run(lambda: time.monotonic() > still, calm=True)


def hire(admin: Api) -> Iterator[Api]:
    """Make accounts of all roles; the first ones may do everything."""
    roles = {one["slug"]: one["_id"] for one in admin.get("/api/roles", limit=100)}
    for number in range(ACCOUNTS):
        slug = "admin" if number < WORKING else ROLES[number % len(ROLES)]
        name = f"soak-{number}-{slug}"
        body = {"name": name, "username": name, "position": "soak"}
        admin.post("/api/workers", **body, password=PASSWORD, role=roles[slug])
        yield Api.login(admin.url, name, PASSWORD)


def screens(admin: Api, apis: list[Api], count: int) -> Iterator[Client]:
    """Make clients that show different things, as the screens of a floor do."""
    stations = [one["_id"] for one in admin.get("/api/stations", limit=100)]
    accounts = [Account(api.worker["username"], api.id, api.token) for api in apis]
    for number in range(count):
        station = stations[number % len(stations)]
        at_station: Joins = [
            ("join_station_room", {"stationId": station}, f"station:{station}")
        ]
        shows: list[Joins] = [
            [("join_dashboard", None, "dashboard")],
            [("join_pane", None, "pane"), *at_station],
            [("join_order", None, "order"), ("join_request", None, "request")],
            [("join_log", None, "log"), ("join_claim", None, "claim")],
            *[at_station] * 6,
        ]
        yield Client(
            accounts[number % len(accounts)],
            shows[number // len(accounts) % len(shows)],
            slow=number % SLOW == 0,
        )


if __name__ == "__main__":
    main()
