"""Undo the remakes of failed checks when those scans are undone."""

from collections.abc import Sequence

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.domain.panes.status import LaminateRole, Status
from glassflow.domain.panes.undo import RemakeBegun
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import agreed_prices, records
from glassflow.services.panes import logs, planned_delivery
from glassflow.services.panes.logs import correction_log, snapshot
from glassflow.services.panes.mapping import id_or_none, naming_pane


def cancel_remakes(
    failed: Sequence[Pane], *, actor: Identity, reason: str
) -> list[Pane]:
    """Cancel the remakes of panes; returns the cancelled panes, in the order of `failed`.

    They are no longer remakes of these panes, are counted nowhere and cannot be opened
    again. A remake that has been deleted is left out. The caller counts the orders again.
    Raises `RemakeBegun`, with the number of the failed pane.
    """
    found = Pane.find_many({"remakeOf": {"$in": [pane.pk for pane in failed]}})
    remakes = {remake.remake_of: remake for remake in found}
    units = [one.pk for one in found if one.laminate_role == LaminateRole.PARENT]
    sheets = Pane.find_many({"parentPane": {"$in": units}}) if units else []
    replaced = [(pane, remakes[pane.pk]) for pane in failed if pane.pk in remakes]
    charged = agreed_prices.find_charged(failed)
    begun = _begun([*found, *sheets])
    cancelled = []
    for pane, remake in replaced:
        made = [remake, *(one for one in sheets if one.parent_pane == remake.pk)]
        with naming_pane(pane):
            if not begun.isdisjoint(one.pk for one in made):
                raise RemakeBegun(remake.pane_number)
        remake.remake_of = None
        has_other_price = pane.agreed_price != remake.agreed_price  # agreed meanwhile
        if has_other_price and pane.pk not in charged:
            pane.agreed_price = remake.agreed_price
        cancelled += made
    records.store(*failed)
    _cancel_all(cancelled, actor, reason)
    planned_delivery.hand_on({remake.pk: pane.pk for pane, remake in replaced})
    return cancelled


def _begun(panes: Sequence[Pane]) -> set[ObjectId]:
    """Return the ids of the panes that are not as they were made."""
    ids = {"$in": [pane.pk for pane in panes]}
    logged = PaneLog.collection().find({"pane": ids}, {"pane": 1})
    begun = [pane.pk for pane in panes if not _is_new(pane)]
    return {*(row["pane"] for row in logged), *begun}


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
