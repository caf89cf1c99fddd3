"""Undo the last scan of panes, as a correction, while nothing else has happened to them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
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
from glassflow.models.rack import Rack
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
    """The panes as they were before their scans, and the logs of the corrections.

    `undone` are the logs of the scans, in the order of the panes. `cancelled` are the
    panes of the remakes that failed checks had made.
    """

    panes: Sequence[Pane]
    logs: Sequence[PaneLog]
    undone: Sequence[PaneLog]
    cancelled: Sequence[Pane]


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
) -> UndoResult:
    """Undo the last scan of each of many panes, all or none; repeated numbers count once.

    Raises what `undo` raises, with the number of the first pane refused in the details,
    and `Refusal` with all unknown numbers.
    """
    distinct = distinct_numbers(numbers)
    with counted(UNDO, len(distinct)):
        return undo_all(distinct, actor, reason or texts.UNDONE)


@unit_of_work
def _undo_one(number: str, actor: Identity, reason: str) -> UndoResult:
    pane, orders = load_with_order(number)
    return _undo([pane], orders, actor, reason)


@unit_of_work
def undo_all(
    numbers: Sequence[str],
    actor: Identity,
    reason: str,
    *,
    window: timedelta = rules.UNDO_WINDOW,
    logs: Collection[ObjectId] | None = None,
    plan: ObjectId | None = None,
) -> UndoResult:
    """Undo as `batch_undo` does, for so long after the scans.

    Only the scans with these `logs`, if some are given; raises `ChangedSinceScan` where
    another one followed. `plan` is the cutting plan that the panes are to be cut with again.
    """
    panes, orders = load_all_with_orders(numbers)
    return _undo(panes, orders, actor, reason, window, logs, plan)


def _undo(
    panes: Sequence[Pane],
    orders: Sequence[Order],
    actor: Identity,
    reason: str,
    window: timedelta = rules.UNDO_WINDOW,
    only: Collection[ObjectId] | None = None,
    plan: ObjectId | None = None,
) -> UndoResult:
    scans = [_undoable_log(pane, actor, window, only) for pane in panes]
    before = [snapshot(pane) for pane in panes]
    present = [pane for pane in panes if _is_present_sheet(pane)]
    for pane, scan in zip(panes, scans, strict=True):
        _require_open_work(pane)
        _restore(pane, scan.undo or {})
        pane.cutting_plan = plan or pane.cutting_plan
    _leave_deleted_racks(panes)
    _require_stations(panes)
    made = _store(panes, scans, before, actor, reason)
    failed = [
        pane
        for pane, earlier in zip(panes, before, strict=True)
        if earlier["currentStatus"] == Status.DEFECTED
    ]
    cancelled: Sequence[Pane] = ()
    if failed:
        cancelled = remake_reversal.cancel_remakes(failed, actor=actor, reason=reason)
        # a remake may have been deleted, or moved to another request
        agreed_prices.recount([one.request for one in (*failed, *cancelled)])
    started = {scan.order for scan in scans if (scan.undo or {}).get("startsOrder")}
    for order in orders:
        _recount(order, has_started=order.pk in started)
    moved = [pane for pane in panes if _is_present_sheet(pane) != (pane in present)]
    if moved:
        laminate.announce_sheets(moved)
    return UndoResult(panes, made, scans, cancelled)


def _undoable_log(
    pane: Pane,
    actor: Identity,
    window: timedelta,
    only: Collection[ObjectId] | None,
) -> PaneLog:
    """Return the log of the scan to undo, or raise why it cannot be."""
    scanned = newest_log(pane)
    with naming_pane(pane):
        last = last_log(scanned, actor)
        if only is not None and scanned is not None and scanned.pk not in only:
            raise rules.ChangedSinceScan(scanned.action)
        rules.require_undoable(last, pane.version, clock.now(), window)
    assert scanned is not None  # else there is nothing to undo
    return scanned


def _store(
    panes: Sequence[Pane],
    scans: Sequence[PaneLog],
    before: Sequence[Mapping[str, Any]],
    actor: Identity,
    reason: str,
) -> list[PaneLog]:
    """Store the restored panes and the logs of their corrections; returns these."""
    implied, made, stations = _implied(scans), [], {}
    for pane, scan, earlier in zip(panes, scans, before, strict=True):
        left = id_or_none(earlier["currentStation"])
        stations[pane.pk] = [left] if left else []
        log = correction_log(pane, earlier, actor, reason=reason)
        log.description = texts.UNDONE_ACTION.format(action=scan.action)
        log.undone_action, log.moved_to = scan.action, None
        log.undone = logs.undone_forms([*implied[scan.pk], scan])
        made.append(log)
    records.store(*panes, stations=stations)
    logs.store(*made)
    for pane, log in zip(panes, made, strict=True):
        logs.announce_log(log, pane)
    return made


def _implied(scans: Sequence[PaneLog]) -> dict[ObjectId, list[PaneLog]]:
    """Read the logs of what scans implied, such as a scan_in or a complete, by scan."""
    ids = {scan.pk: (scan.undo or {}).get("logs") or [] for scan in scans}
    wanted = [one for of_scan in ids.values() for one in of_scan]
    found = {one.pk: one for one in PaneLog.objects(pk__in=wanted)} if wanted else {}
    return {
        scan: [found[one] for one in of_scan if one in found]
        for scan, of_scan in ids.items()
    }


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
    """Set the fields of a pane to their values before the scan.

    A log of an earlier release does not have all of them.
    """
    for name in UNDOABLE_FIELDS:
        stored = Pane._fields[name].db_field
        if stored in data["pane"]:
            pane[name] = data["pane"][stored]


def _require_open_work(pane: Pane) -> None:
    """Refuse to reopen a finished pane of cancelled work; others were cancelled too."""
    if pane.current_status == Status.COMPLETED:
        cancelled_guard.require_open(orders=[pane.order], requests=[pane.request])


def _leave_deleted_racks(panes: Sequence[Pane]) -> None:
    """Let panes stand on no rack that has been deleted since."""
    back = [pane for pane in panes if pane.rack and pane.is_changed_in("rack")]
    existing = references.find_existing(Rack, {pane.rack for pane in back if pane.rack})
    for pane in back:
        if pane.rack not in existing:
            pane.rack = None


def _require_stations(panes: Sequence[Pane]) -> None:
    """Refuse to put panes back to stations that have been deleted since."""
    stations = {station for pane in panes for station in pane.routing}
    stations |= {pane.current_station for pane in panes if pane.current_station}
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
