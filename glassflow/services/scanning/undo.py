"""Undo the last scan of panes, as a correction, while nothing else has happened to them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.orders import OrderStatus
from glassflow.domain.panes import lamination
from glassflow.domain.panes import undo as rules
from glassflow.domain.panes.status import LaminateRole, Status
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import agreed_prices, cancelled_guard, order_figures, records
from glassflow.services.panes import logs, remake_reversal
from glassflow.services.panes.logs import correction_log, snapshot
from glassflow.services.panes.mapping import id_or_none, naming_pane, parse_number
from glassflow.services.records import references
from glassflow.services.scanning import laminate
from glassflow.services.scanning.context import load_all_with_orders, load_with_order
from glassflow.services.scanning.decision import UNDOABLE_FIELDS
from glassflow.services.scanning.scan import counted, distinct_numbers

UNDO = "undo"  # the name of this action in the metrics


@dataclass(frozen=True, slots=True)
class UndoResult:
    """The pane as it was before the scan, and the log of the correction.

    `undone` is the log of the scan. `cancelled` are the panes of the remake that a failed
    check had made. `was_defected` is whether the scan was one, `changes_presence` whether
    a sheet counts as present for its lamination now and did not before, or the other way.
    """

    pane: Pane
    log: PaneLog
    undone: PaneLog
    cancelled: Sequence[Pane]
    was_defected: bool
    changes_presence: bool


def undo(*, number: str, actor: Identity, reason: str = "") -> UndoResult:
    """Undo the last scan of a pane, given by its number or QR payload.

    Raises `NotFound`, the refusals of `domain.panes.undo`, `OrderCancelled` or
    `RequestCancelled` for a finished pane of cancelled work, and `UnknownReference` if a
    station where the pane would be has been deleted.
    """
    with counted(UNDO):
        return _undo_one(parse_number(number), actor, reason or texts.UNDONE)


def batch_undo(
    *, numbers: Sequence[str], actor: Identity, reason: str = ""
) -> list[UndoResult]:
    """Undo the last scan of each of many panes, all or none; repeated numbers count once.

    Raises what `undo` raises, with the number of the first pane refused in the details,
    and `Refusal` with all unknown numbers.
    """
    distinct = distinct_numbers(numbers)
    with counted(UNDO, len(distinct)):
        return _undo_many(distinct, actor, reason or texts.UNDONE)


@unit_of_work
def _undo_one(number: str, actor: Identity, reason: str) -> UndoResult:
    pane, orders = load_with_order(number)
    return _undo([pane], orders, actor, reason)[0]


@unit_of_work
def _undo_many(
    numbers: Sequence[str], actor: Identity, reason: str
) -> list[UndoResult]:
    panes, orders = load_all_with_orders(numbers)
    return _undo(panes, orders, actor, reason)


def _undo(
    panes: Sequence[Pane], orders: Sequence[Order], actor: Identity, reason: str
) -> list[UndoResult]:
    results = [_undo_scan_of(pane, actor, reason) for pane in panes]
    reopened = [one for one in results if one.was_defected]
    if reopened:
        # the remake may have been deleted, or moved to another request
        touched = [pane for one in reopened for pane in (one.pane, *one.cancelled)]
        agreed_prices.recount([pane.request for pane in touched])
    started = {
        one.pane.order for one in results if (one.undone.undo or {}).get("startsOrder")
    }
    for order in orders:
        _recount(order, has_started=order.pk in started)
    sheets = [one.pane for one in results if one.changes_presence]
    if sheets:
        laminate.announce_sheets(sheets)
    return results


def _undo_scan_of(pane: Pane, actor: Identity, reason: str) -> UndoResult:
    scanned = newest_log(pane)
    with naming_pane(pane):
        last = last_log(scanned, actor)
        rules.require_undoable(last, pane.version, clock.now())
    assert scanned is not None  # else there is nothing to undo
    assert scanned.undo is not None
    _require_open_work(pane)
    before, was_present = snapshot(pane), _is_present_sheet(pane)
    _restore(pane, scanned.undo)
    _require_stations(pane)
    left = id_or_none(before["currentStation"])
    log = correction_log(pane, before, actor, reason=reason)
    log.description = texts.UNDONE_ACTION.format(action=scanned.action)
    records.store(pane, stations={pane.pk: [left] if left else []})
    log.undone_action, log.moved_to = scanned.action, None
    log.undone = logs.undone_forms([*_implied(scanned), scanned])
    logs.store(log)
    logs.announce_log(log, pane)
    was_defected = before["currentStatus"] == Status.DEFECTED
    cancelled: Sequence[Pane] = ()
    if was_defected:
        cancelled = remake_reversal.cancel_remake(pane, actor=actor, reason=reason)
    changes_presence = _is_present_sheet(pane) != was_present
    return UndoResult(pane, log, scanned, cancelled, was_defected, changes_presence)


def _implied(scanned: PaneLog) -> list[PaneLog]:
    """Read the logs of what the scan implied, such as a scan_in or a complete."""
    ids = (scanned.undo or {}).get("logs")
    return list(PaneLog.objects(pk__in=ids)) if ids else []


def undoable_until(log: PaneLog) -> datetime | None:
    """Return until when the scan of a log can be undone; None for a lamination."""
    stored_at = log.created_at
    return rules.undoable_until(stored_at) if log.undo and stored_at else None


def newest_log(pane: Pane) -> PaneLog | None:
    """Read the newest log of a pane; of several logs of one scan the scan's own."""
    newest = [("createdAt", -1), ("_id", -1)]
    row = PaneLog.collection().find_one({"pane": pane.pk}, sort=newest)
    return PaneLog.from_stored(row) if row else None


def last_log(log: PaneLog | None, actor: Identity) -> rules.LastLog | None:
    """Return the newest log of a pane as the rules of undoing need it."""
    if log is None:
        return None
    data = log.undo or {}
    assert log.created_at is not None  # it is stored
    own = actor.worker_id in (data.get("by"), log.worker)
    return rules.LastLog(
        action=log.action,
        stored_at=log.created_at,
        version=data.get("version"),
        own=own or actor.may("panes:manage"),
    )


def _restore(pane: Pane, data: Mapping[str, Any]) -> None:
    """Set the fields of a pane to their values before the scan."""
    for name in UNDOABLE_FIELDS:
        pane[name] = data["pane"].get(Pane._fields[name].db_field)


def _require_open_work(pane: Pane) -> None:
    """Refuse to reopen a finished pane of cancelled work; others were cancelled too."""
    if pane.current_status == Status.COMPLETED:
        cancelled_guard.require_open(orders=[pane.order], requests=[pane.request])


def _require_stations(pane: Pane) -> None:
    """Refuse to put a pane back to a station that has been deleted since."""
    stations: dict[ObjectId, None] = dict.fromkeys(pane.routing)
    if pane.current_station:
        stations[pane.current_station] = None
    if stations:
        station = references.Reference("station", "Station", tuple(stations))
        references.require_exist([station])


def _is_present_sheet(pane: Pane) -> bool:
    """Return whether a pane counts as present for the lamination of its unit."""
    sheet = pane.laminate_role == LaminateRole.SHEET
    at_lamination = pane.current_station == pane.laminate_station
    return sheet and at_lamination and pane.current_status in lamination.PRESENT


def _recount(order: Order, *, has_started: bool) -> None:
    """Count the figures of an order again; pending if only the undone scan began it."""
    if has_started and order.status == OrderStatus.IN_PROGRESS:
        order.status = str(OrderStatus.PENDING)
    order_figures.recount(order)
    order_figures.store(order)
