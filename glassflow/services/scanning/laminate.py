"""Lamination: merge the sheets of a unit and its dormant parent into one pane."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bson import ObjectId

from glassflow.core.store import locks
from glassflow.domain.panes import flow, lamination
from glassflow.domain.panes.status import LaminateRole, LogAction
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import records
from glassflow.services.notices import announcements
from glassflow.services.panes import factory, logs, planned_delivery
from glassflow.services.panes.mapping import id_or_none, naming_pane, pane_view
from glassflow.services.scanning.context import Scan, ScanContext
from glassflow.services.scanning.decision import AppliedScan, MergeResult, ScanResult


@dataclass(frozen=True, slots=True)
class LaminateGroup:
    """A laminated unit: its parent, and all sheets that it ever had, by label."""

    parent: Pane
    sheets: Sequence[Pane]

    @classmethod
    def load(cls, pane: Pane) -> "LaminateGroup":
        """Load the unit of a parent or a sheet; uses `pane` itself as a member."""
        is_parent = pane.laminate_role == LaminateRole.PARENT
        parent = pane if is_parent else records.load(Pane, pane.parent_pane)
        found = Pane.objects(parent_pane=parent.pk).order_by("sheet_label")
        return cls(parent, [pane if one.pk == pane.pk else one for one in found])

    @classmethod
    def load_all(cls, parent_ids: Sequence[ObjectId]) -> "list[LaminateGroup]":
        """Load the units of these parents, in their order, with two queries."""
        if not parent_ids:
            return []
        parents = {one.pk: one for one in Pane.objects(pk__in=parent_ids)}
        sheets: dict[ObjectId, list[Pane]] = {one: [] for one in parent_ids}
        found = Pane.objects(parent_pane__in=parent_ids).order_by("sheet_label")
        for sheet in found:
            assert sheet.parent_pane is not None  # they are found by it
            sheets[sheet.parent_pane].append(sheet)
        return [cls(parents[one], sheets[one]) for one in parent_ids]

    @property
    def station(self) -> str:
        """The lamination station of the unit."""
        return str(self.parent.laminate_station)

    @property
    def total(self) -> int:
        """The number of sheets that the unit needs."""
        return factory.sheets_of(self.parent)

    @property
    def sheet_views(self) -> list[lamination.Sheet]:
        """The sheets as the rules of lamination need them."""
        return [
            lamination.Sheet(
                one.pane_number, one.current_status, id_or_none(one.current_station)
            )
            for one in self.sheets
        ]

    @property
    def presence(self) -> lamination.SheetPresence:
        """Which sheets are scanned in at the lamination station."""
        return lamination.count_present(self.sheet_views, self.station, self.total)

    @property
    def present(self) -> list[Pane]:
        """The sheets of a complete unit that are not retired."""
        return [one for one in self.sheets if one.current_status in lamination.PRESENT]


def announce_sheets(arrived: Iterable[Pane]) -> None:
    """Announce how many sheets are present, for the unit of each arrived sheet.

    Touches the parents of the units, so that of two last sheets that arrive at once one
    sees the other. Three round trips, however many units.
    """
    parents = (sheet.parent_pane for sheet in arrived)
    parent_ids = list(dict.fromkeys(one for one in parents if one))
    locks.touch(Pane, parent_ids)
    for group in LaminateGroup.load_all(parent_ids):
        presence = group.presence
        announcements.sheets_present(
            group.parent,
            station=group.station,
            present=len(presence.present),
            total=presence.total,
        )


def laminate(scanned: Pane, context: ScanContext) -> AppliedScan:
    """Merge the unit of a scanned sheet or parent into one pane, in memory.

    Raises the refusals of the pane table for `laminate`, `SheetsMissing`,
    `SurvivorRequired` and `NotASheet`.
    """
    view = pane_view(scanned)
    with naming_pane(scanned):
        outcome = flow.decide_merge(view, context.facts(scanned, view))
        group = LaminateGroup.load(scanned)
        survivor = _choose_survivor(scanned, group, context.scan)
    before, sheets = pane_view(survivor), group.present
    retired = [*(sheet for sheet in sheets if sheet is not survivor), group.parent]
    began = {pane.pk: pane.work_started_at for pane in (survivor, *retired)}
    _survive(survivor, group.parent, outcome, context.occurred_at)
    for pane in retired:
        _retire(pane, survivor, outcome, context.occurred_at)
    planned_delivery.hand_on({group.parent.pk: survivor.pk})
    entries = _logs(survivor, retired, began, context)
    merged = MergeResult.of(survivor, sheets, group.parent)
    result = ScanResult(survivor, entries[0], merged=merged)
    return AppliedScan(result, before, outcome, entries, retired)


def _choose_survivor(scanned: Pane, group: LaminateGroup, scan: Scan) -> Pane:
    chosen = lamination.choose_survivor(
        group.sheet_views,
        group.station,
        group.total,
        scanned=None if scanned.pk == group.parent.pk else scanned.pane_number,
        wanted=scan.survivor,
    )
    return next(one for one in group.sheets if one.pane_number == chosen)


def _logs(
    survivor: Pane,
    retired: Sequence[Pane],
    began: Mapping[ObjectId, datetime | None],
    context: ScanContext,
) -> list[PaneLog]:
    """Make the logs of the panes; `began` is when the work on each had begun there."""

    def log(pane: Pane, action: LogAction) -> PaneLog:
        station, kept_at = survivor.current_station, context.scan.occurred_at
        made = logs.pane_log(pane, action, station, context.worker, occurred_at=kept_at)
        made.started_at = began[pane.pk]
        return made

    return [
        log(survivor, LogAction.LAMINATE_START),
        *(log(pane, LogAction.LAMINATE_COMPLETE) for pane in retired),
    ]


def _survive(
    pane: Pane, parent: Pane, outcome: flow.Outcome, merged_at: datetime
) -> None:
    """Place the survivor before the first step of the parent's route, with its price."""
    pane.laminate_role = str(LaminateRole.SINGLE)
    pane.routing = list(parent.routing)
    pane.route_index = outcome.route_index
    pane.current_status = str(outcome.status)
    pane.laminate_merged_at = merged_at
    pane.agreed_price, parent.agreed_price = parent.agreed_price, None


def _retire(
    pane: Pane, survivor: Pane, outcome: flow.Outcome, merged_at: datetime
) -> None:
    pane.current_status = str(outcome.retired_to)
    pane.move_to(None)
    pane.merged_into = survivor.pk
    pane.laminate_merged_at = merged_at


def replay_result(pane: Pane, log: PaneLog) -> ScanResult:
    """Return the result of a past lamination; `pane` is any pane that it changed."""
    survivor = records.load(Pane, pane.merged_into) if pane.merged_into else pane
    group = LaminateGroup.load(records.load(Pane, survivor.parent_pane))
    sheets = [one for one in group.sheets if survivor.pk in (one.pk, one.merged_into)]
    merged = MergeResult.of(survivor, sheets, group.parent)
    return ScanResult(survivor, log, merged=merged)
