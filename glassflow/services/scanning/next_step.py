"""What can be done with a pane at a station, for a screen that asks before it scans."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.domain.errors import Refusal
from glassflow.domain.panes import next_step as rules
from glassflow.domain.panes import undo as undo_rules
from glassflow.domain.panes.status import Action, LaminateRole, PaneView, ScanFacts
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services.panes.mapping import (
    id_or_none,
    naming_pane,
    pane_view,
    parse_number,
)
from glassflow.services.records import caches
from glassflow.services.scanning import undo
from glassflow.services.scanning.context import Scan, ScanContext, load_with_order
from glassflow.services.scanning.laminate import LaminateGroup

Stations = Mapping[str, Mapping[str, Any]]  # in stored form, by the text of the id


@dataclass(frozen=True, slots=True)
class NextStep:
    """The actions that a pane can be scanned with now.

    `station` is the given one, else that of the pane. `action` takes the pane on; without
    one, `refusal` says why. `early` are the actions that are accepted with
    `before_complete`, of those that it concerns. `skipped` are the stations that a
    scan_in with `move_here` would skip, None where the caller cannot. `unit` is the pane's unit until it is
    laminated. `undoable` is the log of the caller's last scan, if it can be undone.
    `stations` are all stations concerned.
    """

    pane: Pane
    view: PaneView
    station: str | None
    action: Action | None
    allowed: Sequence[Action]
    early: Sequence[Action]
    skipped: Sequence[str] | None
    refusal: Refusal | None
    unit: LaminateGroup | None
    undoable: PaneLog | None
    stations: Stations


def next_step(*, number: str, station: ObjectId | None, actor: Identity) -> NextStep:
    """Return what can be done with a pane, given by its number, at a station.

    Raises `NotFound`, and `UnknownReference` for the station.
    """
    pane, orders = load_with_order(parse_number(number))
    scan_in = Scan(Action.SCAN_IN, station)
    context = ScanContext.load([pane], orders, scan_in, actor)
    view = pane_view(pane)
    unit = None
    if pane.laminate_role != LaminateRole.SINGLE and not pane.laminate_merged_at:
        unit = LaminateGroup.load(pane)
    sheets = unit.presence if unit else None
    facts = context.facts(pane, view)
    refusals = rules.refusals(view, facts, sheets)
    present = context.stations.get(view.present_station or "", {})
    expected = rules.expected_action(
        view, id_or_none(station), is_checked=bool(present.get("isCheckStation"))
    )
    refusal = _named(refusals[expected], pane)
    return NextStep(
        pane=pane,
        view=view,
        station=id_or_none(station) or view.present_station,
        action=None if refusal else expected,
        allowed=[action for action, why in refusals.items() if why is None],
        early=rules.allowed_early(view, facts),
        skipped=_skipped_by_move(view, facts, actor),
        refusal=refusal,
        unit=unit,
        undoable=_undoable(pane, actor),
        stations=_stations(pane, station, unit),
    )


def _named(refusal: Refusal | None, pane: Pane) -> Refusal | None:
    """Return a refusal with the facts about the pane that a scan would add."""
    if refusal is None:
        return None
    try:
        with naming_pane(pane):
            raise refusal
    except Refusal as named:
        return named


def _skipped_by_move(
    view: PaneView, facts: ScanFacts, actor: Identity
) -> Sequence[str] | None:
    may = actor.may("panes:scan") and actor.may("panes:manage")
    return rules.skipped_by_move(view, facts) if may else None


def _undoable(pane: Pane, actor: Identity) -> PaneLog | None:
    """Return the log of the pane's last scan, if the caller can undo it now."""
    if not actor.may("panes:scan"):
        return None
    log = undo.newest_log(pane)
    try:
        last = undo.last_log(log, actor)
        undo_rules.require_undoable(last, pane.version, clock.now())
    except Refusal:
        return None
    return log


def _stations(
    pane: Pane, given: ObjectId | None, unit: LaminateGroup | None
) -> Stations:
    ids = {given, pane.current_station, pane.laminate_station, *pane.routing}
    if unit is not None:
        ids.update(sheet.current_station for sheet in unit.sheets)
    found = caches.STATIONS.get_all([one for one in ids if one])
    return {str(key): row for key, row in found.items()}
