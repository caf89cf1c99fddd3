"""Cutting plans by packingsolver, a program in C++ that is optional: extra `planning`.

It searches on several threads of its own and cannot be interrupted. What it finds meanwhile
it hands to a callback, so that plans come while it runs. So this is for a process that ends
with the search and can be ended from outside (`glassflow.planner`), and for no service.

What was measured: docs/decisions/0144-cutting-plans.md.
"""

import logging
import os
import time
from collections.abc import Generator, Iterator, Sequence
from queue import Empty, SimpleQueue
from random import Random
from threading import Thread
from typing import Any, NamedTuple

from glassflow.domain.cutting.aims import rests, use
from glassflow.domain.cutting.kinds import Kinds
from glassflow.domain.cutting.plan import (
    Box,
    Measures,
    Piece,
    Plan,
    Sheet,
    Stock,
    panes_of,
)
from glassflow.planner.conversion import sheets_of

MOST_PROCESSORS = 2  # that a call keeps busy; its threads are more
LATE_S = 2.0  # after its time a call that does not end is given up
LEAST_S = 0.2  # a shorter call is not begun
# How much of the time that is left each call of a search has at most.
FIRST_SHARE, REMNANTS_SHARE, COLUMNS_SHARE = 0.2, 0.5, 0.5
FIRST_S = (
    4.0  # that the first call has at least: it needs three for a plan of 100 panes
)
MOST_PIECES = 120  # for which the rest of the last sheet is searched
REMNANT_COST = 0.6  # of its area, where a whole sheet costs 1
DUE_WEIGHT = 10  # times the area is the worth of a pane that is due, beside later ones
STAGES = 3  # and a trim

logger = logging.getLogger(__name__)


class _Stuck(Exception):
    """A call did not end in its time."""


def is_available() -> bool:
    """Return whether packingsolver can be used: its wheels need Python 3.12."""
    try:
        import packingsolver.rectangleguillotine  # noqa: F401
    except ImportError:
        return False
    return True


def plans(
    pieces: Sequence[Piece],
    stocks: Sequence[Stock],
    measures: Measures,
    *,
    seconds: float,
    is_short: bool = False,
) -> Iterator[Plan]:
    """Yield plans for so many seconds, better ones later as a rule; there may be none.

    `is_short` says that there is not enough glass for all pieces. Each has to be proved and valued by the caller. Raises `ImportError` where packingsolver
    is not installed. A call of it that does not end is given up, with `LATE_S` more; its
    threads then run until the process ends, for which `os._exit` does not wait.
    """
    try:
        yield from _Search(pieces, stocks, measures, seconds).plans(is_short=is_short)
    except _Stuck:
        logger.warning("packingsolver did not end in its time")


def fill(
    plan: Plan,
    pieces: Sequence[Piece],
    later: Sequence[Piece],
    stocks: Sequence[Stock],
    measures: Measures,
    *,
    seconds: float,
) -> Iterator[Plan]:
    """Yield plans of the sheets of a plan in which pieces that are due later fill rests.

    The pieces of such a plan are `[*pieces, *later]`. All that the plan has placed are in
    it, and it begins no other sheets; those of the later ones that find no room are left
    out. Else as `plans`.
    """
    every, out = [*pieces, *later], set(plan.left_out)
    taken = [0] * len(stocks)
    for sheet in plan.sheets:
        taken[sheet.stock] += 1
    lots = [
        one._replace(sheets=number) for one, number in zip(stocks, taken, strict=True)
    ]
    due = [n for n in range(len(pieces)) if n not in out]
    try:
        yield from _Search(every, lots, measures, seconds).fillings(due)
    except _Stuck:
        logger.warning("packingsolver did not end in its time")


class _Start(NamedTuple):
    """What a call begins with: how many pieces of each kind, beside sheets that are done."""

    numbers: Sequence[int]
    sheets: Sequence[Sheet] = ()


class _Outcome(NamedTuple):
    """What a call has come to: whether all pieces are placed, and whether that is proved best.

    `sheets` are those of its last plan, whose cells name kinds.
    """

    is_complete: bool = False
    is_optimal: bool = False
    sheets: Sequence[Sheet] = ()


