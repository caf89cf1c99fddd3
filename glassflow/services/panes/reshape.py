"""Panes that are changed in what they are, not where: many of one request at once."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from bson import ObjectId

from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.errors import Refusal
from glassflow.domain.panes.refusals import PanesClosed
from glassflow.domain.panes.status import OPEN, LaminateRole
from glassflow.models.pane import Pane
from glassflow.services import agreed_prices, makeability, order_figures, records
from glassflow.services.panes import correct, factory, handed_over
from glassflow.services.panes.mapping import pane_view


def begun(panes: Sequence[Pane]) -> list[str]:
    """Return the numbers of panes on which work has begun, or on one of their sheets."""
    units = [one.pk for one in panes if one.laminate_role == LaminateRole.PARENT]
    query = {"parentPane": {"$in": units}, "startedAt": {"$ne": None}}
    rows = Pane.collection().find(query, {"parentPane": 1}) if units else ()
    of_sheets = {row["parentPane"] for row in rows}
    return [one.pane_number for one in panes if one.started_at or one.pk in of_sheets]


def reshape(
    changes: Sequence[tuple[Sequence[Pane], Mapping[str, Any]]],
    stored: Mapping[ObjectId, Raw],
) -> dict[ObjectId, Decimal | None]:
    """Change what panes of one request are, not where, and store them with their prices.

    `changes` are panes and their new values, `stored` these panes in stored form, by id. A
    laminated pane changes with its sheets, and a single one that is changed to several
    sheets becomes their parent. Returns the differences of `agreed_prices.reprice`. As many
    round trips for many panes as for one, but for those that become units. Raises
    `PaneDelivered`, `AlreadyClaimed`, `PanesClosed` for panes that are not open, and
    `Refusal` for a sheet, another number of sheets of a unit, and a pane that is to become
    a unit after its work began.
    """
    panes = [one for of_values, _ in changes for one in of_values]
    if not panes:
        return {}
    _require_reshapable(panes)
    units = {one.pk: list[Pane]() for one in panes if one.child_panes}
    for sheet in Pane.find_many({"parentPane": {"$in": list(units)}}) if units else ():
        if sheet.parent_pane in units and sheet.laminate_role == LaminateRole.SHEET:
            units[sheet.parent_pane].append(sheet)
    for of_values, values in changes:
        for one in of_values:
            count = factory.sheets_of(one)
            for part in (one, *units.get(one.pk, ())):
                records.apply_changes(part, values)
                factory.set_area(part)
            is_fixed = one.pk in units or one.laminate_merged_at
            if is_fixed and factory.sheets_of(one) != count:
                raise Refusal(texts.SHEETS_FIXED, code="SHEETS_FIXED")
    makeability.judge_all_again(panes)
    differences = agreed_prices.reprice(panes, stored)
    made = [
        sheet
        for one in panes
        if factory.needs_sheets(one)
        for sheet in correct.split(one, pane_view(Pane.from_stored(stored[one.pk])))
    ]
    sheets = [sheet for of_unit in units.values() for sheet in of_unit]
    records.store(*panes, *sheets)
    records.store(*made)
    order_figures.recount_orders({one.order for one in made})
    return differences


def _require_reshapable(panes: Sequence[Pane]) -> None:
    handed_over.require_none([one.stored_form() for one in panes])
    for one in panes:
        correct.refuse_if_claimed(one)
        if one.laminate_role == LaminateRole.SHEET:
            raise Refusal(texts.SHEET_OF_UNIT, code="SHEET_OF_UNIT")
    if closed := [one.pane_number for one in panes if one.current_status not in OPEN]:
        raise PanesClosed(closed)
