"""The floor as it is now, with the panes of a quote or a request among those of the others."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import inf
from typing import Any

from bson import ObjectId

from glassflow.domain import quotes
from glassflow.domain.aliases import Raw
from glassflow.domain.forecast import Floor, Route, Station, Work
from glassflow.domain.orders import OPEN_ORDERS
from glassflow.domain.panes import lamination
from glassflow.domain.panes.status import OPEN, LaminateRole
from glassflow.domain.working_time import ElapsedTime
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services.accepted_quotes import RUSH_PRIORITY
from glassflow.services.forecasts.past import Past, priority_of, released
from glassflow.services.panes import factory
from glassflow.services.records import lookup

# The key of the panes that are asked for; others have the id of their order.
ASKED = "asked"
OF_ORDER = ("createdAt", "priority")
_OF_PANE = (
    "order", "request", "remakeOf", "currentStation", "routing", "routeIndex", "arrivedAt",
    "workStartedAt", "laminateRole", "parentPane", "laminateStation",
)  # fmt: skip


@dataclass(slots=True)
class Panes:
    """Panes on the floor, with what is said of those that are asked for.

    `routes` are the whole routes of the latter, `ahead` the stations that these have before
    them, in this order; `without_route` of them have none.
    """

    works: list[Work] = field(default_factory=list)
    units: dict[str, Work] = field(default_factory=dict)
    routes: set[Route] = field(default_factory=set)
    ahead: dict[str, None] = field(default_factory=dict)
    without_route: int = 0

    def is_empty(self) -> bool:
        """Whether no pane that is asked for has work before it."""
        return not any(
            one.order == ASKED for one in (*self.works, *self.units.values())
        )

    def ask(self, route: Route, steps: Route) -> None:
        """Note the route of a pane that is asked for, and the steps that it has before it."""
        self.routes.add(route)
        self.ahead |= dict.fromkeys(steps)


def of_now(elapsed: ElapsedTime, now: datetime, request: ObjectId | None) -> Panes:
    """Return the panes that are on the floor, and those of orders that have none yet.

    Those of a `request` are asked for.
    """
    query = {"currentStatus": {"$in": sorted(map(str, OPEN))}}
    rows: list[Raw] = list(Pane.collection().find(query, dict.fromkeys(_OF_PANE, 1)))
    orders = lookup.by_id(Order, (row.get("order") for row in rows), OF_ORDER)
    parents = {
        row["_id"]: row
        for row in rows
        if row.get("laminateRole") == LaminateRole.PARENT
    }
    units = {row.get("parentPane") for row in rows} & parents.keys()
    panes = Panes()
    for row in rows:
        is_asked = request is not None and row.get("request") == request
        work = _work(row, orders, elapsed, now, is_asked=is_asked)
        if row["_id"] in units:
            panes.units[str(row["_id"])] = work
        elif row["_id"] in parents:
            continue  # its sheets are lost
        elif (
            row.get("parentPane") in units and row["laminateRole"] == LaminateRole.SHEET
        ):
            panes.works.append(replace(work, unit=str(row["parentPane"])))
            if is_asked:
                after = _texts(parents[row["parentPane"]].get("routing"))
                panes.ask((*_texts(row.get("routing")), *after), (*_left(row), *after))
        elif work.steps:
            panes.works.append(work)
            if is_asked:
                panes.ask(work.whole or work.steps, work.steps)
        else:
            panes.without_route += is_asked
    for row in _orders_to_begin(orders):
        is_asked = request is not None and row.get("request") == request
        key, steps = ASKED if is_asked else str(row["_id"]), _texts(row.get("stations"))
        planned = Work(
            steps, elapsed.at(now), None, row.get("priority") or 0, key, steps
        )
        _add_planned(panes, planned, int(row.get("quantity") or 0))
    return panes


def _work(
    row: Raw,
    orders: Mapping[Any, Raw],
    elapsed: ElapsedTime,
    now: datetime,
    *,
    is_asked: bool,
) -> Work:
    """Return a pane as a forecast has it.

    A sheet has the steps until its lamination, which its unit takes, and does so first.
    """
    order, began_at = orders.get(row.get("order")), row.get("workStartedAt")
    steps, whole = _left(row), _texts(row.get("routing"))
    laminates = str(row.get("laminateStation"))
    if row.get("laminateRole") == LaminateRole.PARENT:
        steps = whole = (laminates, *whole)
    elif row.get("laminateRole") == LaminateRole.SHEET:
        steps, whole = (
            one[:-1] if one[-1:] == (laminates,) else one for one in (steps, whole)
        )
    arrived_at = now  # of one that no order has yet
    if order and row.get("arrivedAt"):
        arrived_at = released(row["arrivedAt"], order)
    return Work(
        steps=steps,
        arrived=elapsed.at(arrived_at),
        begun=elapsed.at(began_at) if began_at and steps else None,
        priority=priority_of(row, order),
        order=ASKED if is_asked else str(row.get("order") or ""),
        whole=whole,
    )


def _texts(route: Iterable[Any] | None) -> Route:
    return tuple(map(str, route or ()))


def _left(row: Raw) -> Route:
    """Return the steps that a pane has before it; the first one is where it is."""
    route, here = row.get("routing") or (), row.get("currentStation")
    if here:
        route = (here, *route[(row.get("routeIndex") or 0) + 1 :])
    return _texts(route)


def _orders_to_begin(with_panes: Collection[ObjectId]) -> Iterable[Raw]:
    """Yield the open orders that have no panes yet, nor have had any."""
    query = {"status": {"$in": sorted(map(str, OPEN_ORDERS))}}
    had = ("panesCompleted", "stationBreakdown", "lostPanes")
    shown = (*had, "request", "stations", "quantity", "priority")
    for row in Order.collection().find(query, dict.fromkeys(shown, 1)):
        if row["_id"] not in with_panes and not any(row.get(name) for name in had):
            yield row


def _add_planned(panes: Panes, work: Work, count: int) -> None:
    """Add equal panes that come to the floor now."""
    if not work.steps:
        panes.without_route += count if work.order == ASKED else 0
        return
    panes.works += [work] * count
    if work.order == ASKED:
        panes.ask(work.steps, work.steps)


def add_rows(
    panes: Panes,
    rows: Sequence[Raw],
    *,
    is_rush: bool,
    elapsed: ElapsedTime,
    now: datetime,
) -> None:
    """Add the panes that the rows of a quote would become, which are asked for."""
    priority, arrived = (RUSH_PRIORITY if is_rush else 0), elapsed.at(now)
    laminating = factory.lamination_stations(
        [ObjectId(step) for step in row.get("routing") or ()] for row in rows
    )
    for number, row in enumerate(rows):
        count, steps = quotes.quantity(row), _texts(row.get("routing"))
        work = Work(steps, arrived, None, priority, ASKED, steps)
        sheets = int((row.get("rawGlass") or {}).get("sheetsPerPane") or 1)
        if sheets == 1 or laminating.isdisjoint(steps):
            _add_planned(panes, work, count)
            continue
        parts = lamination.split_route(steps, laminating)
        first, rest = parts.sheets[:-1], (parts.station, *parts.after)
        for copy in range(count):
            unit = f"{number} {copy}"
            panes.units[unit] = replace(work, steps=rest, whole=rest)
            sheet = replace(work, steps=first, whole=first, unit=unit)
            panes.works += [sheet] * sheets
        panes.ask(steps, steps)


def simulated(
    panes: Panes,
    past: Past,
    known: Collection[str],
    *,
    now: float,
    day_s: float,
    more_at: str | None = None,
    first: bool = False,
) -> Floor:
    """Return the floor of a forecast, of the stations of which enough is known.

    Panes of others skip the other stations. `more_at` is a station with a place more;
    with `first` what is asked for comes before all others.
    """
    stations = {name: one for name, one in past.stations.items() if name in known}
    if more_at in stations:
        one = stations[more_at]
        stations[more_at] = replace(one, places=one.places + 1)

    def of_known(work: Work) -> Work:
        steps = _known(work.steps, known)
        return replace(
            work,
            steps=steps,
            begun=work.begun if steps[:1] == work.steps[:1] else None,
            priority=inf if first and work.order == ASKED else work.priority,
            whole=_known(work.whole, known),
        )

    # of panes that come at the same moment those that are asked for are the last
    works = sorted(map(of_known, panes.works), key=lambda one: one.order == ASKED)
    units = {unit: of_known(one) for unit, one in panes.units.items()}
    urgent = [
        one._replace(steps=steps)
        for one in past.urgent
        if (steps := _known(one.steps, known))
    ]
    return Floor(now, day_s, stations, works, units, urgent, past.length_s)


def _known(steps: Route, known: Collection[str]) -> Route:
    return tuple(step for step in steps if step in known)


def load(panes: Panes, past: Past, known: Collection[str]) -> list[dict[str, Any]]:
    """Return how many panes of others have the stations before them that are asked for.

    With the time (s) that a station works on them, None for one that is not `known`.
    """
    counts: Counter[str] = Counter(
        step
        for work in (*panes.works, *panes.units.values())
        if work.order != ASKED
        for step in work.steps
    )
    return [
        {
            "station": ObjectId(station),
            "panes": counts[station],
            "seconds": round(counts[station] * _pace(past.stations[station]))
            if station in known
            else None,
        }
        for station in panes.ahead
    ]


def _pace(station: Station) -> float:
    """Return how many seconds pass from one pane that a busy station finishes to the next."""
    return sum(station.times) / len(station.times) / station.places
