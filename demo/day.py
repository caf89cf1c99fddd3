"""The day itself, in order: people come in, orders are taken, the floor works."""

from __future__ import annotations

import itertools
import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from demo import plan, stock_book, workshop
from demo.client import Api
from demo.expected import Ledger, Record
from demo.floor import Floor, wait_for
from demo.order_desk import OrderDesk
from demo.pieces import Pieces
from demo.post import Post
from demo.scanner import Scanner
from demo.screens import Screen, open_screens
from demo.storeroom import StoreRoom
from demo.tally import Tally

STALL_SECONDS = 20
AWAY_TOO = 60  # seconds more, on a day on which the service may be away
SETTLE_SECONDS = 20


@dataclass
class Day:
    """Everything that a day gathers; `take_place` fills it in."""

    admin: Api
    requests: int = len(plan.JOBS)
    panes_each: int = 10
    count_events: bool = True
    run: str = field(default_factory=lambda: secrets.token_hex(2))
    ledger: Ledger = field(default_factory=Ledger)
    tally: Tally = field(default_factory=Tally)
    crew: dict[str, Api] = field(default_factory=dict)
    stations: dict[str, str] = field(default_factory=dict)
    screens: list[Screen] = field(default_factory=list)
    pieces: Pieces = field(default_factory=Pieces)
    floor: Floor | None = None
    stage: str = "opening the doors"
    started: float = field(default_factory=time.monotonic)
    seconds: float = 0.0
    desk: OrderDesk | None = None
    store_room: StoreRoom | None = None

    @property
    def orders(self) -> list[Record]:
        """The orders that were taken."""
        return self.desk.orders if self.desk else []

    def take_place(self) -> None:
        """Run the whole day; what went wrong stands in the tally."""
        hired: list[str] = []
        try:
            self.crew, hired = workshop.gather_crew(self.admin)
            self.stations = workshop.find_stations(self.admin)
            self._switch_on_screens()
            book = stock_book.Bookmark(self.admin)
            self._say_good_morning()
            self._take_orders()
            self._work()
            stock_book.enter(self.ledger, book.entries(self.admin))
            self._settle()
            self._look_at_the_result()
        finally:
            for screen in self.screens:
                screen.close()
            workshop.dismiss(self.admin, hired)
            self.seconds = time.monotonic() - self.started

    def _switch_on_screens(self) -> None:
        self.stage = "switching on the screens"
        posts = {self.stations[name]: user for name, user in plan.POSTS.items()}
        self.screens = open_screens(self.crew, posts, faithful=not self.count_events)

    def _say_good_morning(self) -> None:
        """An announcement to all, a check-in at every station, a note to the QC."""
        office = self.screens[-1]
        message = f"เริ่มงานกะเช้า ปลอดภัยไว้ก่อน #{self.run}"
        self.ledger.alerted(message)
        office.say("system_alert", {"message": message})
        for name, station in self.stations.items():
            worker = f"{self.crew[plan.POSTS[name]].worker['name']} #{self.run}-{name}"
            self.ledger.checked_in(worker, station)
            office.say("mobile-scan", {"stationId": station, "worker": worker})

    def _take_orders(self) -> None:
        self.stage = "taking orders"
        materials = workshop.find_materials(self.admin)
        jobs = list(itertools.islice(itertools.cycle(plan.JOBS), self.requests))
        needed = [materials[job.material] for job in jobs]
        self.store_room = StoreRoom(
            self.crew, needed, ledger=self.ledger, tally=self.tally, run=self.run
        )
        self.store_room.open()
        desk = OrderDesk(self.crew, self.stations, self.ledger, self.run)
        self.desk, self.pieces = desk, desk.pieces
        for job, material in zip(jobs, needed, strict=True):
            desk.take(job, material, self.panes_each)

    def _work(self) -> None:
        self.stage = "working"
        assert self.desk
        assert self.store_room
        scanner = Scanner(self.ledger, self.tally)
        manager = self.crew["manager"]
        posts = {
            name: Post(name, self.stations, self.crew[user], manager, scanner)
            for name, user in plan.POSTS.items()
        }
        self.floor = Floor(posts, self.pieces, [manager, self.crew["admin"]])
        self.floor.start()
        others = [
            threading.Thread(target=work, daemon=True)
            for work in (self.desk.advance, self.store_room.tend)
        ]
        for other in others:
            other.start()
        self._until_done_or_stalled(self.floor, others)
        self.floor.closed.set()

    def _until_done_or_stalled(
        self, floor: Floor, others: Sequence[threading.Thread]
    ) -> None:
        moved = [time.monotonic(), 0]
        patience = STALL_SECONDS + (0 if self.count_events else AWAY_TOO)

        def over() -> bool:
            if self.tally.moves != moved[1]:
                moved[:] = time.monotonic(), self.tally.moves
            stalled = time.monotonic() - moved[0] > patience
            busy = any(other.is_alive() for other in others)
            return stalled or not (busy or floor.unfinished())

        wait_for(over, seconds=3600)

    def _settle(self) -> None:
        """Give events the time to arrive, and doubled ones a moment more."""
        if not self.count_events:
            return
        self.stage = "listening"
        wait_for(self._all_is_heard, SETTLE_SECONDS, step=0.25)
        time.sleep(0.5)

    def _all_is_heard(self) -> bool:
        return not any(
            self.ledger.for_screen(screen) - screen.heard for screen in self.screens
        )

    def _look_at_the_result(self) -> None:
        self.stage = "closing"
        for order in self.orders:
            now = self.admin.get(f"/api/orders/{order['_id']}")
            if now["status"] != "completed" or now["progressPercent"] != 100:
                told = f"{now['status']}, {now['progressPercent']} %"
                self.tally.problem(f"{now['orderNumber']} ends the day as {told}")
        self.tally.problems += stock_book.differences(self.admin)
        for screen in self.screens if self.count_events else ():
            if screen.lost:
                self.tally.problem(f"screen {screen.name} lost its connection")
