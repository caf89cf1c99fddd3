"""A simulated floor whose orders are known: seven stations, four routes, and bad luck.

Stations have places and a queue, urgent orders and remakes come first. Panes break, machines
break down, the oven waits for a load. Times are seconds of working time.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from math import log, sqrt
from random import Random
from typing import NamedTuple

DAY_S = 8 * 3600
ROUTES = {
    ("cutting", "edging", "washing", "check"): 35,
    ("cutting", "edging", "drilling", "washing", "oven", "check"): 35,
    ("cutting", "edging", "washing", "oven", "check"): 20,
    ("cutting", "edging", "washing", "lamination", "check"): 10,
}
EDGING = "edging"  # it can do the least
# How many panes a station works on at once, the mean seconds of one, and their variation.
SERVICE = {
    "cutting": (2, 240, 0.6),
    EDGING: (2, 372, 0.8),
    "drilling": (1, 300, 0.7),
    "washing": (1, 132, 0.4),
    "lamination": (2, 840, 0.5),
    "check": (1, 144, 0.5),
}
OVEN_PLACES, OVEN_S, OVEN_WAITS_S = 10, 1440, 1800
FAILED = {
    "cutting": 0.015,
    EDGING: 0.012,
    "drilling": 0.012,
    "oven": 0.012,
    "check": 0.02,
}
# The mean seconds between breakdowns, and of a repair.
BREAKDOWNS = {
    EDGING: (144_000, 5400),
    "oven": (288_000, 10_800),
    "cutting": (240_000, 3600),
}
ORDERS_PER_S = 0.0265 / 60  # with which edging is busy all the time
URGENT, LARGEST = 0.08, 60


@dataclass
class Order:
    """An order with its panes; `done_at` is when the last one was finished."""

    made_at: float
    route: tuple[str, ...]
    panes: int
    is_urgent: bool
    left: int = 0
    done_at: float | None = None


@dataclass
class Pane:
    """A pane on the floor, at a step of the route of its order."""

    order: int
    route: tuple[str, ...]
    priority: int
    size: float
    step: int = 0
    arrived: float = 0
    begun: float | None = None


class Visit(NamedTuple):
    """A pane that has left a station, by the order that it belongs to."""

    station: str
    arrived: float
    begun: float
    left: float
    order: int
    failed: bool


class SimulatedFloor:
    """The floor of so many days; from `slow_from` on edging takes a fifth longer."""

    def __init__(self, seed, load, days, slow_from=None):
        self.random, self.now, self.load = Random(seed), 0.0, load
        self.end, self.slow_from = days * DAY_S, (slow_from or days + 1) * DAY_S
        self.events, self.count = [], 0
        names = [*SERVICE, "oven"]
        self.queues = {name: [] for name in names}
        self.busy, self.down = dict.fromkeys(names, 0), dict.fromkeys(names, 0.0)
        self.orders, self.visits, self.open, self.urgent = [], [], {}, []
        self.made = 0

    def run(self, on_order=lambda number: None):
        """Let orders come until the end, and finish them; `on_order` is told of each."""
        self.on_order = on_order
        for station, (between_s, _) in BREAKDOWNS.items():
            self._after(self._every(between_s), self._break_down, station)
        self._after(self._every(1 / (self.load * ORDERS_PER_S)), self._order)
        while self.events:
            self.now, _, act, args = heappop(self.events)
            act(*args)
        return self

    def _after(self, seconds, act, *args):
        self.count += 1
        heappush(self.events, (self.now + seconds, self.count, act, args))

    def _every(self, mean_s):
        return self.random.expovariate(1 / mean_s)

    def _order(self):
        if self.now >= self.end:
            return
        chance = self.random
        panes = min(LARGEST, max(1, int(chance.lognormvariate(2.1, 0.8))))
        (route,) = chance.choices([*ROUTES], [*ROUTES.values()])
        is_urgent = chance.random() < URGENT
        number = len(self.orders)
        self.orders.append(Order(self.now, route, panes, is_urgent, panes))
        for _ in range(panes):
            self._add(number, route, int(is_urgent))
        self._after(self._every(1 / (self.load * ORDERS_PER_S)), self._order)
        self.on_order(number)

    def _add(self, order, route, priority):
        size = self.random.lognormvariate(-0.08, 0.4)
        self.made += 1
        self.open[self.made] = Pane(order, route, priority, size)
        if priority:
            self.urgent.append((self.now, route))
        self._arrive(self.made)

    def _arrive(self, number):
        pane = self.open[number]
        pane.arrived, pane.begun = self.now, None
        station = pane.route[pane.step]
        heappush(self.queues[station], (-pane.priority, self.now, number))
        self._serve(station)

    def _serve(self, station):
        if station == "oven":
            self._serve_oven()
            return
        places, mean_s, variation = SERVICE[station]
        queue = self.queues[station]
        if station == EDGING and self.now >= self.slow_from:
            mean_s *= 1.2
        spread = log(1 + variation**2)
        while queue and self.busy[station] < places and self.now >= self.down[station]:
            number = heappop(queue)[2]
            self.busy[station] += 1
            self.open[number].begun = self.now
            takes = self.random.lognormvariate(log(mean_s) - spread / 2, sqrt(spread))
            takes *= self.open[number].size ** 0.7
            self._after(takes, self._done, station, [number])

    def _serve_oven(self):
        queue = self.queues["oven"]
        if not queue or self.busy["oven"]:
            return
        full_at = min(one[1] for one in queue) + OVEN_WAITS_S
        is_full = len(queue) >= OVEN_PLACES or self.now >= full_at - 1e-6
        if not is_full or self.now < self.down["oven"]:
            until = max(self.now, full_at, self.down["oven"])
            self._after(until - self.now, self._serve, "oven")
            return
        load = [heappop(queue)[2] for _ in range(min(OVEN_PLACES, len(queue)))]
        for number in load:
            self.open[number].begun = self.now
        self.busy["oven"] = 1
        self._after(OVEN_S * self.random.uniform(0.9, 1.15), self._done, "oven", load)

    def _done(self, station, numbers):
        self.busy[station] -= 1
        for number in numbers:
            self._leave(number, station)
        self._serve(station)

    def _leave(self, number, station):
        pane = self.open[number]
        failed = self.random.random() < FAILED.get(station, 0)
        self.visits.append(
            Visit(station, pane.arrived, pane.begun, self.now, pane.order, failed)
        )
        if failed:
            del self.open[number]
            self._add(pane.order, pane.route, 1)
            return
        pane.step += 1
        if pane.step < len(pane.route):
            self._arrive(number)
            return
        del self.open[number]
        order = self.orders[pane.order]
        order.left -= 1
        if not order.left:
            order.done_at = self.now

    def _break_down(self, station):
        if self.now >= self.end:
            return
        between_s, repair_s = BREAKDOWNS[station]
        takes = self._every(repair_s)
        self.down[station] = self.now + takes
        self._after(takes, self._serve, station)
        self._after(takes + self._every(between_s), self._break_down, station)
