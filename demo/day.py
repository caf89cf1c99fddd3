"""The day in order: log in, open screens, take orders, work the floor, check the end."""

from __future__ import annotations

import itertools
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from demo import plan, workshop
from demo.claims import Claims
from demo.client import Api
from demo.expected_events import ExpectedEvents
from demo.floor import Floor
from demo.orders import Orders
from demo.panes import Panes
from demo.remakes import Remakes
from demo.results import Results
from demo.scanner import Scanner
from demo.screens import Screen, open_screens
from demo.station_worker import StationWorker
from demo.stock import LedgerPosition, StockKeeping, ledger_mismatches

STALL_TIMEOUT_S = 20  # without a completed step
OUTAGE_STALL_TIMEOUT_S = 80  # the same on a day on which the service may be restarted
MAX_DAY_S = 3600
EVENTS_TIMEOUT_S = 20
LATE_EVENTS_S = 0.5  # waited for events that are sent twice


@dataclass
class Day:
    """One run of the demo and all that it collects; `run` fills it in."""

    admin: Api
    requests: int = len(plan.JOBS)
    panes_each: int = 10
    count_events: bool = True
    run_id: str = field(default_factory=lambda: secrets.token_hex(2))
    expected: ExpectedEvents = field(default_factory=ExpectedEvents)
    results: Results = field(default_factory=Results)
    logins: dict[str, Api] = field(default_factory=dict)
    stations: dict[str, str] = field(default_factory=dict)
    screens: list[Screen] = field(default_factory=list)
    panes: Panes = field(default_factory=lambda: Panes({}))
    orders: Orders | None = None
    stock: StockKeeping | None = None
    floor: Floor | None = None
    stage: str = "logging in"
    started: float = field(default_factory=time.monotonic)
    seconds: float = 0.0

    def run(self) -> None:
        """Run the whole day; problems are recorded in `results`."""
        temporary_workers: list[str] = []
        try:
            self.logins, temporary_workers = workshop.log_in_workers(self.admin)
            self.stations = workshop.find_stations(self.admin)
            self._open_screens()
            ledger = LedgerPosition(self.admin)
            self._emit_greetings()
            self._take_orders()
            self._work()
            for entry in ledger.new_entries(self.admin):
                self.expected.stock_logged(entry)
            self._wait_for_events()
            self._check_end_state()
        finally:
            for screen in self.screens:
                screen.close()
            workshop.deactivate_workers(self.admin, temporary_workers)
            self.seconds = time.monotonic() - self.started

    def _open_screens(self) -> None:
        self.stage = "opening the screens"
        users = {self.stations[name]: u for name, u in plan.STATION_WORKERS.items()}
        reconnect = not self.count_events
        self.screens = open_screens(self.logins, users, reconnect=reconnect)

    def _emit_greetings(self) -> None:
        """The office emits an alert to all, and a check-in at every station."""
        office = self.screens[-1]
        message = f"เริ่มงานกะเช้า ปลอดภัยไว้ก่อน #{self.run_id}"
        self.expected.alerted(message)
        office.emit("system_alert", {"message": message})
        for name, station in self.stations.items():
            login = self.logins[plan.STATION_WORKERS[name]]
            worker = f"{login.worker['name']} #{self.run_id}-{name}"
            self.expected.checked_in(worker, station)
            office.emit("mobile-scan", {"stationId": station, "worker": worker})

    def _take_orders(self) -> None:
        self.stage = "taking orders"
        materials = workshop.find_materials(self.admin)
        jobs = list(itertools.islice(itertools.cycle(plan.JOBS), self.requests))
        needed = [materials[job.material] for job in jobs]
        self.stock = StockKeeping(
            self.logins,
            needed,
            expected=self.expected,
            results=self.results,
            run_id=self.run_id,
        )
        self.stock.fill_up()
        self.panes = Panes(self.stations)
        self.orders = Orders(
            self.logins, self.stations, self.panes, self.expected, self.run_id
        )
        for job, material in zip(jobs, needed, strict=True):
            self.orders.take(job, material, self.panes_each)

    def _work(self) -> None:
        """Run the floor, the orders' progress and the stock in threads until done."""
        self.stage = "working"
        assert self.orders
        assert self.stock
        self.floor = self._build_floor()
        self.floor.start()
        others = [
            threading.Thread(target=work, daemon=True)
            for work in (self.orders.advance, self.stock.run)
        ]
        for thread in others:
            thread.start()
        self._wait_until_done_or_stalled(others)
        self.floor.close()

    def _build_floor(self) -> Floor:
        scanner = Scanner(self.expected, self.results)
        manager = self.logins["manager"]
        workers = {
            name: StationWorker(
                name, self.stations, self.logins[user], manager, scanner
            )
            for name, user in plan.STATION_WORKERS.items()
        }
        reader = self.logins[plan.STATION_WORKERS["lamination"]]
        remakes = Remakes(
            reader, self.panes, self.expected, self.results, self.stations
        )
        approvers = [manager, self.logins["admin"]]
        claims = Claims(approvers, remakes, self.expected, self.results)
        return Floor(workers, self.panes, claims, remakes, self.results)

    def _wait_until_done_or_stalled(self, others: Sequence[threading.Thread]) -> None:
        last_step = [time.monotonic(), 0]
        timeout = STALL_TIMEOUT_S if self.count_events else OUTAGE_STALL_TIMEOUT_S

        def done_or_stalled() -> bool:
            if self.results.completed_steps != last_step[1]:
                last_step[:] = time.monotonic(), self.results.completed_steps
            stalled = time.monotonic() - last_step[0] > timeout
            busy = any(thread.is_alive() for thread in others)
            return stalled or not (busy or self.panes.unsettled())

        wait_for(done_or_stalled, MAX_DAY_S, interval_s=0.1)

    def _wait_for_events(self) -> None:
        if self.count_events:
            self.stage = "waiting for events"
            wait_for(self._all_received, EVENTS_TIMEOUT_S, interval_s=0.25)
            time.sleep(LATE_EVENTS_S)

    def _all_received(self) -> bool:
        return not any(
            self.expected.for_screen(screen) - screen.received
            for screen in self.screens
        )

    def _check_end_state(self) -> None:
        self.stage = "checking the result"
        for order in self.orders.all if self.orders else ():
            record = self.admin.get(f"/api/orders/{order['_id']}")
            if record["status"] != "completed" or record["progressPercent"] != 100:
                state = f"{record['status']}, {record['progressPercent']} %"
                self.results.add_problem(f"{record['orderNumber']} ends as {state}")
        self.results.problems += ledger_mismatches(self.admin)
        for screen in self.screens if self.count_events else ():
            if screen.disconnects:
                self.results.add_problem(f"screen {screen.name} lost its connection")


def wait_for(
    condition: Callable[[], bool], timeout_s: float, interval_s: float
) -> bool:
    """Wait until the condition holds; False if it does not within the timeout."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(interval_s)
    return True
