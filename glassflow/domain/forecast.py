"""When panes will be finished, with odds: the floor is simulated many times.

Each run begins with the panes that are on the floor now, and lets them pass the rest of their
routes. At each station they wait for a place, the urgent ones first, then those that came
first. How long a place is taken is drawn from the last weeks: the effective time of a past
visit, which has set-up, breakdowns and absence in it, times how slow the station was on some
day. Urgent orders and remakes that are yet to come are those of the last weeks, from a random
moment on. Of the runs, half end before the time that holds with odds of 50 of 100.

All times are seconds of working time since the last weeks began. On simulated floors with
breakdowns, express work and loads from 0.9 to 1.05 the times at 85 of 100 held for 80 to 87
(docs/decisions/0143-forecasts-of-delivery-dates.md). Without the urgent work to come they held
for 63 to 66, without slow days for 74 to 85.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from heapq import heappop, heappush
from itertools import accumulate
from math import ceil, inf
from random import Random
from typing import NamedTuple

LEAST_VISITS = 200  # of a station; fewer say too little about it
LEAST_OF_ROUTE = 50  # panes; of fewer that passed the same stations a forecast is rough
RUNS = 100
ODDS = (50, 85, 95)  # of 100
SHORTEST_S = 1.0
BUSY_SHARE = 0.95  # of the time with work, in which at most so many panes are worked on
LEAST_OF_DAY = 8  # visits; fewer do not show how slow a day was
LEAST_DAYS = 5
LEAST_REST = 0.3  # of the time that a pane takes, where its work has begun
MOST_DAYS = 120  # working days; a forecast goes no further
EVENTS_IN_A_TURN = 200  # about a millisecond of computing

Route = tuple[str, ...]


class Reason(StrEnum):
    """Why a forecast has no dates."""

    NO_PANES = "NO_PANES"
    NO_ROUTE = "NO_ROUTE"
    FINISHED = "FINISHED"
    FEW_SCANS = "FEW_SCANS"
    TOO_FAR = "TOO_FAR"


class Visit(NamedTuple):
    """A pane at a station: when it came, when the work began if that is known, and its end.

    `day` is the day on which it ended.
    """

    arrived: float
    begun: float | None
    left: float
    day: str
    failed: bool


@dataclass(frozen=True, slots=True)
class Station:
    """What past visits say of a station.

    It works on so many panes at once, each of which takes its place for one of `times`, in
    seconds, times one of `day_factors`; `failed` is the share that did not pass.
    """

    visits: int
    places: int
    times: Sequence[float]
    day_factors: Sequence[float]
    failed: float


@dataclass(frozen=True, slots=True)
class Work:
    """A pane that is on the floor, or will be at once: the steps that are left.

    It came to the first of them at `arrived`; `begun` is when the work there began. Panes
    of an `order` are asked for together. One that is remade begins its `whole` route again.
    The sheets of a `unit` wait for one another at the end of their own steps; then the unit
    goes on with its steps, see `Floor.units`.
    """

    steps: Route
    arrived: float
    begun: float | None = None
    priority: float = 0
    order: str = ""
    whole: Route = ()
    unit: str | None = None


class Urgent(NamedTuple):
    """A pane of an urgent order, or a remake, that came to the floor at a time."""

    at: float
    steps: Route


@dataclass(frozen=True, slots=True)
class Floor:
    """The floor now: its stations, the panes on it, and which urgent ones came lately.

    A usual working day has `day_s` seconds. The `urgent` panes came within
    `past_s`. `units` are the laminated units with the steps that follow when their sheets are there.
    """

    now: float
    day_s: float
    stations: Mapping[str, Station]
    works: Sequence[Work]
    units: Mapping[str, Work] = field(default_factory=dict)
    urgent: Sequence[Urgent] = ()
    past_s: float = 0.0


def learn(visits: Sequence[Visit]) -> Station:
    """Return what visits say of their station."""
    ordered = sorted(visits, key=lambda one: (_began(one), one.left))
    places = _places(ordered)
    free = [-inf] * places
    times: list[float] = []
    of_days: dict[str, list[float]] = defaultdict(list)
    for visit in ordered:
        # the place was taken since the pane could have begun, whatever was waited for
        since = max(visit.arrived, heappop(free))
        heappush(free, visit.left)
        times.append(max(SHORTEST_S, visit.left - since))
        of_days[visit.day].append(times[-1])
    mean = sum(times) / len(times)
    factors = [
        sum(day) / len(day) / mean
        for day in of_days.values()
        if len(day) >= LEAST_OF_DAY
    ]
    return Station(
        visits=len(visits),
        places=places,
        times=times,
        day_factors=factors if len(factors) >= LEAST_DAYS else (1.0,),
        failed=sum(one.failed for one in visits) / len(visits),
    )


def _began(visit: Visit) -> float:
    return visit.left if visit.begun is None else visit.begun


def _places(visits: Sequence[Visit]) -> int:
    """Return on how many panes a station works at once, nearly always at most.

    One where that is known of less than half of the visits: then the time from one pane
    that leaves to the next is what each of them takes.
    """
    known = [one for one in visits if one.begun is not None]
    if 2 * len(known) < len(visits):
        return 1
    changes = sorted(
        change for one in known for change in ((_began(one), 1), (one.left, -1))
    )
    lasted: Counter[int] = Counter()
    counts = accumulate(by for _, by in changes)
    for count, (at, _), (until, _) in zip(counts, changes, changes[1:], strict=False):
        lasted[count] += until - at  # type: ignore[assignment]
    del lasted[0]
    left = BUSY_SHARE * lasted.total()
    for count in sorted(lasted):
        left -= lasted[count]
        if left <= 0:
            return max(1, count)
    return 1


class Forecast:
    """The runs of a floor, of which some orders are asked for.

    `ends` has when each order was finished, in each run.
    """

    def __init__(
        self, floor: Floor, orders: Collection[str], *, runs: int = RUNS, seed: int = 0
    ) -> None:
        self.floor, self.orders = floor, frozenset(orders)
        self.ends: dict[str, list[float]] = {order: [] for order in orders}
        self._runs, self._seed = runs, seed

    def steps(self) -> Iterator[None]:
        """Run the floor; each step takes about a millisecond."""
        for number in range(self._runs):
            run = _Run(self.floor, self.orders, f"{self._seed} {number}")
            yield from run.steps()
            for order, end in run.ends.items():
                self.ends[order].append(end)

    def ended_by(self, order: str, odds: int) -> float:
        """Return when an order is finished with odds of so many of 100."""
        ends = sorted(self.ends[order])
        return ends[max(1, ceil(odds * len(ends) / 100)) - 1]


class _Run:
    """One run: what happens on the floor from now until the orders are finished.

    The panes of two floors have the same luck in runs with the same seed, so that these
    differ by what is otherwise on one of them.
    """

    def __init__(self, floor: Floor, orders: frozenset[str], seed: str) -> None:
        self.now, self.stations, self.orders = floor.now, floor.stations, orders
        self.random, self.seed = Random(seed), seed
        self.ends = dict.fromkeys(orders, floor.now)
        self.day_s = floor.day_s
        # how slow each station is on the days to come, as far as they were reached
        self.factors: dict[str, list[float]] = {one: [] for one in floor.stations}
        self.free = {station: one.places for station, one in floor.stations.items()}
        self.queues: dict[str, list[tuple[float, float, int]]] = {
            station: [] for station in floor.stations
        }
        self.events: list[tuple[float, int]] = []
        self.works: list[Work] = [*floor.works, *floor.units.values()]
        self.at = [0] * len(self.works)  # the number of the step of each
        self.left: list[Route] = [one.steps for one in self.works]
        self.units = {
            unit: number for number, unit in enumerate(floor.units, len(floor.works))
        }
        self.missing = Counter(one.unit for one in floor.works if one.unit)
        # for each step how long it takes, and whether the pane fails
        self.luck = [
            [self.random.random() for _ in range(2 * len(one.steps))]
            for one in self.works
        ]
        self.asked = sum(one.order in orders for one in self.works if not one.unit)
        self.urgent = self._to_come(floor)
        self.priorities = [one.priority for one in self.works]

    def _to_come(self, floor: Floor) -> Iterator[Urgent]:
        """Yield the urgent panes of the last weeks as if they came from now on, again and again."""
        past = floor.urgent
        if not past or floor.past_s <= 0:
            return
        moment = self.random.uniform(0, floor.past_s)
        first = bisect_left(past, moment, key=lambda one: one.at)
        shift = floor.now - moment
        while True:
            for one in past[first:]:
                yield Urgent(one.at + shift, one.steps)
            first, shift = 0, shift + floor.past_s

    def steps(self) -> Iterator[None]:
        """Run until the orders are finished, about a millisecond in each step."""
        yield from self._begin()
        coming = next(self.urgent, None)
        turn = 0
        latest = self.now + MOST_DAYS * self.day_s
        while self.asked and (self.events or coming):
            if self.events and self.events[0][0] > latest:
                break
            turn += 1
            if not turn % EVENTS_IN_A_TURN:
                yield
            if coming and (not self.events or coming.at < self.events[0][0]):
                self._come(coming)
                coming = next(self.urgent, None)
            else:
                self._finish(*heappop(self.events))
        for order in self.orders if self.asked else ():
            self.ends[order] = inf

    def _begin(self) -> Iterator[None]:
        """Put each pane into the queue of its station, or to work if that has begun."""
        for number, work in enumerate(self.works[: len(self.works) - len(self.units)]):
            if not number % EVENTS_IN_A_TURN:
                yield
            if work.steps and work.begun is not None and self.free[work.steps[0]]:
                station = work.steps[0]
                takes = self._draw(station, self.now, number)
                rest = max(takes - (self.now - work.begun), LEAST_REST * takes)
                self._take(station, number, self.now + rest)
            elif work.steps:
                self._queue(number, work.arrived)
            else:
                self._end(number, work.arrived)
        for station in self.queues:
            self._serve(station, self.now)

    def _queue(self, number: int, arrived: float) -> str:
        station = self.left[number][self.at[number]]
        heappush(self.queues[station], (-self.priorities[number], arrived, number))
        return station

    def _come(self, urgent: Urgent) -> None:
        self.works.append(Work(urgent.steps, urgent.at))
        self.at.append(0)
        self.left.append(urgent.steps)
        self.luck.append([])
        self.priorities.append(1)
        self._serve(self._queue(len(self.works) - 1, urgent.at), urgent.at)

    def _serve(self, station: str, now: float) -> None:
        queue = self.queues[station]
        while queue and self.free[station]:
            number = heappop(queue)[2]
            self._take(station, number, now + self._draw(station, now, number))

    def _take(self, station: str, number: int, until: float) -> None:
        self.free[station] -= 1
        heappush(self.events, (until, number))

    def _chance(self, number: int) -> float:
        """Return a number from 0 to 1, of the luck of a pane as long as there is some."""
        luck = self.luck[number]
        return luck.pop() if luck else self.random.random()

    def _draw(self, station: str, now: float, number: int) -> float:
        """Return how long a pane that begins now takes its place."""
        one, factors = self.stations[station], self.factors[station]
        day = int((now - self.now) / self.day_s)
        while len(factors) <= day:
            of_day = Random(f"{self.seed} {station} {len(factors)}")
            factors.append(of_day.choice(one.day_factors))
        return one.times[int(self._chance(number) * len(one.times))] * factors[day]

    def _finish(self, now: float, number: int) -> None:
        """Let a pane go on from the station where it is, or begin again if it failed."""
        steps, work = self.left[number], self.works[number]
        station = steps[self.at[number]]
        self.free[station] += 1
        is_asked = work.order in self.orders
        if is_asked and self._chance(number) < self.stations[station].failed:
            self.left[number] = steps = work.whole or work.steps
            self.at[number], self.priorities[number] = 0, max(1, work.priority)
        else:
            self.at[number] += 1
        if self.at[number] < len(steps):
            self._serve(self._queue(number, now), now)
        elif unit := self._end(number, now):
            self._serve(unit, now)
        self._serve(station, now)

    def _end(self, number: int, now: float) -> str | None:
        """Finish a pane; return the station where its unit waits, if that is whole now."""
        work = self.works[number]
        if work.unit is not None:
            self.missing[work.unit] -= 1
            unit = self.units[work.unit]
            if self.missing[work.unit]:
                return None
            return self._queue(unit, now) if self.left[unit] else self._end(unit, now)
        if work.order in self.orders:
            self.asked -= 1
            self.ends[work.order] = max(self.ends[work.order], now)
        return None
