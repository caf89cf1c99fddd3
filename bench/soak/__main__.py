"""`python -m bench.soak`: many clients, a bad network, restarts; then prints a table.

The exit code is 1 if a client missed an event, or received one twice or out of order.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from bench.client_pool import ClientPool
from bench.processes import Redis, Service
from bench.room_client import Client, Join
from bench.soak.comparison import PROBLEMS, compare, read_log
from bench.soak.service_faults import ServiceFaults
from bench.soak.traffic import Traffic
from demo.client import Api

PASSWORD = "soak-soak-soak"
ROLES = ("admin", "manager", "worker", "worker")
ACCOUNTS = 12
TRAFFIC_ACCOUNTS = 4  # so many of them, all admins, make the changes
SLOW_CLIENT_INTERVAL = 10  # every tenth client pauses reading now and then
DELIVERY_S = 4.0  # within which the last events are delivered
RECONNECT_TIMEOUT_S = 120.0  # for all clients


def main() -> None:
    """Run the soak as the arguments say."""
    parser = argparse.ArgumentParser(prog="bench.soak", description=__doc__)
    parser.add_argument("--clients", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--processes", type=int, default=1, help="2: with Redis")
    options = parser.parse_args()
    with ExitStack() as cleanup:
        directory = tempfile.TemporaryDirectory(prefix="glassflow-soak-")
        folder = Path(cleanup.enter_context(directory))
        service = _start_service(options.processes, folder, cleanup)
        problems = _soak(service, options.clients, options.minutes * 60)
        if problems:
            print(*problems[:10], sep="\n", flush=True)
            print(service.log_tail(), file=sys.stderr)
    sys.exit(1 if problems else 0)


def _start_service(processes: int, folder: Path, cleanup: ExitStack) -> Service:
    """Start the service, with Redis if it has several processes."""
    settings: dict[str, object] = {}
    if processes > 1:
        redis = Redis(folder)
        cleanup.callback(redis.stop)
        settings = {"WORKERS": processes, "REDIS_URL": redis.url}
    service = Service(folder, settings)
    cleanup.callback(service.stop)
    return service.start()


def _soak(service: Service, count: int, seconds: float) -> Sequence[str]:
    """Run everything and print the table; return what is wrong."""
    logins = list(_create_accounts(service.admin()))
    clients = list(_create_clients(logins, count))
    pool = ClientPool(service.port, clients)
    _wait_until_live(pool)
    traffic = Traffic(logins[:TRAFFIC_ACCOUNTS])
    faults = ServiceFaults(service, seconds)
    pool.serve(seconds, with_faults=True)
    faults.wait()
    traffic.stop()
    _wait_until_live(pool)

    problems = list(faults.failed)
    if pool.live < count:
        problems.append(f"only {pool.live} of {count} reconnected")
    logs = {api.id: read_log(api) for api in logins}
    counts: Counter[str] = Counter()
    for client in clients:
        problems += compare(client, logs[client.account.id], counts)
    problems += (f"{counts[name]} {name}" for name in PROBLEMS if counts[name])
    rows = {
        "service faults": ", ".join(faults.applied),
        "requests answered": traffic.requests,
        "requests without a response": sum(api.http.sent_again for api in logins),
        "connections lost": sum(client.disconnects for client in clients),
        "connections failed": sum(client.failed_connections for client in clients),
        "pauses in reading": pool.pauses,
        "times resumed": sum(client.resumes for client in clients) - len(clients),
        "events expected": counts["events expected"],
        "of these replayed": sum(client.replayed for client in clients),
        **{name: counts[name] for name in PROBLEMS},
        **{f"refused: {text}": times for text, times in traffic.refused.items()},
    }
    for name, value in rows.items():
        print(f"{name:{max(map(len, rows))}}  {value}", flush=True)
    return problems


def _wait_until_live(pool: ClientPool) -> None:
    """Let all clients connect and receive what is due."""
    pool.wait_until_live(RECONNECT_TIMEOUT_S)
    pool.serve(DELIVERY_S)


def _create_accounts(admin: Api) -> Iterator[Api]:
    """Create and log in accounts of all roles; those for the traffic are admins."""
    roles = {row["slug"]: row["_id"] for row in admin.get("/api/roles", limit=100)}
    for number in range(ACCOUNTS):
        slug = "admin" if number < TRAFFIC_ACCOUNTS else ROLES[number % len(ROLES)]
        name = f"soak-{number}-{slug}"
        body = {"name": name, "username": name, "position": "soak"}
        admin.post("/api/workers", **body, password=PASSWORD, role=roles[slug])
        yield Api.login(admin.url, name, PASSWORD)


def _create_clients(logins: Sequence[Api], count: int) -> Iterator[Client]:
    """Create clients of all accounts, in rooms as the screens of a floor join them."""
    stations = [row["_id"] for row in logins[0].get("/api/stations", limit=100)]
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
            logins[number % len(logins)],
            screens[number // len(logins) % len(screens)],
            slow=number % SLOW_CLIENT_INTERVAL == 0,
        )


if __name__ == "__main__":
    main()
