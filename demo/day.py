"""The day itself, in order: people come in, orders are taken, the floor works."""

from __future__ import annotations

import itertools
import secrets
import threading
import time
from dataclasses import dataclass, field

from demo import plan, workshop
from demo.client import Api
from demo.expected import Ledger, Record
from demo.floor import Floor, wait_for
from demo.heard import id_of
from demo.post import Post
from demo.scanner import Piece, Scanner, Tally
from demo.screens import Screen, open_screens

STALL_SECONDS = 20
SETTLE_SECONDS = 20


@dataclass
class Day:
    """Everything that a day gathers; `take_place` fills it in."""

    admin: Api
    requests: int = len(plan.JOBS)
    panes_each: int = 10
    run: str = field(default_factory=lambda: secrets.token_hex(2))
    ledger: Ledger = field(default_factory=Ledger)
    tally: Tally = field(default_factory=Tally)
    crew: dict[str, Api] = field(default_factory=dict)
    stations: dict[str, str] = field(default_factory=dict)
    screens: list[Screen] = field(default_factory=list)
    orders: list[Record] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    floor: Floor | None = None
    stage: str = "opening the doors"
    started: float = field(default_factory=time.monotonic)
    seconds: float = 0.0

    def take_place(self) -> None:
        """Run the whole day; what went wrong stands in the tally."""
        hired: list[str] = []
        try:
            self.crew, hired = workshop.gather_crew(self.admin)
            self.stations = workshop.find_stations(self.admin)
            self._switch_on_screens()
            self._say_good_morning()
            self._take_orders()
            self._work()
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
        self.screens = open_screens(self.crew, posts)

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
        customers = itertools.cycle(workshop.find_customers(self.admin))
        materials = workshop.find_materials(self.admin)
        jobs = itertools.islice(itertools.cycle(plan.JOBS), self.requests)
        for job, customer in zip(jobs, customers, strict=False):
            self._take_order(job, customer, materials[job.material])

    def _take_order(self, job: plan.Job, customer: str, material: str) -> None:
        manager = self.crew["manager"]
        body = plan.request_body(
            job,
            customer=customer,
            assigned_to=manager.id,
            panes=self.panes_each,
            stations=self.stations,
        )
        request = manager.post("/api/requests", **body)
        self.ledger.request_created(request, self._panes_of(request))
        order = manager.post(
            "/api/orders",
            request=request["_id"],
            customer=customer,
            material=material,
            quantity=self.panes_each,
            stations=plan.order_route(job, self.stations),
            assignedTo=manager.id,
            notes=job.notes,
        )
        self.orders.append(order)
        panes = self._panes_of(request)
        self.ledger.order_created(order, panes)
        self._note_to_quality(order, job)
        first = len(self.pieces)
        self.pieces += [_piece(n, p, manager.id) for n, p in enumerate(panes, first)]

    def _panes_of(self, request: Record) -> list[Record]:
        return self.crew["manager"].all(
            "/api/panes", request=request["_id"], sort="paneNumber"
        )

    def _note_to_quality(self, order: Record, job: plan.Job) -> None:
        note = self.crew["manager"].post(
            "/api/notifications",
            recipient=self.crew[plan.POSTS["qc"]].id,
            type="reminder",
            title="งานใหม่วันนี้",
            message=f"{order['orderNumber']} {job.title}",
            referenceId=order["_id"],
            referenceType="Order",
        )
        self.ledger.notified(note)

    def _work(self) -> None:
        self.stage = "working"
        scanner = Scanner(self.ledger, self.tally)
        helper = self.crew["manager"]
        posts = {
            name: Post(name, self.stations, self.crew[user], helper, scanner)
            for name, user in plan.POSTS.items()
        }
        floor = Floor(posts, self.pieces, self.tally)
        self.floor = floor
        floor.start()
        threading.Thread(target=self._advance_orders, daemon=True).start()
        self._until_done_or_stalled(floor)
        floor.closed.set()

    def _until_done_or_stalled(self, floor: Floor) -> None:
        moved = [time.monotonic(), 0]

        def over() -> bool:
            if self.tally.accepted != moved[1]:
                moved[:] = time.monotonic(), self.tally.accepted
            stalled = time.monotonic() - moved[0] > STALL_SECONDS
            return stalled or not floor.unfinished()

        wait_for(over, seconds=3600)

    def _advance_orders(self) -> None:
        """The manager moves each order on to its second station, while all work."""
        for order in self.orders:
            if len(order["stations"]) > 1:
                left, entered = map(id_of, order["stations"][:2])
                path = f"/api/orders/{order['_id']}"
                self.crew["manager"].patch(path, currentStationIndex=1)
                self.ledger.order_advanced(order, left, entered)

    def _settle(self) -> None:
        """Give events the time to arrive, and doubled ones a moment more."""
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
        for screen in self.screens:
            if screen.lost:
                self.tally.problem(f"screen {screen.name} lost its connection")


def _piece(n: int, pane: Record, assigned_to: str) -> Piece:
    piece = Piece(
        n=n,
        id=pane["_id"],
        number=pane["paneNumber"],
        qr=pane["qrCode"],
        order=id_of(pane["order"]),
        assigned_to=assigned_to,
        route=tuple(map(id_of, pane["routing"] or ())),
        station="",
        status="",
        step=0,
    )
    piece.follow(pane)
    return piece
