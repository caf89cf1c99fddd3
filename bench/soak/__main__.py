"""`python -m bench.soak`: many clients, a bad network, restarts; then prints a table.

The exit code is 1 if a client missed an event, received one twice or out of order, if a
webhook did, or if a POST that was sent again had two effects.
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
from bench.soak.client import Account, Client, Join
from bench.soak.client_pool import ClientPool, NetworkFaults
from bench.soak.receiver import Receiver
from bench.soak.report import compare, read_log, table
from bench.soak.service_faults import ServiceFaults
from bench.soak.traffic import Traffic
from demo.client import Api
from demo.keyed_client import KeyedClient

PASSWORD = "soak-soak-soak"
ROLES = ("admin", "manager", "worker", "worker")
ACCOUNTS = 12
TRAFFIC_ACCOUNTS = 4  # so many of them, all admins, make the changes
API_KEY_INTERVAL = 3  # every third of the others receives with an API key
#: What the clients need for their rooms: less than the roles may read.
SCOPES = [
    f"{kind}:view"
    for kind in ("stations", "panes", "orders", "requests", "material_logs", "claims")
]
SLOW_CLIENT_INTERVAL = 10  # every tenth client pauses reading now and then
DELIVERY_S = 4.0  # within which the last events are delivered
RECONNECT_TIMEOUT_S = 120.0  # for all clients
WEBHOOK_TIMEOUT_S = 120.0  # for the events that a webhook has not got yet


def main() -> None:
    """Run the soak as the arguments say."""
    options = parse_arguments()
    with ExitStack() as cleanup:
        directory = tempfile.TemporaryDirectory(prefix="glassflow-soak-")
        ok = soak(options, Path(cleanup.enter_context(directory)), cleanup)
    sys.exit(0 if ok else 1)


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="bench.soak", description=__doc__)
    parser.add_argument("--clients", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--processes", type=int, default=1, help="2: with Redis")
    parser.add_argument("--rate", type=float, default=10, help="changes a second")
    parser.add_argument("--backlog", type=int, default=1000, help="SOCKET_BACKLOG")
    return parser.parse_args()


def soak(options: argparse.Namespace, folder: Path, cleanup: ExitStack) -> bool:
    """Run everything and print the table; True if every client has its events."""
    service = start_service(options, folder, cleanup)
    admin = service.admin()
    receiver = Receiver()
    cleanup.callback(receiver.stop)
    admin.post("/api/webhooks", url=receiver.url, events=["*"])
    logins = list(create_accounts(admin))
    clients = list(create_clients(admin, logins, options.clients))
    pool = ClientPool(service.port, clients, NetworkFaults())
    wait_until_live(pool)
    traffic = Traffic(logins[:TRAFFIC_ACCOUNTS], rate=options.rate)
    traffic.start()
    faults = ServiceFaults(service, options.minutes * 60)
    end = time.monotonic() + options.minutes * 60
    pool.run(lambda: time.monotonic() > end)
    faults.stop()
    traffic.stop()
    wait_until_live(pool)
    logs = {api.worker["username"]: read_log(api) for api in logins}
    comparison = compare(clients, logs, traffic.acknowledged)
    if pool.live < options.clients:
        comparison.add_problem(f"only {pool.live} of {options.clients} reconnected")
    comparison.problems += faults.failed
    whole = max(logs.values(), key=len)
    comparison.problems += receiver.problems(whole, WEBHOOK_TIMEOUT_S)
    delivered = len(set(receiver.seqs))
    lines = table(options, pool, traffic, faults, comparison, delivered)
    print("\n".join(lines), flush=True)
    if not comparison.ok:
        print(service.log_tail(), file=sys.stderr)
    return comparison.ok


def start_service(
    options: argparse.Namespace, folder: Path, cleanup: ExitStack
) -> Service:
    """Start the service, with Redis if it has several processes."""
    settings: dict[str, object] = {
        "SOCKET_BACKLOG": options.backlog,
        "WEBHOOK_NETWORKS": "127.0.0.0/8",  # its receiver is here
    }
    if options.processes > 1:
        redis = Redis(folder)
        cleanup.callback(redis.stop)
        settings |= {"WORKERS": options.processes, "REDIS_URL": redis.url}
    service = Service(folder, settings)
    cleanup.callback(service.stop)
    return service.start()


def wait_until_live(pool: ClientPool) -> None:
    """Without network faults, let all clients connect and receive what is due."""
    deadline = time.monotonic() + RECONNECT_TIMEOUT_S
    total = len(pool.clients)
    pool.run(
        lambda: pool.live == total or time.monotonic() > deadline, with_faults=False
    )
    delivered = time.monotonic() + DELIVERY_S
    pool.run(lambda: time.monotonic() > delivered, with_faults=False)


def create_accounts(admin: Api) -> Iterator[Api]:
    """Create and log in accounts of all roles; those for the traffic are admins.

    Some of the others have an API key in place of the token of their login.
    """
    roles = {row["slug"]: row["_id"] for row in admin.get("/api/roles", limit=100)}
    http = KeyedClient()
    for number in range(ACCOUNTS):
        slug = "admin" if number < TRAFFIC_ACCOUNTS else ROLES[number % len(ROLES)]
        name = f"soak-{number}-{slug}"
        body = {"name": name, "username": name, "position": "soak"}
        admin.post("/api/workers", **body, password=PASSWORD, role=roles[slug])
        api = Api.login(admin.url, name, PASSWORD, http)
        if number >= TRAFFIC_ACCOUNTS and number % API_KEY_INTERVAL == 0:
            path = f"/api/workers/{api.id}/api-keys"
            api.token = admin.post(path, name="soak", scopes=SCOPES)["key"]
        yield api


def create_clients(admin: Api, logins: list[Api], count: int) -> Iterator[Client]:
    """Create clients of all accounts, in rooms as the screens of a floor join them."""
    stations = [row["_id"] for row in admin.get("/api/stations", limit=100)]
    accounts = [Account(api.worker["username"], api.id, api.token) for api in logins]
    for number in range(count):
        station = stations[number % len(stations)]
        join_station: list[Join] = [
            ("join_station_room", {"stationId": station}, f"station:{station}")
        ]
        screens: list[list[Join]] = [
            [("join_dashboard", None, "dashboard")],
            [("join_pane", None, "pane"), *join_station],
            [("join_order", None, "order"), ("join_request", None, "request")],
            [("join_log", None, "log"), ("join_claim", None, "claim")],
            *[join_station] * 6,
        ]
        yield Client(
            accounts[number % len(accounts)],
            screens[number // len(accounts) % len(screens)],
            slow=number % SLOW_CLIENT_INTERVAL == 0,
        )


if __name__ == "__main__":
    main()