class _Search:
    """The calls of the solver for one task.

    The solver sees of each lot what is usable, so that trims and defects are moved.
    """

    def __init__(
        self,
        pieces: Sequence[Piece],
        stocks: Sequence[Stock],
        measures: Measures,
        seconds: float,
    ) -> None:
        import packingsolver.rectangleguillotine as solver

        self._solver: Any = solver
        self._until = time.monotonic() + seconds
        self._stocks, self._measures = stocks, measures
        self._kinds = Kinds.of(pieces)
        self._start = _Start(self._kinds.numbers())
        self._whole = self._usable(is_remnant=False)
        self._remnants = self._usable(is_remnant=True)

    def _usable(self, *, is_remnant: bool) -> Sequence[int]:
        """Return lots that have sheets, those without defects first."""
        lots = [
            n
            for n, one in enumerate(self._stocks)
            if one.is_remnant == is_remnant
            and one.sheets
            and min(one.usable.width, one.usable.height) > 0
        ]
        return sorted(lots, key=lambda n: bool(self._stocks[n].defects))

    def plans(self, *, is_short: bool) -> Iterator[Plan]:
        """Yield the plans of all calls, one call after the other.

        Where the glass is short, a knapsack chooses what is cut. Else it would be a waste:
        it takes gigabytes where bin packing has only had too little time.
        """
        every = [*self._remnants, *self._whole]
        if is_short or self._is_short(every):
            yield from self._call(self._solver.Objective.Knapsack, every, 1)
            return
        objective, whole = self._solver.Objective, self._whole
        is_small = len(self._kinds.of_piece) <= MOST_PIECES
        one_size = len({self._stocks[n].usable[2:] for n in whole}) == 1
        packing = (
            objective.BinPacking if one_size else objective.VariableSizedBinPacking
        )
        is_only = not is_small and not self._remnants
        share = 1 if is_only else FIRST_SHARE
        best = yield from self._call(packing, whole, share, at_least=FIRST_S)
        lots, start = whole, self._start
        if self._remnants and is_small:
            packing, lots = objective.VariableSizedBinPacking, [*self._remnants, *whole]
            best = yield from self._call(packing, lots, REMNANTS_SHARE)
        elif self._remnants:
            start = yield from self._remnants_filled()
            best = yield from self._call(packing, whole, 1, start=start)
        if not best.is_complete:
            yield from self._call(packing, lots, 1, start=start)
        elif not best.is_optimal:
            share = 1 if self._remnants or not one_size else COLUMNS_SHARE
            yield from self._call(packing, lots, share, start=start, by_columns=True)
        if best.is_complete and is_small and one_size and not self._remnants:
            yield from self._call(objective.BinPackingWithLeftovers, whole, 1)

    def _is_short(self, lots: Sequence[int]) -> bool:
        """Return whether lots are too small for a piece, or too few by the areas."""
        numbers, kinds = self._start.numbers, self._kinds.different
        wanted = sum(
            number * kind.width * kind.height
            for number, kind in zip(numbers, kinds, strict=True)
        )
        there = sum(self._stocks[n].usable.area * self._stocks[n].sheets for n in lots)
        return wanted > there or not all(self._fits(n, lots) for n in range(len(kinds)))

    def fillings(self, due: Sequence[int]) -> Iterator[Plan]:
        """Yield plans with all of the pieces that are due, and more where there is room."""
        least = [0] * len(self._start.numbers)
        for piece in due:
            least[self._kinds.of_piece[piece]] += 1
        lots = [*self._remnants, *self._whole]
        yield from self._call(self._solver.Objective.Knapsack, lots, 1, least=least)

    def _remnants_filled(self) -> Generator[Plan, None, _Start]:
        """Fill the remnants alone; of many pieces and lots the solver finds no plan at once."""
        knapsack = self._solver.Objective.Knapsack
        filled = yield from self._call(knapsack, self._remnants, FIRST_SHARE)
        numbers, sheets = [*self._start.numbers], []
        for sheet in filled.sheets:
            stock, panes = self._stocks[sheet.stock], list(panes_of(sheet))
            kept = rests(sheet, stock, self._measures).kept
            area = sum(place.area for _, place in panes)
            if use(area, stock, kept) >= self._measures.least_use:
                sheets.append(sheet)
                for kind, _ in panes:
                    numbers[kind] -= 1
        return _Start(numbers, sheets)

    def _call(
        self,
        objective: Any,
        lots: Sequence[int],
        share: float,
        *,
        start: _Start | None = None,
        by_columns: bool = False,
        least: Sequence[int] | None = None,
        at_least: float = 0,
    ) -> Generator[Plan, None, _Outcome]:
        """Yield the plans of one call, which takes at most a share of the time that is left.

        It may take `at_least` so many seconds, if they are left. Of each kind at least so many pieces are placed as `least` says. Raises `_Stuck`.
        """
        numbers, before = start or self._start
        left = self._until - time.monotonic()
        seconds = min(left, max(left * share, at_least))
        wanted = [n for n, number in enumerate(numbers) if number]
        kinds = [n for n in wanted if self._fits(n, lots)]
        if seconds < LEAST_S or not kinds:
            return _Outcome()
        parameters = self._solver.OptimizeParameters()
        parameters.time_limit = seconds
        parameters.verbosity_level = 0
        parameters.use_column_generation = by_columns
        told = SimpleQueue[Sequence[Sheet] | _Outcome]()
        refused = set[str]()

        def take(output: Any) -> None:  # an error here would end the process
            try:
                sheets = self._sheets(output.solution, lots, kinds)
            except Exception as error:
                reason = f"{type(error).__name__}: {error}"
                if reason not in refused:  # a search may find a hundred such solutions
                    refused.add(reason)
                    logger.warning("a solution is no plan: %s", reason)
            else:
                if sheets:
                    told.put(sheets)

        def run() -> None:
            outcome = _Outcome()
            try:
                _limit_processors()
                instance = self._instance(objective, lots, kinds, numbers, least)
                output = self._solver.optimize(instance, parameters)
                every = [*self._remnants, *self._whole]
                has_all = not any(self._fits(n, every) for n in {*wanted} - {*kinds})
                outcome = _Outcome(
                    has_all and output.solution.full(), output.is_proven_optimal()
                )
            except MemoryError:
                logger.warning("packingsolver needs more memory than it may have")
            except Exception:
                logger.exception("packingsolver has failed")
            told.put(outcome)

        parameters.new_solution_callback = take
        until = time.monotonic() + seconds + LATE_S
        Thread(target=run, name="packingsolver", daemon=True).start()
        last: Sequence[Sheet] = ()
        while True:
            try:
                found = told.get(timeout=max(until - time.monotonic(), LEAST_S))
            except Empty:
                raise _Stuck from None
            if isinstance(found, _Outcome):
                return found._replace(sheets=last)
            last = found
            if told.empty():  # of those that wait the last one is the best
                yield self._kinds.plan([*before, *last], self._stocks)

    def _fits(self, kind: int, lots: Sequence[int]) -> bool:
        """Return whether a sheet of one of the lots is large enough for a kind."""
        piece = self._kinds.different[kind]
        return any(self._stocks[n].has_room(piece) for n in lots)

    def _instance(
        self,
        objective: Any,
        lots: Sequence[int],
        kinds: Sequence[int],
        numbers: Sequence[int],
        least: Sequence[int] | None,
    ) -> Any:
        """Return the task as the solver knows it, in tenths of a mm."""
        builder = self._solver.InstanceBuilder()
        builder.set_objective(objective)
        builder.set_number_of_stages(STAGES)
        builder.set_cut_type(self._solver.CutType.NonExact)
        builder.set_first_stage_orientation(self._solver.CutOrientation.Any)
        kerf = self._measures.kerf
        # Beside a cut that takes something away there has to be something, too.
        builder.set_minimum_waste_length(max(self._measures.distance, min(kerf, 1)))
        builder.set_cut_thickness(kerf)
        builder.set_cut_through_defects(True)
        for n in lots:
            stock = self._stocks[n]
            usable = stock.usable
            lot = builder.add_bin_type(
                usable.width,
                usable.height,
                cost=stock.area * (REMNANT_COST if stock.is_remnant else 1),
                copies=min(stock.sheets, sum(numbers)),
            )
            for defect in _inside(stock):
                builder.add_defect(lot, *defect)
        for n in kinds:
            width, height, may_turn = self._kinds.different[n]
            number, some = numbers[n], {}
            if objective == self._solver.Objective.Knapsack:  # others place all
                some = {"copies_min": least[n] if least else 0}
            builder.add_item_type(
                width,
                height,
                oriented=not may_turn,
                profit=width * height * (DUE_WEIGHT if least and least[n] else 1),
                copies=number,
                **some,
            )
        return builder.build()

    def _sheets(
        self, solution: Any, lots: Sequence[int], kinds: Sequence[int]
    ) -> Sequence[Sheet]:
        """Return the sheets of a solution; none where it has not enough of a kind.

        Raises `UnknownForm`.
        """
        if solution.number_of_infeasible_item_copies_min() > 0:
            return []
        return sheets_of(solution, lots, kinds, self._stocks, self._measures)


def _inside(stock: Stock) -> Iterator[Box]:
    """Yield the parts of defects that are usable, from the corner of what is usable."""
    usable = stock.usable
    for x, y, width, height in stock.defects:
        left, low = max(x - usable.x, 0), max(y - usable.y, 0)
        right = min(x + width - usable.x, usable.width)
        high = min(y + height - usable.y, usable.height)
        if left < right and low < high:
            yield Box(left, low, right - left, high - low)


def _limit_processors() -> None:
    """Keep this thread and those that it starts on a few processors, chosen by chance."""
    if hasattr(os, "sched_setaffinity"):  # Linux has it
        allowed = sorted(os.sched_getaffinity(0))
        if len(allowed) > MOST_PROCESSORS:
            os.sched_setaffinity(0, Random().sample(allowed, MOST_PROCESSORS))
