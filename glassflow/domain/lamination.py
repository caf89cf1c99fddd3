"""Lamination: several sheets travel on their own, and become one pane, once and whole.

A laminated unit is a dormant parent, which has the way after the lamination, and its
sheets, which have the way up to it. A sheet that fails is replaced in its place; until
its remake arrives it is missing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from glassflow.domain import scan_guards as guard
from glassflow.domain.errors import Refusal
from glassflow.domain.numbering import LETTERS
from glassflow.domain.pane_state import Action, Facts, PaneView, Status
from glassflow.domain.scan_refusals import WrongStation

PRESENT = frozenset({Status.IN_PROGRESS, Status.AWAITING_SCAN_OUT})


class NoLaminationStation(Refusal):
    """A pane of several sheets has to pass a station that laminates them."""

    code = "NO_LAMINATION_STATION"

    def __init__(self) -> None:
        super().__init__("The route of a laminated pane needs a lamination station")


class SheetsMissing(Refusal):
    """Not all sheets are at the lamination station and taken in."""

    code = "SHEETS_MISSING"

    def __init__(self, muster: "Muster") -> None:
        there, total = len(muster.present), muster.total
        super().__init__(
            f"แผ่นกระจกยังมาไม่ครบ ({there}/{total})",
            facts={
                "sheetsPresent": there,
                "sheetsTotal": total,
                "present": list(muster.present),
            },
        )


class SurvivorNeeded(Refusal):
    """Scanned by its parent, a unit has to be told which sheet survives."""

    code = "SURVIVOR_REQUIRED"

    def __init__(self) -> None:
        super().__init__("laminateSurvivorPaneNumber is required to scan the parent")


class NoSheetOfThisUnit(Refusal):
    """Only one of the sheets that are merged can survive."""

    code = "NOT_A_SHEET"

    def __init__(self, number: str) -> None:
        super().__init__(
            f"{number} is not a present sheet of this unit",
            facts={"laminateSurvivorPaneNumber": number},
        )


class NotLaminated(Refusal):
    """The pane is no part of a unit that is still to be laminated."""

    code = "NOT_LAMINATED"

    def __init__(self, *, survivor: str | None = None) -> None:
        told = "has been laminated already" if survivor else "has no sheets to laminate"
        super().__init__(
            f"The pane {told}",
            code="ALREADY_LAMINATED" if survivor else None,
            facts={"survivorPaneNumber": survivor} if survivor else None,
        )


class Ways(NamedTuple):
    """The two parts of a route, and the station where the sheets become one pane."""

    sheets: tuple[str, ...]
    after: tuple[str, ...]
    station: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet as its unit sees it."""

    number: str
    status: str
    station: str | None


@dataclass(frozen=True, slots=True)
class Muster:
    """The numbers of the sheets that are there, of how many that have to be."""

    present: tuple[str, ...]
    total: int

    @property
    def complete(self) -> bool:
        """Whether the unit can be laminated."""
        return len(self.present) == self.total


def ways(route: Sequence[str], laminating: Collection[str]) -> Ways:
    """Divide a route after its first lamination station.

    `laminating` are the stations that laminate. Raises `NoLaminationStation`.
    """
    for index, station in enumerate(route):
        if station in laminating:
            return Ways(tuple(route[: index + 1]), tuple(route[index + 1 :]), station)
    raise NoLaminationStation


def refuse_unlaminable(
    view: PaneView, facts: Facts, *, number: str, merged: bool
) -> None:
    """Raise why a pane cannot be scanned to laminate its unit, sheets aside.

    It has left the flow, its work is cancelled, it is neither sheet nor parent, or the
    given station is not where its unit is laminated.
    """
    guard.pane_is_in_the_flow(view, Action.LAMINATE, facts)
    guard.work_goes_on(view, Action.LAMINATE, facts)
    station = view.laminate_station
    if view.laminate_role == "single" or station is None:
        raise NotLaminated(survivor=number if merged else None)
    if facts.station not in (None, station):
        raise WrongStation(station, facts.station, facts.station_names)


def muster(sheets: Sequence[Sheet], station: str, total: int) -> Muster:
    """Count the sheets that are at the lamination station and taken in there."""
    there = [s.number for s in sheets if s.station == station and s.status in PRESENT]
    return Muster(tuple(there), total)


def survivor(
    sheets: Sequence[Sheet],
    station: str,
    total: int,
    *,
    scanned: str | None,
    wanted: str | None,
) -> str:
    """Give the number of the sheet that survives the merge of all.

    `scanned` is the sheet whose code was scanned (None: the parent's was), `wanted` the
    one that the scan names instead. Raises `SurvivorNeeded`, `SheetsMissing` and
    `NoSheetOfThisUnit`.
    """
    chosen = wanted or scanned
    if chosen is None:
        raise SurvivorNeeded
    there = muster(sheets, station, total)
    if chosen not in {sheet.number for sheet in sheets}:
        raise NoSheetOfThisUnit(chosen)
    if not there.complete:
        raise SheetsMissing(there)
    if chosen not in there.present:
        raise NoSheetOfThisUnit(chosen)
    return chosen


def next_label(label: str) -> str:
    """Name the sheet that takes another's place: A2 after A, A3 after A2."""
    letters = label.rstrip("0123456789")
    count = label[len(letters) :]
    return f"{letters or LETTERS[0]}{int(count or 1) + 1}"
