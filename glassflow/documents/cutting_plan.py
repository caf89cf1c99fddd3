"""What a cutting plan shows on paper, as plain values; it has no prices."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from glassflow.documents.document import Document, Party
from glassflow.domain.cutting.stages import LeftOut, PaneOnSheet, PlanStatus

NOBODY = Party("")


class Place(NamedTuple):
    """A rectangle on a sheet in mm, from the left lower corner of the sheet."""

    x: float
    y: float
    width: float
    height: float


class Rest(NamedTuple):
    """What is left of a sheet: a remnant if it is kept, else waste."""

    place: Place
    is_kept: bool


@dataclass(frozen=True, slots=True)
class PlacedPane:
    """A pane on a sheet. `reason` says why it is not cut with the sheet any more."""

    place: Place
    number: str
    state: PaneOnSheet = PaneOnSheet.PLANNED
    reason: LeftOut | None = None
    mark: str = ""
    sheet_label: str = ""
    order: str = ""
    next_station: str = ""
    rack: str = ""

    @property
    def is_struck(self) -> bool:
        """Whether the sheet has not become this pane, or is not going to."""
        return self.state in (PaneOnSheet.LEFT, PaneOnSheet.BROKEN)


@dataclass(frozen=True, slots=True)
class SheetOnPaper:
    """A sheet, its lengths in mm, its panes in the order in which they break out.

    `code` is what a scanner reads from the page of the sheet. `remnants` are the numbers of
    the lots that were made of it. `cut_at` is the aware time of the workshop's clock, None
    before it is cut.
    """

    number: int
    code: str
    width: float
    height: float
    panes: Sequence[PlacedPane]
    rests: Sequence[Rest] = ()
    defects: Sequence[Place] = ()
    lot: str = ""
    location: str = ""
    color: str = ""
    is_remnant: bool = False
    use_percent: float = 0.0
    remnants: Sequence[str] = ()
    cut_at: dt.datetime | None = None
    cut_by: str = ""

    @property
    def kept(self) -> int:
        """How many rests are kept as remnants."""
        return sum(one.is_kept for one in self.rests)


@dataclass(frozen=True, slots=True, kw_only=True)
class CuttingPlanOnPaper(Document):
    """A cutting plan; it stays in the workshop, so there is no buyer.

    `date` is the day on which the plan was found, `printed_at` the aware time of what the
    paper shows. `thickness` is in mm, 0 if it is not known. `use_percent` is the share of the panes in the glass, without the remnants that are kept;
    None without sheets. `unplanned` are the numbers of panes that the plan cannot have, by
    the reason.
    """

    buyer: Party = NOBODY
    material: str
    thickness: float = 0.0
    printed_at: dt.datetime
    status: PlanStatus
    notes: str = ""
    sheets: Sequence[SheetOnPaper]
    use_percent: float | None = None
    unplanned: Sequence[tuple[LeftOut, Sequence[str]]] = ()
