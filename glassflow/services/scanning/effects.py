"""The effects of scans: one function for each effect that the pane table names.

An effect takes scans of one action at once, so that a batch needs as few round trips to
the store as a single scan.
"""

from collections.abc import Callable, Mapping, Sequence

from bson import ObjectId

from glassflow.core.store import locks, outbox
from glassflow.domain.notifications import NotificationType
from glassflow.domain.orders import OrderStatus
from glassflow.domain.panes.status import Action, Effect, LaminateRole, Status
from glassflow.domain.stock import LedgerReferenceType
from glassflow.models.order import Order
from glassflow.services import attachments, order_figures, pictures, records
from glassflow.services.notices import announcements
from glassflow.services.panes import remakes
from glassflow.services.panes.mapping import id_or_none
from glassflow.services.records import references
from glassflow.services.scanning import laminate
from glassflow.services.scanning.apply import AppliedScan
from glassflow.services.scanning.context import ScanContext


def fill_material(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Set the material of panes without one, and of their logs, to the order's."""
    for one in scans:
        order = context.order_of(one.pane)
        if order is None:
            continue
        for document in (*one.panes, *one.logs):
            if document.material is None:
                document.material = order.material


def store_and_log(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Store the panes and their logs, and record the changes of each scan together.

    Raises `UnknownAttachment` for the photos of a failed check.
    """
    locks.reserve(Order, _changed_orders(scans, context).keys())
    _require_stations(scans)
    records.save_all([pane for one in scans for pane in one.panes], action=None)
    _attach_photos(scans, context)
    records.insert_all([log for one in scans for log in one.logs], announce=False)
    for one in scans:
        _record_changes(one)


def _attach_photos(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Let the log of a failed check have the photos that were uploaded for it."""
    used = attachments.use(context.scan.photos, context.actor)
    for one in scans if used else ():
        stored = [pictures.stored_form(n, picture) for n, picture in enumerate(used)]
        one.result.log.photos = stored


def _require_stations(scans: Sequence[AppliedScan]) -> None:
    """Refuse to place a pane at a deleted station; the cached one may be older.

    Before the panes are stored. A station on the route of an open pane is deleted only
    with a change of the pane, which conflicts with the scan.
    """
    places = {
        one.pane.current_station
        for one in scans
        if one.pane.current_station not in one.pane.routing
        and id_or_none(one.pane.current_station) not in (None, one.before.station)
    }
    if places:
        station = references.Reference("station", "Station", tuple(places))
        references.require_exist([station])


def _record_changes(one: AppliedScan) -> None:
    log, left = one.result.log, one.outcome.left
    failed = one.outcome.status == Status.DEFECTED
    action = "qc_failed" if failed else "scanned"
    stations = [left] if left else []
    outbox.record("Pane", one.pane.stored_form(), action, stations=stations)
    stored_log = log.stored_form()
    detail = {"paneLog": stored_log, "material": one.pane.material}
    outbox.record("PaneLog", stored_log, "pane_scanned", detail=detail)
    for pane in one.retired:
        outbox.record(
            "Pane", pane.stored_form(), "updated", stations=[str(log.station)]
        )


def remake(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Replace panes that failed their check."""
    for one, number in zip(scans, context.remake_numbers, strict=True):
        one.result.remade = remakes.make(
            one.pane,
            number,
            order=context.order_of(one.pane),
            station=id_or_none(context.scan.remake_station),
            reason=remakes.RemakeReason(
                kind=LedgerReferenceType.QC_REMAKE,
                id=one.pane.pk,
                notice=NotificationType.QC_REMAKE,
                worker=context.worker,
                left=one.outcome.left,
            ),
        )


def recount_order(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Count the figures of each order again that the scans may have changed, once."""
    orders = list(_changed_orders(scans, context).values())
    order_figures.recount_all(orders)
    records.save_all(orders)


def _changed_orders(
    scans: Sequence[AppliedScan], context: ScanContext
) -> dict[ObjectId, Order]:
    """Return the orders whose figures or status the scans may change, by id."""
    changed: dict[ObjectId, Order] = {}
    for one in scans:
        order = context.order_of(one.pane)
        if order is not None and _changes_order(one, order):
            changed[order.pk] = order
    return changed


def _changes_order(one: AppliedScan, order: Order) -> bool:
    """Return whether the figures or the status of the order may change."""
    # also for a move to the same station, which may occur twice in a row in a route
    went_on = one.outcome.arrived_at is not None
    moved = went_on or one.before.station != one.outcome.station
    completed = one.outcome.status == Status.COMPLETED
    return (
        moved or completed or bool(one.retired) or order.status == OrderStatus.PENDING
    )


def announce_arrival(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Announce panes that have a next step to its station and their order's worker."""
    for one in scans:
        station, order = one.outcome.arrived_at, context.order_of(one.pane)
        if station:
            announcements.pane_arrived(
                one.pane,
                left=one.outcome.left,
                station=station,
                station_name=context.station_name(station),
                assigned_to=order.assigned_to if order else None,
            )


def announce_completion(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Notify the workers assigned to the orders of panes that are completed now."""
    for one in scans:
        order = context.order_of(one.pane)
        if one.outcome.completed:
            announcements.pane_completed(
                one.pane, assigned_to=order.assigned_to if order else None
            )


def announce_sheets(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Announce to lamination stations whether all sheets of a unit are present."""
    action = context.scan.action
    laminate.announce_sheets([one.pane for one in scans if _is_sheet(one, action)])


def _is_sheet(one: AppliedScan, action: Action) -> bool:
    """Return whether a sheet has been scanned in at its lamination station."""
    pane = one.pane
    scanned_in = action == Action.SCAN_IN or one.before.status == Status.PENDING
    at_lamination = pane.current_station == pane.laminate_station
    return pane.laminate_role == LaminateRole.SHEET and at_lamination and scanned_in


def announce_lamination(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Announce laminated panes to the station where they have been laminated."""
    for one in scans:
        merged = one.result.merged
        if merged is not None:
            announcements.laminated(
                one.pane.stored_form(),
                station=str(one.result.log.station),
                retired=merged.retired,
                sheets=merged.sheets,
            )


EFFECTS: Mapping[Effect, Callable[[Sequence[AppliedScan], ScanContext], None]] = {
    Effect.FILL_MATERIAL: fill_material,
    Effect.STORE_AND_LOG: store_and_log,
    Effect.REMAKE: remake,
    Effect.RECOUNT_ORDER: recount_order,
    Effect.ANNOUNCE_ARRIVAL: announce_arrival,
    Effect.ANNOUNCE_COMPLETION: announce_completion,
    Effect.ANNOUNCE_SHEETS: announce_sheets,
    Effect.ANNOUNCE_LAMINATION: announce_lamination,
}
