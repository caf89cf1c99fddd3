"""Undo the remake of a failed check when that scan is undone."""

from collections.abc import Sequence

from glassflow.core.identity import Identity
from glassflow.domain.panes.status import LaminateRole, Status
from glassflow.domain.panes.undo import RemakeBegun
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import agreed_prices, records
from glassflow.services.panes import logs, planned_delivery
from glassflow.services.panes.logs import correction_log, snapshot
from glassflow.services.panes.mapping import id_or_none


def cancel_remake(failed: Pane, *, actor: Identity, reason: str) -> list[Pane]:
    """Cancel the remake of a pane; returns the cancelled panes.

    They are no longer the remake of this pane, are counted nowhere and cannot be opened
    again. None, if the remake has been deleted. The caller counts the order again.
    Raises `RemakeBegun`.
    """
    remake = Pane.find_one({"remakeOf": failed.pk})
    if remake is None:
        return []
    panes = [remake]
    if remake.laminate_role == LaminateRole.PARENT:
        panes += Pane.find_many({"parentPane": remake.pk})
    _require_untouched(remake, panes)
    remake.remake_of = None
    has_other_price = failed.agreed_price != remake.agreed_price  # agreed meanwhile
    if has_other_price and not agreed_prices.is_charged(failed):
        failed.agreed_price = remake.agreed_price
        records.store(failed)
    _cancel_all(panes, actor, reason)
    planned_delivery.hand_on(remake.pk, failed.pk)
    return panes


def _require_untouched(remake: Pane, panes: Sequence[Pane]) -> None:
    """Raise `RemakeBegun` unless the panes of a remake are as they were made."""
    ids = {"$in": [pane.pk for pane in panes]}
    is_logged = PaneLog.collection().find_one({"pane": ids}, {"_id": 1})
    if is_logged or not all(_is_new(pane) for pane in panes):
        raise RemakeBegun(remake.pane_number)


def _is_new(pane: Pane) -> bool:
    is_pending = pane.current_status == Status.PENDING and pane.started_at is None
    return is_pending and not pane.held_from and not pane.withdrawal


def _cancel_all(panes: Sequence[Pane], actor: Identity, reason: str) -> None:
    entries, stations = [], {}
    for pane in panes:
        before, left = snapshot(pane), id_or_none(pane.current_station)
        pane.current_status = str(Status.CANCELLED)
        pane.move_to(None)
        # the pane that has not failed is in its place
        pane.written_off, pane.remade = True, True
        stations[pane.pk] = [left] if left else []
        entries.append(correction_log(pane, before, actor, reason=reason))
    records.store(*panes, stations=stations)
    logs.store(*entries)
