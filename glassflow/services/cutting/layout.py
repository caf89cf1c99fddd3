"""The layout of a cutting plan: its sheets as they were found, and what is cut of them.

It is stored with the plan as one value. `panes` and `pieces` belong together by their index,
which is also how the cells of a sheet name a pane; see `domain.cutting.plan`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bson import ObjectId

from glassflow.domain.cutting.aims import PER_M2, Aims, Found
from glassflow.domain.cutting.plan import (
    Box,
    Measures,
    Piece,
    Plan,
    Sheet,
    Stock,
    kept_rests,
    panes_of,
    rests_of,
)
from glassflow.planner.messages import sheet_form, sheet_of, stock_form, stock_of

DECIMALS = 3  # of areas in m²
NO_MEASURES, NO_PLAN = Measures(0), Plan(())


@dataclass(slots=True)
class PlannedSheet:
    """A sheet of a plan; `cut` and `broken` are the panes that it has become.

    The sheet names its lot by `lot`, so the index in `sheet.stock` is 0. `remnants` are the
    lots that were made of its rests, and `logs` those of the scans of its panes.
    """

    number: int
    lot: ObjectId
    stock: Stock
    sheet: Sheet
    cut_at: datetime | None = None
    cut_by: ObjectId | None = None
    cut_by_name: str = ""
    withdrawal: ObjectId | None = None
    cut: Sequence[ObjectId] = ()
    broken: Sequence[ObjectId] = ()
    remnants: Sequence[ObjectId] = ()
    logs: Sequence[ObjectId] = ()

    @property
    def is_cut(self) -> bool:
        """Whether the sheet has been cut."""
        return self.cut_at is not None

    @property
    def indexes(self) -> list[int]:
        """The indexes of its panes, in the order in which they break out."""
        return [piece for piece, _ in panes_of(self.sheet)]

    def rests(self, measures: Measures) -> list[Box]:
        """Return what is left of the sheet, in tenths of a mm."""
        return list(rests_of(self.sheet, self.stock, measures.kerf))

    def kept_rests(self, measures: Measures) -> list[Box]:
        """Return the rests of the sheet that are remnants."""
        return kept_rests(self.sheet, self.stock, measures)

    def form(self) -> dict[str, Any]:
        """Return the sheet as it is stored."""
        names = ("number", "lot", "cut_at", "cut_by", "cut_by_name", "withdrawal")
        return {
            **{name: getattr(self, name) for name in names},
            "stock": stock_form(self.stock),
            "sheet": sheet_form(self.sheet),
            "cut": list(self.cut),
            "broken": list(self.broken),
            "remnants": list(self.remnants),
            "logs": list(self.logs),
        }

    @classmethod
    def of(cls, form: Mapping[str, Any]) -> "PlannedSheet":
        """Return the sheet of a stored form."""
        stock, sheet = stock_of(form["stock"]), sheet_of(form["sheet"])
        return cls(**{**form, "stock": stock, "sheet": sheet})


@dataclass(slots=True)
class Layout:
    """The sheets of a plan, with the panes and the measures that they were planned with.

    `basis` is a digest of what the search was given, and `worth` is how good its plan is
    (`Found` without the plan): a later search of the same has to be better.
    """

    panes: list[ObjectId] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    measures: Measures = NO_MEASURES
    sheets: list[PlannedSheet] = field(default_factory=list)
    basis: str = ""
    worth: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, form: Mapping[str, Any] | None) -> "Layout":
        """Return the layout of a stored form; an empty one for None."""
        if not form:
            return cls()
        return cls(
            list(form["panes"]),
            [Piece(*one) for one in form["pieces"]],
            Measures(*form["measures"]),
            [PlannedSheet.of(one) for one in form["sheets"]],
            form["basis"],
            form["worth"],
        )

    def form(self) -> dict[str, Any]:
        """Return the layout as it is stored."""
        return {
            "panes": self.panes,
            "pieces": [list(one) for one in self.pieces],
            "measures": list(self.measures),
            "sheets": [one.form() for one in self.sheets],
            "basis": self.basis,
            "worth": self.worth,
        }

    def found(self) -> Found | None:
        """Return how good the plan is, without the plan; None without sheets."""
        return worth_of(self.worth) if self.sheets else None

    @property
    def uncut(self) -> list[PlannedSheet]:
        """The sheets that are still to be cut."""
        return [one for one in self.sheets if not one.is_cut]

    @property
    def lots(self) -> Counter[ObjectId]:
        """How many sheets of each lot are still to be cut."""
        return Counter(one.lot for one in self.uncut)

    def panes_on(self, sheets: Sequence[PlannedSheet]) -> list[ObjectId]:
        """Return the panes on sheets, in the order in which they break out."""
        return [self.panes[n] for one in sheets for n in one.indexes]

    def planned(self) -> dict[ObjectId, Piece]:
        """Return in which size each pane is planned that is not cut yet."""
        return {
            self.panes[n]: self.pieces[n] for one in self.uncut for n in one.indexes
        }

    def figures(self) -> dict[str, Any]:
        """Return the figures of all sheets; see `models.cutting_plan.no_figures`."""
        sheets, pieces = self.sheets, self.pieces
        new = [one for one in sheets if not one.stock.is_remnant]
        used = [one for one in sheets if one.stock.is_remnant]
        of_panes = [pieces[n] for one in sheets for n in one.indexes]
        made = [box for one in sheets for box in one.kept_rests(self.measures)]
        found = self.found()
        without = found and found.without
        return {
            "panes": len(of_panes),
            "sheets": len(new),
            "remnants": len(used),
            "sheetArea": _in_m2(one.stock.area for one in new),
            "remnantAreaUsed": _in_m2(one.stock.area for one in used),
            "paneArea": _in_m2(one.width * one.height for one in of_panes),
            "remnantAreaMade": _in_m2(box.area for box in made),
            "sheetAreaWithoutRemnants": without and _in_m2([without.whole]),
        }


def worth_form(found: Found) -> dict[str, Any]:
    """Return how good a plan is, as it is stored."""
    form = {name: value for name, value in found._asdict().items() if name != "plan"}
    without = found.without and list(found.without)
    return {**form, "aims": list(found.aims), "without": without}


def worth_of(form: Mapping[str, Any]) -> Found:
    """Return how good a plan is, without the plan, from its stored form."""
    without = form["without"] and Aims(*form["without"])
    given = {**form, "aims": Aims(*form["aims"]), "without": without}
    return Found(NO_PLAN, **given)


def _in_m2(areas: Iterator[int] | Any) -> float:
    return round(sum(areas) / PER_M2, DECIMALS)
