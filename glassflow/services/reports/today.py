"""The morning page: what was finished, what is late and where it stands, what jams, what is paid.

Yesterday is the last working day before today. Each part that the caller could not read
elsewhere is None.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow import runtime
from glassflow.core.events import event_log
from glassflow.core.process import clock
from glassflow.domain import calendar
from glassflow.domain.agreed_prices import is_live
from glassflow.domain.aliases import May, Raw
from glassflow.domain.billing import BillingStatus
from glassflow.domain.calendar import Span
from glassflow.domain.daily_figures import ADDED, FINISHED, STAYS
from glassflow.domain.money import as_decimal, as_text
from glassflow.domain.panes.status import OPEN, Status
from glassflow.domain.permissions import CUSTOMER_NAMES
from glassflow.domain.short_names import short_name
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.customer import Customer
from glassflow.models.delivery import Delivery
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.station import IN_ORDER, Station
from glassflow.services import agreed_prices, daily_figures, settlements, workshop
from glassflow.services.daily_figures import Figures
from glassflow.services.records import lookup, restricted_fields
from glassflow.services.reports import (
    board,
    due_orders,
    flow,
    losses,
    on_time,
    quote_sums,
    unbilled,
)
from glassflow.services.stock import low_stock

SAME_WEEKDAYS = 20  # of which the usual number of finished panes is the median
SOON_WORKING_DAYS = 2
MOST_ORDERS = 10  # that are listed of those that are late, and of those due soon
ON_TIME_DAYS = 30
# Older complete orders are not looked for: nobody fetches them. `on_time` needs no others.
COMPLETE_FOR = timedelta(days=2 * ON_TIME_DAYS) + on_time.LONG
MOST_PRICED = 2_000  # panes of which the prices are added up
MM2_IN_M2 = 1_000_000
OPEN_STATUSES = sorted(map(str, OPEN))
OF_ORDER = (
    "orderNumber", "customer", "priority", "paneCount", "panesCompleted",
    "panesDelivered", "stationBreakdown",
)  # fmt: skip


class _Day(NamedTuple):
    """The last working day, and where today and the days until `soon` begin and end."""

    now: datetime
    yesterday: date
    span: Span
    soon: datetime


def read(may: May) -> dict[str, Any]:
    """Return the parts of the morning page; `may` tells whether the caller holds a key.

    Lengths of time are in seconds of working time, areas in m², amounts texts in baht
    before VAT, but those of invoices. About 25 round trips, whatever there is.
    """
    figures = daily_figures.read(
        daily_figures.STAY_DAYS, event_log.last(), (ADDED, STAYS)
    )
    day = _day(figures)
    complete = on_time.completed_since(day.now - COMPLETE_FOR)
    sees_panes, sees_prices = may("panes:view"), may("pricing:view")
    sees_stock = may("materials:view") and may("inventory:view")
    return {
        "day": day.yesterday.isoformat(),
        "timezone": runtime.current().policy.timezone.key,
        "finished": _finished(day, may) if sees_panes else None,
        **_due(day, may),
        "remakes": _remakes(day, may) if sees_panes and may("pane_logs:view") else None,
        "jam": _jam(day, figures) if sees_panes and may("pane_logs:view") else None,
        "onTime": _on_time(day, complete) if may("requests:view") else None,
        "undelivered": _undelivered(day, may, complete) if sees_panes else None,
        "unbilled": unbilled.total() if sees_prices else None,
        "unpaid": _unpaid() if sees_prices else None,
        "expiring": quote_sums.read_expiring() if sees_prices else None,
        "deliveries": board.deliveries_of_today(may),
        "lowStock": _low_stock() if sees_stock else None,
    }


def _day(figures: Figures) -> _Day:
    zone, times = runtime.current().policy.timezone, figures.times.usual
    now = clock.now()
    today = calendar.in_zone(now, zone).date()
    yesterday = times.working_day(today, -1)
    ends = times.working_day(today, SOON_WORKING_DAYS)
    return _Day(
        now,
        yesterday,
        calendar.day_span(yesterday, zone),
        calendar.day_span(ends, zone).end,
    )


def _finished(day: _Day, may: May) -> dict[str, Any]:
    """Return the panes that were finished, their area and price.

    Also how many are usual, and the target as it is now.
    """
    query = {"completedAt": {"$gte": day.span.start, "$lt": day.span.end}}
    shown = {"dimensions.area": 1, "agreedPrice": 1, "_id": 0}
    rows = list(Pane.collection().find(query, shown))
    area = sum((row.get("dimensions") or {}).get("area") or 0 for row in rows)
    weeks = (day.yesterday - timedelta(weeks=n) for n in range(1, SAME_WEEKDAYS + 1))
    return {
        "panes": len(rows),
        "area": round(area / MM2_IN_M2, 1),
        "value": _prices(rows, may),
        "usual": daily_figures.usual_of_days(FINISHED, weeks),
        "target": workshop.daily_target(),
    }


def _prices(panes: Iterable[Raw], may: May) -> str | None:
    """Return what was agreed for stored panes; None for who may not read it."""
    if not restricted_fields.may_read("Pane", may):
        return None
    return as_text(
        sum((as_decimal(row.get("agreedPrice")) for row in panes), Decimal())
    )


def _due(day: _Day, may: May) -> dict[str, Any]:
    """Return the open orders that are late, and those due soon, with where they stand."""
    if not may("requests:view"):
        return {"late": None, "soon": None}
    deadlines = due_orders.read_open_orders({}).deadlines
    dated = sorted(
        (moment, order) for order, moment in deadlines.items() if moment is not None
    )
    late = [order for moment, order in dated if moment < day.now]
    soon = [order for moment, order in dated if day.now <= moment < day.soon]
    listed = [*late[:MOST_ORDERS], *soon[:MOST_ORDERS]]
    orders = lookup.by_id(Order, listed, OF_ORDER)
    stations = list(Station.collection().find({}, {"name": 1}).sort(IN_ORDER))
    ids = [row["customer"] for row in orders.values()] if may(CUSTOMER_NAMES) else ()
    names = lookup.field_of(Customer, "name", ids)

    def shown(found: Sequence[ObjectId]) -> dict[str, Any]:
        rows = [orders[one] for one in found[:MOST_ORDERS] if one in orders]
        return {
            "count": len(found),
            "orders": [
                {
                    "_id": row["_id"],
                    "orderNumber": row.get("orderNumber"),
                    "customerShortName": short_name(names.get(row["customer"]) or "")
                    or None,
                    "deadline": deadlines[row["_id"]],
                    "paneCount": row.get("paneCount", 0),
                    "panesCompleted": row.get("panesCompleted", 0),
                    "panesDelivered": row.get("panesDelivered", 0),
                    "stations": _standing(row, stations),
                }
                for row in rows
            ],
        }

    return {"late": shown(late), "soon": shown(soon)}


def _standing(order: Raw, stations: Sequence[Raw]) -> list[dict[str, Any]]:
    counts = order.get("stationBreakdown") or {}
    return [
        {"station": one["_id"], "name": one["name"], "panes": counts[str(one["_id"])]}
        for one in stations
        if counts.get(str(one["_id"]))
    ]


def _remakes(day: _Day, may: May) -> dict[str, Any]:
    """Return the panes that were made again, and the reason and station of most of them.

    The price is that of the lost panes: a remake of one that is charged is free.
    """
    # by the index of when panes were made: that of remakes has those of all years
    query = {"createdAt": {"$gte": day.span.start, "$lt": day.span.end}}
    made = Pane.collection().find(query, {"remakeOf": 1})
    ids = [row["remakeOf"] for row in made if row.get("remakeOf")]
    logs = losses.last_failures({"pane": {"$in": ids}}) if ids else {}
    causes = Counter(
        (log.get("station"), log.get("reason", "")) for log in logs.values()
    )
    first = None
    for (station, reason), count in causes.most_common(1):
        names = lookup.field_of(Station, "name", [station])
        first = {
            "station": station,
            "stationName": names.get(station),
            "reason": reason,
            "panes": count,
        }
    lost = lookup.by_id(Pane, ids, ("agreedPrice",)).values()
    return {"panes": len(ids), "value": _prices(lost, may), "first": first}


def _jam(day: _Day, figures: Figures) -> dict[str, Any] | None:
    """Return the station where the most panes have been added to those that wait.

    Only one whose oldest pane is there for longer than 95 % of the stays. None where there
    is no such station.
    """
    counts = figures.of_stations(since=day.yesterday.isoformat())
    waiting = flow.open_panes()
    stays = figures.stays()
    found = []
    for station, panes in waiting.items():
        more = counts.get(station, Counter()).get(ADDED, 0)
        oldest = figures.times.of(station).seconds(panes[0].since, day.now)
        stay = stays.get(station) or figures.stay(station, {})
        if more > 0 and oldest > stay.p95:
            found.append((more, oldest, station))
    if not found:
        return None
    more, oldest, at = max(found)
    jammed = ObjectId(at)
    return {
        "station": jammed,
        "stationName": lookup.field_of(Station, "name", [jammed]).get(jammed),
        "panes": len(waiting[at]),
        "more": more,
        "oldestSeconds": round(oldest),
    }


def _on_time(day: _Day, complete: Sequence[Raw]) -> dict[str, Any]:
    """Return which orders of the last days were complete by their deadlines, and before."""
    length = timedelta(days=ON_TIME_DAYS)
    found = on_time.of_deadlines(day.now - 2 * length, day.now, complete)
    counts = Counter(
        (deadline >= day.now - length, was_on_time) for deadline, was_on_time in found
    )
    return {
        "days": ON_TIME_DAYS,
        **_share(counts[True, True], counts[True, False]),
        "before": _share(counts[False, True], counts[False, False]),
    }


def _share(on_time: int, late: int) -> dict[str, Any]:
    orders = on_time + late
    return {"orders": orders, "onTime": on_time}


def _undelivered(day: _Day, may: May, complete: Sequence[Raw]) -> dict[str, Any] | None:
    """Return the finished panes of orders, complete or not, that nobody has fetched.

    None in a workshop without deliveries. Of very many panes the price is not added up.
    """
    recent = {"plannedFor": {"$gte": day.now - COMPLETE_FOR}}
    if Delivery.collection().find_one(recent, {"_id": 1}) is None:
        return None
    begun = Order.collection().find(
        {"status": {"$in": due_orders.OPEN}}, on_time.OF_ORDER
    )
    rest = {
        row["_id"]: row.get("panesCompleted", 0) - row.get("panesDelivered", 0)
        for row in (*complete, *begun)
    }
    waiting = [order for order, panes in rest.items() if panes > 0]
    panes = sum(rest[order] for order in waiting)
    value = _value(waiting, may) if panes <= MOST_PRICED else None
    return {"orders": len(waiting), "panes": panes, "value": value}


def _value(orders: Sequence[ObjectId], may: May) -> str | None:
    """Return the price of the finished panes of orders that are not handed over."""
    query = {"order": {"$in": orders}}
    shown = dict.fromkeys((*agreed_prices.COUNTED, "_id"), 1)
    panes = Pane.collection().find(query, shown) if orders else ()
    return _prices(
        (
            row
            for row in panes
            if row["currentStatus"] == Status.COMPLETED
            and not row.get("deliveredAt")
            and is_live(row)
        ),
        may,
    )


def _unpaid() -> dict[str, Any]:
    """Return the invoices of all customers that are not paid, and what of them is open."""
    billed = {"status": str(BillingStatus.BILLED)}
    customers = BillingEntry.collection().distinct("customer", billed)
    found = settlements.unpaid_invoices(customers)
    return {"invoices": len(found), "amount": as_text(sum(found.values(), Decimal()))}


def _low_stock() -> list[dict[str, Any]]:
    return [
        {
            "material": row["_id"],
            "name": row["name"],
            "quantity": left,
            "unit": row.get("unit", ""),
        }
        for row, left in low_stock.shortages()
    ]
