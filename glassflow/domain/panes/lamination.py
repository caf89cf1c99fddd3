"""Lamination: the sheets of a unit pass their stations separately and become one pane.

A laminated unit is a dormant parent, which has the route after the lamination, and its
sheets, which have the route up to it. A sheet that fails is replaced by a remake; until
the remake is scanned in at the lamination station the sheet is missing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from glassflow.domain.numbering import LETTERS
from glassflow.domain.panes.refusals import (
    NoLaminationStation,
    NotASheet,
    SheetsMissing,
    SurvivorRequired,
)
from glassflow.domain.panes.status import Status

PRESENT = frozenset({Status.IN_PROGRESS, Status.AWAITING_SCAN_OUT})


class SplitRoute(NamedTuple):
    """The two parts of a route, and the station where the sheets become one pane."""

    sheets: tuple[str, ...]
    after: tuple[str, ...]
    station: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The part of a sheet that its lamination depends on."""

    number: str
    status: str
    station: str | None


@dataclass(frozen=True, slots=True)
class SheetPresence:
    """The numbers of the sheets that are present, and how many sheets are needed."""

    present: tuple[str, ...]
    total: int

    @property
    def complete(self) -> bool:
        """Whether the unit can be laminated."""
        return len(self.present) == self.total


def split_route(route: Sequence[str], laminating: Collection[str]) -> SplitRoute:
    """Divide a route after its first lamination station.

    `laminating` are the stations that laminate. Raises `NoLaminationStation`.
    """
    for index, station in enumerate(route):
        if station in laminating:
            return SplitRoute(
                tuple(route[: index + 1]), tuple(route[index + 1 :]), station
            )
    raise NoLaminationStation


def count_present(sheets: Sequence[Sheet], station: str, total: int) -> SheetPresence:
    """Count the sheets that are scanned in at the lamination station."""
    present = [s.number for s in sheets if s.station == station and s.status in PRESENT]
    return SheetPresence(tuple(present), total)


def require_complete(presence: SheetPresence) -> None:
    """Raise `SheetsMissing` unless all sheets of a unit are present."""
    if not presence.complete:
        raise SheetsMissing(presence.present, presence.total)


def choose_survivor(
    sheets: Sequence[Sheet],
    station: str,
    total: int,
    *,
    scanned: str | None,
    wanted: str | None,
) -> str:
    """Return the number of the sheet that survives the merge.

    `scanned` is the number of the scanned sheet (None if the parent was scanned),
    `wanted` the one that the scan names instead. Raises `SurvivorRequired`,
    `SheetsMissing` and `NotASheet`.
    """
    chosen = wanted or scanned
    if chosen is None:
        raise SurvivorRequired
    presence = count_present(sheets, station, total)
    if chosen not in {sheet.number for sheet in sheets}:
        raise NotASheet(chosen)
    require_complete(presence)
    if chosen not in presence.present:
        raise NotASheet(chosen)
    return chosen


def next_label(label: str) -> str:
    """Return the label of the remake of a sheet: A2 after A, A3 after A2."""
    letters = label.rstrip("0123456789")
    count = label[len(letters) :]
    return f"{letters or LETTERS[0]}{int(count or 1) + 1}"
