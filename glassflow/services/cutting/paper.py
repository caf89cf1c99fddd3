"""A cutting plan as it is printed, and one of its sheets as it is drawn."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.documents.cutting_plan import (
    CuttingPlanOnPaper,
    Place,
    PlacedPane,
    Rest,
    SheetOnPaper,
)
from glassflow.documents.document import Party
from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import ENGLISH, Language
from glassflow.domain.calendar import in_zone
from glassflow.domain.cutting.pieces import thickness_of
from glassflow.domain.cutting.stages import LeftOut, PlanStatus
from glassflow.domain.errors import NotFound
from glassflow.models.material import Material
from glassflow.services import workshop
from glassflow.services.cutting import sheets
from glassflow.services.records import lookup


def read(plan: Raw, language: Language) -> CuttingPlanOnPaper:
    """Return a plan in stored form as it is printed now, in a language.

    Costs what `sheets.read` does, and reads the material and the workshop.
    """
    shop, printed_at = workshop.settings(), _local(clock.now())
    material = lookup.by_id(Material, [plan["material"]]).get(plan["material"], {})
    found = plan.get("foundAt")
    number = number_of(plan)
    return CuttingPlanOnPaper(
        number=number,
        date=(_local(found) if found else printed_at).date(),
        seller=Party(**workshop.as_party(shop, is_english=language == ENGLISH)),
        logo=workshop.logo(shop),
        language=language,
        material=material.get("name") or "",
        thickness=thickness_of(material, ()),
        printed_at=printed_at,
        status=PlanStatus(plan["status"]),
        notes=plan.get("notes") or "",
        sheets=[_sheet(number, one) for one in sheets.read(plan)["sheets"]],
        use_percent=_use_percent(plan.get("figures") or {}),
        unplanned=_unplanned(plan),
    )


def read_sheet(plan: Raw, number: int) -> SheetOnPaper:
    """Return a sheet of a plan in stored form. Raises `NotFound`."""
    for one in sheets.read(plan)["sheets"]:
        if one["number"] == number:
            return _sheet(number_of(plan), one)
    raise NotFound(texts.NOT_FOUND.format(label=texts.SHEET_LABEL))


def number_of(plan: Raw) -> str:
    """Return the number of a plan in stored form."""
    return plan.get("planNumber") or str(plan["_id"])


def code_of(plan: str, sheet: int) -> str:
    """Return what the code on the page of a sheet says: `CUT-0001/3`."""
    return f"{plan}/{sheet}"


def _sheet(plan: str, shown: Mapping[str, Any]) -> SheetOnPaper:
    """Return a sheet of the answer of `sheets.read`."""
    lot, cut_at = shown["lot"], shown["cutAt"]
    return SheetOnPaper(
        number=shown["number"],
        code=code_of(plan, shown["number"]),
        width=shown["width"],
        height=shown["height"],
        panes=[_pane(one) for one in shown["panes"]],
        rests=[Rest(_place(one), one["isKept"]) for one in shown["rests"]],
        defects=[_place(one) for one in shown["defects"]],
        lot=lot["inventoryNumber"],
        location=lot["location"],
        color=lot["storageColor"],
        is_remnant=shown["isRemnant"],
        use_percent=shown["usePercent"],
        remnants=[one["inventoryNumber"] for one in shown["remnants"]],
        cut_at=_local(cut_at) if cut_at else None,
        cut_by=shown["cutByName"],
    )


def _pane(shown: Mapping[str, Any]) -> PlacedPane:
    return PlacedPane(
        place=_place(shown),
        number=shown["paneNumber"],
        state=shown["state"],
        reason=shown["reason"],
        mark=shown["mark"],
        sheet_label=shown["sheetLabel"],
        order=shown["orderNumber"],
        next_station=shown["nextStation"],
        rack=shown["rack"],
    )


def _place(box: Mapping[str, Any]) -> Place:
    return Place(*(box[name] for name in Place._fields))


def _use_percent(figures: Mapping[str, Any]) -> float | None:
    """Return the share of the panes in the glass, as `usePercent` of a sheet is."""
    glass = figures["sheetArea"] + figures["remnantAreaUsed"] if figures else 0
    used = glass - figures["remnantAreaMade"] if glass else 0
    return round(100 * figures["paneArea"] / used, 1) if used > 0 else None


def _unplanned(plan: Raw) -> list[tuple[LeftOut, list[str]]]:
    """Return the numbers of the panes that the plan cannot have, by the reason."""
    found: dict[LeftOut, list[str]] = defaultdict(list)
    for one in plan.get("unplanned") or ():
        found[LeftOut(one["reason"])].append(one["paneNumber"])
    return [(reason, sorted(numbers)) for reason, numbers in found.items()]


def _local(moment: datetime) -> datetime:
    """Return a stored moment as the workshop's clock shows it."""
    return in_zone(moment, runtime.current().policy.timezone)
