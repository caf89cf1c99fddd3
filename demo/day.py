"""The day in order: log in, open the screens, work the orders and the stock, check."""

from __future__ import annotations

import itertools
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable

from demo import workshop
from demo.client import Api, NoResponse, RequestRefused
from demo.events import Log, compare, merged, read_log, unannounced
from demo.orders import Order
from demo.plan import JOBS, STATION_WORKERS
from demo.report import Report
from demo.screens import Screen, open_screens
from demo.stock import StockKeeping, ledger_mismatches
from demo.workshop import Workshop

EVENTS_TIMEOUT_S = 60
POLL_S = 0.1


class Day:
    """One run of the demo; `report` says what was done, and every problem."""

    def __init__(
        self,
        admin: Api,
        *,
        requests: int = len(JOBS),
        panes_each: int = 10,
        count_events: bool = True,
    ) -> None:
        """Without `count_events` no screens: for a service that is restarted."""
        self.admin = admin
        self.requests = requests
        self.panes_each = panes_each
        self.count_events = count_events
        self.run_id = secrets.token_hex(2)
        self.report = Report(admin.url)

    def run(self) -> None:
        """Run the whole day; problems are recorded in `report`."""
        place = workshop.enter(self.admin, self.run_id, self.report)
        screens: list[Screen] = []
        try:
            if self.count_events:
                self.report.stage = "opening the screens"
                screens = self._open_screens(place)
            orders = self._work(place)
            self.report.stage = "checking the result"
            for order in orders:
                order.check()
            self.report.problems += ledger_mismatches(self.admin)
            if screens:
                self._check_events(screens, orders)
        finally:
            for screen in screens:
                screen.close()

    def _open_screens(self, place: Workshop) -> list[Screen]:
        """Open the screens; a worker checks in at every station."""
        users = {place.stations[name]: user for name, user in STATION_WORKERS.items()}
        screens = open_screens(place.logins, users)
        for station, user in users.items():
            name = place.logins[user].worker["name"]
            body = {"stationId": station, "worker": f"{name} #{self.run_id}"}
            screens[-1].call("mobile-scan", body)
        return screens

    def _work(self, place: Workshop) -> list[Order]:
        """Work all orders and the stock, each in a thread of its own."""
        self.report.stage = "working"
        jobs = list(itertools.islice(itertools.cycle(JOBS), self.requests))
        stock = StockKeeping(place, [place.materials[job.material] for job in jobs])
        stock.fill_up()
        orders = [
            Order(place, job, number, self.panes_each)
            for number, job in enumerate(jobs, 1)
        ]
        work = {f"order {order.number}": order.run for order in orders}
        threads = [
            threading.Thread(target=self._run, args=(name, run), daemon=True)
            for name, run in {**work, "stock": stock.run}.items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [order for order in orders if order.id]

    def _run(self, name: str, work: Callable[[], None]) -> None:
        try:
            work()
        except (NoResponse, RequestRefused) as error:
            self.report.problems.append(f"{name}: {error}")
        except Exception as error:  # reported; the other threads continue
            self.report.problems.append(f"{name}: {error!r}")

    def _check_events(self, screens: list[Screen], orders: list[Order]) -> None:
        """Compare all screens with the log, and the log with scans and records."""
        office = screens[-1]
        first = max(screen.joined_at for screen in screens)
        last = self._last_event(office)
        logins = {screen.api.id: screen.api for screen in screens}
        personal = [
            read_log(api, first, last, f"user:{id}") for id, api in logins.items()
        ]
        log = merged([read_log(self.admin, first, last), *personal])
        wait_for(lambda: all(_is_complete(screen, log) for screen in screens))
        for screen in screens:
            for event, counts in compare(screen.received, screen.rooms, log).items():
                self.report.events.setdefault(event, Counter()).update(counts)
                self.report.problems += [
                    f"screen {screen.name}: {event}: {counts[column]} {column}"
                    for column in ("missing", "too many")
                    if counts[column]
                ]
            if screen.disconnects:
                self.report.problems.append(f"{screen.name} lost its connection")
        self._check_log(office, orders)

    def _last_event(self, office: Screen) -> int:
        """The number of an alert that is sent after everything else."""
        message = f"จบงานกะเช้า #{self.run_id}"
        office.call("system_alert", {"message": message})
        if not wait_for(lambda: message in office.received.alerts):
            raise RuntimeError("the last alert of the day was not received")
        return office.received.alerts[message]

    def _check_log(self, office: Screen, orders: list[Order]) -> None:
        """Check that each scan and each version of a record has been announced once."""
        own = {pane.id for pane in self.report.panes}
        announced = Counter(
            {scan: n for scan, n in office.received.scans.items() if scan[0] in own}
        )
        accepted = Counter(self.report.scans)
        self.report.problems += [
            f"scan {log} of pane {pane}: accepted {accepted[pane, log]} times,"
            f" announced {announced[pane, log]} times"
            for pane, log in accepted.keys() | announced.keys()
            if accepted[pane, log] != announced[pane, log]
        ]
        for order in orders:
            for path, query in (
                ("/api/panes", {"includeMerged": "true"}),
                ("/api/claims", {}),
            ):
                rows = self.admin.list_all(path, order=order.id, **query)
                self.report.problems += unannounced(office.received, rows)


def _is_complete(screen: Screen, log: Log) -> bool:
    counts = compare(screen.received, screen.rooms, log)
    return not any(count["missing"] for count in counts.values())


def wait_for(
    condition: Callable[[], bool], timeout_s: float = EVENTS_TIMEOUT_S
) -> bool:
    """Wait until the condition holds; False if it does not within the timeout."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_S)
    return True
