"""The search for a plan: begun, stored when it is better, and ended.

`jobs.cutting_searches` runs one search at a time in the process that publishes. A record is
all that it needs: a search that waits, or that runs in a process that was killed, is begun
by the process that publishes then. A search has a number, `search_run`. What an earlier one
finds after the next has begun is dropped.
"""

import hashlib
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow.core import actor as actors
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain.aliases import Raw
from glassflow.domain.cutting.aims import Found, is_better
from glassflow.domain.cutting.pieces import Unplanned, piece_of, thickness_of
from glassflow.domain.cutting.plan import Measures, Piece
from glassflow.domain.cutting.rules import CuttingRules
from glassflow.domain.cutting.stages import (
    RUNNING_SEARCHES,
    LeftOut,
    PlanStatus,
    SearchStatus,
)
from glassflow.models.cutting_plan import CuttingPlan
from glassflow.models.cutting_settings import rules_of
from glassflow.models.material import Material
from glassflow.planner.messages import Task
from glassflow.services import records
from glassflow.services.cutting import lots, pending, rules
from glassflow.services.cutting.layout import Layout, PlannedSheet, worth_form
from glassflow.services.records import lookup

PLANNED = "planned"  # the action of the event about a better plan
OPEN = {
    "searchStatus": {"$in": sorted(map(str, RUNNING_SEARCHES))},
    "status": str(PlanStatus.PROPOSED),
}
OLDEST = [("searchAskedAt", 1), ("_id", 1)]


class Search(NamedTuple):
    """A search that has begun; `lots` and `panes` are those of the task, by index."""

    plan: ObjectId
    run: int
    task: Task
    lots: Sequence[ObjectId]
    panes: Sequence[ObjectId]

    @property
    def basis(self) -> str:
        """A digest of what the search is about, whatever its time and its seed."""
        content = self.task._replace(seconds=0, seed=0).encode()
        names = f"{self.panes} {self.lots}".encode()
        return hashlib.sha256(content + names).hexdigest()[:32]


def ask(plan: CuttingPlan, seconds: int | None = None) -> None:
    """Let a proposed plan be searched again; the caller stores it."""
    plan.search_status = str(SearchStatus.WAITING)
    plan.search_asked_at = clock.now()
    plan.search_run += 1
    if seconds is not None:
        plan.search_seconds = seconds


def rules_for(material: Raw, panes: Sequence[Raw]) -> CuttingRules:
    """Return the rules in force for a material, by the thickness of its glass."""
    settings = rules.settings()
    thickness = thickness_of(material, panes)
    return rules_of(settings.common, settings.by_thickness, thickness)


def is_waiting(other_than: ObjectId | None = None) -> bool:
    """Return whether a plan waits for its search."""
    query = {
        **OPEN,
        "searchStatus": str(SearchStatus.WAITING),
        "_id": {"$ne": other_than},
    }
    return CuttingPlan.collection().find_one(query, {"_id": 1}) is not None


def is_wanted(search: Search) -> bool:
    """Return whether a search still goes on: nobody has stopped or changed its plan."""
    query = {"_id": search.plan, "searchRun": search.run, **OPEN}
    return CuttingPlan.collection().find_one(query, {"_id": 1}) is not None


def begin() -> Search | None:
    """Begin the search that was asked for first; None if there is none."""
    found = CuttingPlan.collection().find_one(OPEN, {"_id": 1}, sort=OLDEST)
    return _as_service(_begin, found["_id"]) if found else None


def _as_service(act: Callable[..., Any], *given: Any) -> Any:
    with actors.acting(actors.SERVICE):
        return act(*given)


@unit_of_work
def _begin(plan_id: ObjectId) -> Search | None:
    plan = CuttingPlan.find_one({"_id": plan_id, **OPEN})
    if plan is None:
        return None
    seconds = float(plan.search_seconds)
    if (
        plan.search_status == SearchStatus.RUNNING
    ):  # the process that searched has ended
        plan.search_run += 1
        asked_at = plan.search_asked_at or clock.now()
        seconds -= (clock.now() - asked_at) / timedelta(seconds=1)
    search = _prepare(plan, max(seconds, 0))
    plan.search_status = str(SearchStatus.RUNNING if search else SearchStatus.ENDED)
    if search is None or plan.layout is None or search.basis != plan.layout["basis"]:
        # what is shown until then would not be what is planned
        _set_layout(plan, Layout())
    records.store(plan, event=PLANNED)
    return search


