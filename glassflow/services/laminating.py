"""Laminating: the sheets of a unit become one pane, once and whole, whoever races."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bson import ObjectId

from glassflow.core import clock, outbox
from glassflow.domain import lamination
from glassflow.domain.pane_flow import Status
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import (
    announcements,
    order_progress,
    pane_drafts,
    pane_logs,
    records,
    repeats,
    scan_outcomes,
)
from glassflow.services.identity import Identity
from glassflow.services.pane_views import id_text, naming, view
from glassflow.services.representation import stored
from glassflow.services.scan_facts import Scan, Surroundings
from glassflow.services.scan_outcomes import Merged, Scanned


@dataclass(frozen=True, slots=True)
class Unit:
    """A dormant parent and all sheets that it ever had, by their labels."""

    parent: Pane
    sheets: Sequence[Pane]

    @classmethod
    def of(cls, pane: Pane) -> "Unit":
        """Load the unit of a parent or a sheet; that pane itself is not loaded anew."""
        by_parent = pane.laminate_role == "parent"
        parent = pane if by_parent else records.get(Pane, pane.parent_pane)
        found = Pane.objects(parent_pane=parent.pk).order_by("sheet_label")
        return cls(parent, [pane if one.pk == pane.pk else one for one in found])

    @property
    def station(self) -> str:
        """The station where the unit is laminated."""
        return str(self.parent.laminate_station)

    @property
    def total(self) -> int:
        """How many sheets it takes."""
        return pane_drafts.sheets_of(self.parent)

    def seen(self) -> list[lamination.Sheet]:
        """Give the sheets as the rules of lamination see them."""
        return [
            lamination.Sheet(
                one.pane_number, one.current_status, id_text(one.current_station)
            )
            for one in self.sheets
        ]


def tell_musters(arrived: Iterable[Pane]) -> None:
    """Tell the lamination stations of sheets that were taken in: are all there now?

    It writes the units' parents, so of two last sheets at once one sees the other.
    """
    for parent_id in dict.fromkeys(sheet.parent_pane for sheet in arrived):
        turn = {"$inc": {"musters": 1}}
        Pane._get_collection().update_one({"_id": parent_id}, turn)
        unit = Unit.of(records.get(Pane, parent_id))
        there = lamination.muster(unit.seen(), unit.station, unit.total)
        announcements.sheets_mustered(
            unit.parent,
            station=unit.station,
            present=len(there.present),
            total=there.total,
        )


def laminate(
    scanned: Pane, scan: Scan, around: Surroundings, actor: Identity, said: str
) -> Scanned:
    """Make one pane of a unit's sheets; `scanned` is one of them, or the parent.

    `said` names the scan, for its repeats. Raises the refusals of `domain.lamination`,
    and those of any scan.
    """
    with naming(scanned):
        unit, survivor = _choose(scanned, scan, around)
    there = [one for one in unit.sheets if one.current_status in lamination.PRESENT]
    retired = [*(one for one in there if one is not survivor), unit.parent]
    _survive(survivor, unit.parent)
    for pane in retired:
        _retire(pane, survivor)
    logs = _logs(survivor, retired, scan.by(actor))
    repeats.remember(scanned, said, logs[0].pk, None)
    order = around.order_of(scanned)
    for pane in (survivor, *retired):
        scan_outcomes.fill_material(pane, order)
        pane.stamp()
    records.replace_all([survivor, *retired])
    records.insert_all(logs, announce=False)
    merged = Merged.of(survivor, there, unit.parent)
    _tell(survivor, retired, logs[0], merged)
    if order is not None:
        order_progress.recount(order, started=True)
        order.save()
    return Scanned(stored(survivor), stored(logs[0]), merged=merged)


def _choose(scanned: Pane, scan: Scan, around: Surroundings) -> tuple[Unit, Pane]:
    seen = view(scanned)
    lamination.refuse_unlaminable(
        seen,
        around.facts(scanned, seen, scan),
        number=scanned.pane_number,
        merged=scanned.laminate_merged_at is not None,
    )
    unit = Unit.of(scanned)
    chosen = lamination.survivor(
        unit.seen(),
        unit.station,
        unit.total,
        scanned=None if scanned.pk == unit.parent.pk else scanned.pane_number,
        wanted=scan.survivor,
    )
    return unit, next(one for one in unit.sheets if one.pane_number == chosen)


def _logs(survivor: Pane, retired: Sequence[Pane], worker: ObjectId) -> list[PaneLog]:
    station = survivor.current_station
    return [
        pane_logs.entry(survivor, "laminate_start", station, worker),
        *(
            pane_logs.entry(pane, "laminate_complete", station, worker)
            for pane in retired
        ),
    ]


def _survive(pane: Pane, parent: Pane) -> None:
    """The survivor stands before the first step of the parent's way."""
    pane.laminate_role = "single"
    pane.routing = list(parent.routing)
    pane.route_index = -1
    pane.current_status = str(Status.AWAITING_SCAN_OUT)
    pane.laminate_merged_at = clock.now()


def _retire(pane: Pane, survivor: Pane) -> None:
    pane.current_status = str(Status.MERGED_INTO)
    pane.current_station = None
    pane.merged_into = survivor.pk
    pane.laminate_merged_at = clock.now()


def once_more(pane: Pane, log: dict[str, Any]) -> Scanned:
    """Answer for a lamination that has been, by any of the panes that it has written."""
    survivor = records.get(Pane, pane.merged_into) if pane.merged_into else pane
    unit = Unit.of(records.get(Pane, survivor.parent_pane))
    there = [one for one in unit.sheets if survivor.pk in (one.pk, one.merged_into)]
    merged = Merged.of(survivor, there, unit.parent)
    return Scanned(stored(survivor), log, merged=merged)


def _tell(
    survivor: Pane, retired: Sequence[Pane], log: PaneLog, merged: Merged
) -> None:
    """Tell of all the panes that a lamination has written; `log` is the survivor's."""
    station = str(log.station)
    scan_outcomes.tell(survivor, log, left=None)
    for pane in retired:
        outbox.record("Pane", stored(pane), "updated", stations=[station])
    announcements.laminated(
        stored(survivor), station=station, retired=merged.retired, sheets=merged.sheets
    )
