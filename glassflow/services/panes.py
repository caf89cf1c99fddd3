"""Panes: made, corrected and deleted. Scans are in `services.scanning`."""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core import outbox
from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain import pane_flow
from glassflow.domain.claims import AlreadyClaimed
from glassflow.domain.errors import NotFound, Refusal
from glassflow.models.pane import Pane
from glassflow.services import (
    corrections,
    deletion,
    order_progress,
    pane_drafts,
    records,
    references,
)
from glassflow.services.identity import Identity
from glassflow.services.pane_views import id_text, number_of, view
from glassflow.services.representation import stored

# What a correction is about; other fields of a pane change without a log.
CORRECTED = ("current_station", "current_status", "routing")
# What the sheets of a unit have in common with their parent, by which it is changed.
OF_THE_UNIT = ("order", "request", "material")


def find(model: type[Pane], text: str) -> dict[str, Any]:
    """Read a pane by its id or its number; raises `NotFound`."""
    by_id = ObjectId.is_valid(text)
    query = {"_id": ObjectId(text)} if by_id else {"paneNumber": number_of(text)}
    found: dict[str, Any] | None = model._get_collection().find_one(query)
    if found is None:
        raise NotFound("Pane not found")
    return found


def create(*, values: Mapping[str, Any], actor: Identity) -> list[Pane]:
    """Make a pane, or a laminated unit: the parent first, then its sheets.

    Raises `UnknownReference`, and `Refusal` for a station off the route or for several
    sheets on a route that never laminates.
    """
    return _create(values, records.next_numbers(Pane)[0])


@unit_of_work
def _create(values: Mapping[str, Any], number: str) -> list[Pane]:
    references.check(references.mentions(Pane, values))
    laminating = pane_drafts.laminating_for([values])
    made = pane_drafts.draft(values, number, laminating)
    records.insert_all(made)
    order_progress.recount_orders([made[0].order])
    return made


@unit_of_work
def update(
    *,
    model: type[Pane],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Pane:
    """Change a pane; a corrected station, status or route is logged with both states.

    A single pane that comes to be of several sheets becomes their dormant parent.
    Raises `Refusal` for a correction that contradicts the route, the flow or the unit.
    """
    pane = records.get(Pane, record_id)
    references.check(references.mentions(Pane, values))
    before, seen = corrections.state(pane), view(pane)
    was = {name: pane[name] for name in OF_THE_UNIT}
    sheets_before = pane_drafts.sheets_of(pane)
    placement = pane_flow.correct(seen, corrections.asked(values))
    corrections.refuse_revival(pane, placement)
    if seen.status not in pane_flow.OPEN and placement.status in pane_flow.OPEN:
        corrections.check_way(pane)
    records.assign(pane, {k: v for k, v in values.items() if k not in CORRECTED})
    if "routing" in values:
        pane.routing = values["routing"] or []
    pane_drafts.place(pane, placement)
    pane_drafts.measure(pane)
    changed = {name for name in OF_THE_UNIT if pane[name] != was[name]}
    if "order" in changed:
        _refuse_if_claimed(pane)
    if pane.laminate_role != "single" or pane.laminate_merged_at:
        _keep_whole(pane, changed, sheets_before)
    made = _split(pane, seen) if pane_drafts.asks_for_sheets(pane) else []
    pane.save()
    records.insert_all(made)
    left = [seen.station] if seen.station else []
    outbox.record("Pane", stored(pane), "updated", stations=left)
    if corrections.state(pane) != before:
        log = corrections.log_of(pane, before, actor)
        records.insert_all([log], announce=False)
    order_progress.recount_orders([was["order"], pane.order])
    return pane


def _split(pane: Pane, seen: pane_flow.PaneView) -> list[Pane]:
    """Make the sheets of a pane that has become a unit; one in work cannot."""
    if pane.current_status not in pane_flow.OPEN:
        return []
    if pane.started_at or seen.status != pane_flow.Status.PENDING:
        raise Refusal(
            "A pane that is in work cannot be divided into sheets",
            code="ALREADY_STARTED",
        )
    laminating = pane_drafts.laminating_stations([pane.routing])
    return pane_drafts.split(pane, laminating, station=id_text(pane.current_station))


def _refuse_if_claimed(pane: Pane) -> None:
    """An open claim is about a pane of its order; it is decided there."""
    if pane.held_from:
        raise AlreadyClaimed


def _keep_whole(pane: Pane, changed: set[str], sheets: int) -> None:
    """A unit stays of so many sheets, and in one order: its parent's is its sheets'."""
    if pane_drafts.sheets_of(pane) != sheets:
        raise Refusal(
            "The number of sheets of a laminated unit cannot change",
            code="SHEETS_FIXED",
        )
    if not changed or pane.laminate_role == "single":
        return
    if pane.laminate_role == "sheet":
        raise Refusal(
            "A sheet goes with its unit: change the parent", code="SHEET_OF_UNIT"
        )
    sheets_of_it = list(Pane.objects(parent_pane=pane.pk))
    for sheet in sheets_of_it:
        if "order" in changed:
            _refuse_if_claimed(sheet)
        for name in changed:
            sheet[name] = pane[name]
        sheet.stamp()
        outbox.record("Pane", stored(sheet), "updated")
    records.replace_all(sheets_of_it)


@unit_of_work
def delete(*, model: type[Pane], ids: Sequence[ObjectId], actor: Identity) -> int:
    """Delete panes, all or none; their orders are counted anew. Raises `NotFound`."""
    order_ids = [records.get(Pane, one).order for one in ids]
    count = deletion.delete(model=Pane, ids=ids, actor=actor)
    order_progress.recount_orders(order_ids)
    return count