def _prepare(plan: CuttingPlan, seconds: float) -> Search | None:
    """Return the search for a plan by what waits and what is in stock now.

    Sets the panes that it cannot have; None where no pane or no sheet is left.
    """
    material = lookup.by_id(Material, [plan.material]).get(plan.material, {})
    found = pending.candidates(plan.panes, plan.material, plan.pk)
    panes = [found.panes[one] for one in plan.panes if one in found.panes]
    in_force = rules_for(material, panes)
    stock = lots.usable(material, in_force, plan.pk) if material else []
    left = dict(found.left)
    pieces: dict[ObjectId, Piece] = {}
    for pane in panes:
        piece = piece_of(pane, material, in_force)
        if isinstance(piece, Unplanned):
            left[pane["_id"]] = LeftOut(piece)
        elif not any(one.stock.has_room(piece) for one in stock):
            left[pane["_id"]] = LeftOut.TOO_LARGE if stock else LeftOut.NO_GLASS
        else:
            pieces[pane["_id"]] = piece
    numbers = {pane["_id"]: pane["paneNumber"] for pane in panes}
    plan.unplanned = unplanned_rows(left, numbers, before=plan)
    if not pieces:
        return None
    stocks = [
        one.stock._replace(sheets=min(one.stock.sheets, len(pieces))) for one in stock
    ]
    measures = Measures.of(in_force)
    task = Task(list(pieces.values()), stocks, measures, seconds, plan.search_run)
    lot_ids = [one.lot["_id"] for one in stock]
    return Search(plan.pk, plan.search_run, task, lot_ids, list(pieces))


def unplanned_rows(
    left: dict[ObjectId, LeftOut], numbers: dict[ObjectId, str], *, before: CuttingPlan
) -> list[dict[str, Any]]:
    """Return the panes that a plan cannot have as it stores them, with their numbers.

    A pane that was deleted has the number that the plan had of it before.
    """
    unknown = [one for one in left if one not in numbers]
    known = {one["pane"]: one["paneNumber"] for one in before.unplanned}
    named = {**known, **numbers, **pending.numbers(unknown)}
    return [
        {"pane": one, "paneNumber": named.get(one, ""), "reason": str(reason)}
        for one, reason in left.items()
    ]


def store(search: Search, found: Found, maker: str) -> bool:
    """Store a plan that a search has found, if it is better than the one before.

    Returns whether the search goes on.
    """
    return bool(_as_service(_store, search, found, maker))


@unit_of_work
def _store(search: Search, found: Found, maker: str) -> bool:
    plan = CuttingPlan.find_one({"_id": search.plan, "searchRun": search.run, **OPEN})
    if plan is None:
        return False
    before = Layout.of(plan.layout)
    if before.basis == search.basis and not is_better(found, before.found()):
        return True
    _set_layout(plan, _layout(search, found))
    without_glass = {search.panes[n]: LeftOut.NO_GLASS for n in found.plan.left_out}
    others = [one for one in plan.unplanned if one["reason"] != LeftOut.NO_GLASS]
    rows = unplanned_rows(without_glass, {}, before=plan)
    plan.unplanned = [*others, *rows]
    plan.maker, plan.found_at = maker, clock.now()
    records.store(plan, event=PLANNED)
    return True


def _layout(search: Search, found: Found) -> Layout:
    stocks = search.task.stocks
    ordered = sorted(
        found.plan.sheets, key=lambda one: not stocks[one.stock].is_remnant
    )
    sheets = [
        PlannedSheet(
            number,
            search.lots[one.stock],
            stocks[one.stock]._replace(sheets=1),
            one._replace(stock=0),
        )
        for number, one in enumerate(ordered, 1)
    ]
    return Layout(
        list(search.panes),
        list(search.task.pieces),
        search.task.measures,
        sheets,
        search.basis,
        worth_form(found),
    )


def _set_layout(plan: CuttingPlan, layout: Layout) -> None:
    plan.layout, plan.figures = layout.form(), layout.figures()


def end(search: Search, *, failed: bool) -> None:
    """Note that a search has ended; `failed` if its process ended otherwise than it should."""
    _as_service(_end, search, failed)


@unit_of_work
def _end(search: Search, failed: bool) -> None:
    plan = CuttingPlan.find_one({"_id": search.plan, "searchRun": search.run, **OPEN})
    if plan is not None:
        is_empty = not (plan.layout or {}).get("sheets")
        has_failed = failed and is_empty
        plan.search_status = str(
            SearchStatus.FAILED if has_failed else SearchStatus.ENDED
        )
        records.store(plan, event=PLANNED)
