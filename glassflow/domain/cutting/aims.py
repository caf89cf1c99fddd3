"""How good a cutting plan is, whatever made it, and which of several plans is the best."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from glassflow.domain.cutting.plan import (
    Measures,
    Piece,
    Plan,
    Sheet,
    Stock,
    cuts_of,
    kept_rests,
    panes_of,
)

PER_M2 = 10**8  # hundredths of a mm²
DECIMALS = 6  # of costs and worths, whose sums are not exact
SPARING, WITHOUT, EAGER, REFUSED = range(4)  # in which order equal plans are taken


class Aims(NamedTuple):
    """What is better if it is less, the most important first.

    `left` is the area of pieces that are left out, `whole` that of the whole sheets that
    are begun, `worth` the negative sum of the squared areas in m² of the rests that are
    kept: they are worth more in one piece.
    """

    left: int
    whole: int
    worth: float
    cuts: int

    @property
    def need(self) -> tuple[int, int]:
        """What remnants are used for: to leave less out, and to begin less new glass."""
        return self.left, self.whole


class Found(NamedTuple):
    """A plan, how good it is, and the areas of the remnants that it uses and makes.

    `is_sparing` says that at least `least_use` is used of each remnant. `without` is how
    good the best plan is that uses no remnants; None where there are none in the stock, or
    where no such plan is known.
    """

    plan: Plan
    aims: Aims
    used: int
    made: int
    is_sparing: bool = True
    without: Aims | None = None


class Rests(NamedTuple):
    """What is left of a sheet: the area that is kept, what it is worth, and the cuts."""

    kept: int
    worth: float
    cuts: int


def rests(sheet: Sheet, stock: Stock, measures: Measures) -> Rests:
    """Return what is left of a sheet of a lot."""
    kept = [box.area for box in kept_rests(sheet, stock, measures)]
    worth = sum((one / PER_M2) ** 2 for one in kept)
    cuts = cuts_of(sheet, stock, measures.kerf)
    return Rests(sum(kept), round(worth, DECIMALS), cuts)


def use(area: int, stock: Stock, kept: int) -> float:
    """Return the share of a sheet that pieces cover, of what is not kept of it."""
    return area / (stock.area - kept)


def evaluate(
    plan: Plan, pieces: Sequence[Piece], stocks: Sequence[Stock], measures: Measures
) -> Found:
    """Return how good a plan is. It has to be right: see `check.faults`."""
    used, is_sparing, parts = 0, True, list[Rests]()
    for sheet in plan.sheets:
        stock = stocks[sheet.stock]
        part = rests(sheet, stock, measures)
        parts.append(part)
        if stock.is_remnant:
            used += stock.area
            area = sum(place.area for _, place in panes_of(sheet))
            is_sparing &= use(area, stock, part.kept) >= measures.least_use
    lots = [stocks[sheet.stock] for sheet in plan.sheets]
    aims = Aims(
        sum(pieces[n].width * pieces[n].height for n in plan.left_out),
        sum(one.area for one in lots if not one.is_remnant),
        -round(sum(one.worth for one in parts), DECIMALS),
        sum(one.cuts for one in parts),
    )
    has_remnants = any(one.is_remnant for one in stocks)
    without = aims if has_remnants and not used else None
    made = sum(one.kept for one in parts)
    return Found(plan, aims, used, made, is_sparing, without)


def choose(found: Iterable[Found]) -> Found:
    """Return the best of plans of the same pieces and stocks; the first of equal ones.

    Remnants are used where that needs less new glass than the best plan without them. Where
    as much is needed, they are used if no more is made of them than is used, and if enough
    is used of each. Raises `ValueError` for no plans.
    """
    every = list(found)
    known = [one.without for one in every if one.without is not None]
    without = min(known, default=None)
    best = min(every, key=lambda one: _rank(one, without))
    return best._replace(without=without)


def is_better(found: Found, before: Found | None) -> bool:
    """Return whether a plan of the same pieces and stocks is better than the one before."""
    if before is None:
        return True
    known = [one.without for one in (found, before) if one.without is not None]
    without = min(known, default=None)
    return _rank(found, without) < _rank(before, without)


def _rank(found: Found, without: Aims | None) -> tuple[tuple[int, int], int, Aims]:
    """Return what is better if it is less."""
    saves = without is None or found.aims.need < without.need
    if not found.used:
        kind = WITHOUT
    elif found.is_sparing and (saves or found.made <= found.used):
        kind = SPARING
    else:
        kind = EAGER if saves else REFUSED
    return found.aims.need, kind, found.aims
