"""Changes of panes that are not scans. A corrected status, station or route is logged.

Scans are in `services.scanning`.
"""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.claims import AlreadyClaimed
from glassflow.domain.errors import Refusal
from glassflow.domain.panes import route
from glassflow.domain.panes.refusals import CorrectionRefused, WorkCancelled
from glassflow.domain.panes.status import (
    OPEN,
    LaminateRole,
    PaneView,
    Status,
)
from glassflow.models.pane import Pane
from glassflow.services import (
    agreed_prices,
    cancelled_guard,
    makeability,
    order_figures,
    records,
)
from glassflow.services.panes import (
    cancellation,
    factory,
    gone_stations,
    handed_over,
    logs,
    ownership,
)
from glassflow.services.panes.mapping import id_or_none, pane_view
from glassflow.services.records import references
from glassflow.services.stock import cuts, withdrawal_panes

# The fields of a correction; the other fields of a pane change without a log.
CORRECTED = ("current_station", "current_status", "routing")
# The fields that sheets share with their parent; they are changed on the parent.
SHARED_BY_UNIT = ("order", "request", "material", "mark")


@unit_of_work
def update(
    *,
    model: type[Pane],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> list[Pane]:
    """Change a pane; a correction is logged with the state before and after.

    `correction_reason` among the values is the reason in that log, and no field of a pane.
    A single pane that is changed to several sheets becomes their dormant parent; it is
    returned first, then the new sheets. An order or request that the pane moves into, or
    in which it is opened again, must not be cancelled (`OrderCancelled`,
    `RequestCancelled`), and a pane that moves into an order takes its request. Raises
    `NotFound`, `UnknownReference`, `AlreadyClaimed` for a correction or another order of a
    pane with an open claim, `PaneDelivered`, `OtherCustomer`, `StationGone` for a pane that is opened again
    on a route with a deleted station, `WithdrawalDecided` for a rejected withdrawal, and
    `Refusal` for a correction that contradicts the route, the pane flow or the unit.
    """
    fields = {k: v for k, v in values.items() if k != "correction_reason"}
    pane = records.load(Pane, record_id)
    if pane.laminate_role == LaminateRole.PARENT:
        fields = _change_unit_status(pane, values, actor, fields)
    references.require_exist(references.references_in(Pane, fields, stored=pane))
    before, view = logs.snapshot(pane), pane_view(pane)
    old_lot, old_withdrawal = pane.inventory, pane.withdrawal
    old_shared = {name: pane[name] for name in SHARED_BY_UNIT}
    old_request = pane.request
    old_sheets = factory.sheets_of(pane)
    stored = pane.stored_form()
    _apply(pane, view, fields)
    if not pane.is_changed:
        return [pane]
    handed_over.require_changeable(pane, stored)
    makeability.judge_again(pane)
    changed = _changed_names(pane, old_shared)
    _require_open_work(pane, view, changed)
    if changed & {"order", "request"}:
        moved, request_given = "order" in changed, "request" in fields
        ownership.follow_order(pane, moved=moved, request_given=request_given)
        changed = _changed_names(pane, old_shared)
    if "order" in changed or logs.snapshot(pane) != before:
        refuse_if_claimed(pane)
    orders = [old_shared["order"], pane.order]
    if pane.laminate_role != LaminateRole.SINGLE or pane.laminate_merged_at:
        orders += _update_unit(pane, changed, old_sheets)
    if pane.request != old_request:
        agreed_prices.require_not_charged([stored])
        agreed_prices.price_added([pane])
    sheets = split(pane, view) if factory.needs_sheets(pane) else []
    differences = agreed_prices.reprice([pane], {pane.pk: stored})
    left = {pane.pk: [view.station]} if view.station else {}
    records.store(pane, stations=left)
    records.store(*sheets)
    if pane.withdrawal and pane.withdrawal != old_withdrawal:
        withdrawal_panes.require_not_rejected(pane.withdrawal)
    if pane.inventory != old_lot:
        cuts.log_changed(pane, sheets or _pieces(pane), worker=actor.worker_id)
    if logs.snapshot(pane) != before:
        reason = values.get("correction_reason") or ""
        logs.store(logs.correction_log(pane, before, actor, reason=reason))
    order_figures.recount_orders(orders)
    if pane.request != old_request and pane.agreed_price:
        agreed_prices.recount([old_request, pane.request])
    elif pane.request == old_request:
        agreed_prices.note_of_pane(
            pane,
            stored,
            differences,
            reason=values.get("correction_reason") or "",
            may=actor.may,
        )
    return [pane, *sheets]


def _change_unit_status(
    pane: Pane, values: Mapping[str, Any], actor: Identity, fields: Mapping[str, Any]
) -> dict[str, Any]:
    """Cancel a laminated pane with its sheets, or take that back; return what is left.

    Other corrections are of its sheets.
    """
    stored = pane.stored_form()
    was, wanted = pane.current_status, values.get("current_status")
    reason = values.get("correction_reason") or ""
    if wanted is None or route.UNIT_CORRECTIONS.get(was) != wanted:
        return dict(fields)
    if wanted == Status.CANCELLED:
        cancellation.cancel_alone([pane], actor=actor, reason=reason)
    elif not cancellation.restore_unit(pane, actor=actor, reason=reason):
        return dict(fields)
    agreed_prices.note_of_pane(pane, stored, {}, reason=reason, may=actor.may)
    return {k: v for k, v in fields.items() if k != "current_status"}


def _changed_names(pane: Pane, before: Mapping[str, Any]) -> set[str]:
    return {name for name, value in before.items() if pane[name] != value}


def _apply(pane: Pane, view: PaneView, values: Mapping[str, Any]) -> None:
    """Set the new values and the place that follows from them."""
    placement = route.correct(view, _correction_from(values))
    _refuse_replaced(pane, placement)
    records.apply_changes(pane, {k: v for k, v in values.items() if k not in CORRECTED})
    if "routing" in values:
        pane.routing = values["routing"] or []
    if view.status not in OPEN and placement.status in OPEN:
        gone_stations.require_left(pane.routing)
    factory.set_placement(pane, placement)
    if pane.started_at is None and route.begins(view, placement, pane.routing):
        pane.started_at = clock.now()
    factory.set_area(pane)


def _require_open_work(pane: Pane, before: PaneView, changed: set[str]) -> None:
    """Refuse to move a pane into, or to reopen it in, a cancelled order or request.

    A pane that was cancelled along with its work stays there until one is taken back or
    the pane is corrected; a corrected one is not restored with its work.
    """
    moved = changed & {"order", "request"}
    reopened = before.status not in OPEN and pane.current_status in OPEN
    cancelled_guard.require_open(
        orders=[pane.order] if reopened or "order" in moved else (),
        requests=[pane.request] if reopened or "request" in moved else (),
    )
    if pane.current_status != before.status:
        pane.cancelled_from = None
    elif moved and pane.cancelled_from and pane.laminate_role != LaminateRole.SHEET:
        raise WorkCancelled


def _correction_from(values: Mapping[str, Any]) -> route.Correction:
    steps = values.get("routing")
    return route.Correction(
        status=values.get("current_status"),
        station=id_or_none(values.get("current_station")),
        station_given="current_station" in values,
        route=tuple(str(step) for step in steps or ()) if "routing" in values else None,
    )


def _refuse_replaced(pane: Pane, placement: route.Placement) -> None:
    """Refuse to bring back a pane that a remake or an approved claim has replaced.

    It would be counted twice. Raises `CorrectionRefused`.
    """
    if placement.status == pane.current_status:
        return
    replaced = pane.written_off or (
        pane.current_status == Status.DEFECTED
        and Pane.collection().find_one({"remakeOf": pane.pk}, {"_id": 1})
    )
    if replaced:
        raise CorrectionRefused(
            texts.PANE_REPLACED, details={"status": pane.current_status}
        )


def split(pane: Pane, before: PaneView) -> list[Pane]:
    """Make the sheets of a pane that becomes a unit; the caller stores them.

    Refused once its work began.
    """
    if pane.current_status not in OPEN:
        return []
    if pane.started_at or before.status != Status.PENDING:
        raise Refusal(texts.ALREADY_STARTED, code="ALREADY_STARTED")
    laminating = factory.lamination_stations([pane.routing])
    return factory.split(pane, laminating, station=id_or_none(pane.current_station))


def refuse_if_claimed(pane: Pane) -> None:
    """Keep a pane with an open claim as it is: the claim is decided for it.

    A finished pane stays `completed` while it is held, so its status does not show it.
    """
    if pane.held_from:
        raise AlreadyClaimed


def _update_unit(pane: Pane, changed: set[str], sheets: int) -> list[ObjectId | None]:
    """Apply changed shared fields of a parent to its sheets; return their orders before.

    The sheet count is fixed (`sheets` is the old one); sheets always share the parent's
    order, request, material and mark. The laminated pane may have been moved without the rest
    of its unit, so its order may be another one.
    """
    if factory.sheets_of(pane) != sheets:
        raise Refusal(texts.SHEETS_FIXED, code="SHEETS_FIXED")
    if not changed or pane.laminate_role == LaminateRole.SINGLE:
        return []
    if pane.laminate_role == LaminateRole.SHEET:
        raise Refusal(texts.SHEET_OF_UNIT, code="SHEET_OF_UNIT")
    found = list(Pane.objects(parent_pane=pane.pk))
    orders = [sheet.order for sheet in found]
    for sheet in found:
        if "order" in changed:
            refuse_if_claimed(sheet)
        for name in changed:
            sheet[name] = pane[name]
    records.store(*found)
    return orders


def _pieces(pane: Pane) -> list[Pane]:
    """Return the sheets in use of a unit, given its parent; none for another pane."""
    if pane.laminate_role != LaminateRole.PARENT:
        return []
    lost = (str(Status.DEFECTED), str(Status.CANCELLED))
    return list(Pane.objects(parent_pane=pane.pk, current_status__nin=lost))
