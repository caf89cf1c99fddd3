"""Cutting plans by search, in plain Python: a first plan at once, better ones as time passes.

A sheet is filled greedily: the strip, the level and the panes with the most value for their
room come first, where large panes have a little more value than their area. Then one to three
sheets of the plan are taken apart, filled again with values that chance has changed, and kept
if they are better (ruin and recreate). The measure of the search prefers one full and one
nearly empty sheet to two half full ones, so that sheets become empty.

What was measured, and what was given up for it: docs/decisions/0144-cutting-plans.md.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from random import Random
from typing import NamedTuple

from glassflow.domain.cutting.aims import (
    DECIMALS,
    Aims,
    Found,
    choose,
    evaluate,
    rests,
    use,
)
from glassflow.domain.cutting.kinds import Kinds
from glassflow.domain.cutting.plan import (
    Axis,
    Box,
    Cell,
    Level,
    Measures,
    Piece,
    Sheet,
    Stock,
    Strip,
    box_of,
)

VALUE_EXPONENT = 1.04  # of the area: large panes come first, small ones fill
CHANCES = (0.12, 0.3)  # by which values grow at most; of each one filling is tried
MOST_WIDTHS, MOST_HEIGHTS = 8, 8  # of strips and of levels, that are tried at a place
MOST_COMBINATIONS = 60  # of panes in a level
TAKEN_APART = (1, 2, 2, 2, 3, 3)  # sheets, in equal turns
EMPTIEST_SHARE = 0.6  # of the turns begin with the emptiest sheet
MOST_LOTS = 4  # of different sheets, that are tried for a sheet
MOST_REMNANTS = 3  # of those not in use, that are tried in a turn

Counts = list[int]  # by kind of piece
Option = tuple[int, int, int]  # length along the strips, breadth, kind


class _Filled(NamedTuple):
    """A sheet whose cells name kinds of pieces, and how many of each.

    `area` is that of the pieces, `kept` that of the rests that are remnants.
    """

    sheet: Sheet
    stock: Stock
    counts: Counts
    area: int
    kept: int
    worth: float
    cuts: int

    @property
    def share(self) -> float:
        """The share of the sheet that is covered."""
        return self.area / self.stock.area

    @property
    def use(self) -> float:
        """The share of what is not kept."""
        return use(self.area, self.stock, self.kept)


def plans(
    pieces: Sequence[Piece],
    stocks: Sequence[Stock],
    measures: Measures,
    *,
    seed: int = 0,
) -> Iterator[Found]:
    """Yield the best plan so far after each step of the search, without end.

    The first one is complete. A step takes some milliseconds, the first one a second for
    some 600 pieces. The same seed gives the same plans. Pieces come to sheets in their
    order; those that no sheet is large enough for, or left for, are left out.

    Remnants are used where they save a whole sheet, or where no more is made of them than
    is used; one with less than `least_use` only if that saves a whole sheet.
    """
    whole = [n for n, one in enumerate(stocks) if not one.is_remnant]
    rules: list[tuple[Sequence[int], float]] = [(whole, 0)]
    if len(whole) < len(stocks):
        everything = range(len(stocks))
        rules += [(everything, measures.least_use), (everything, 0)]
    searches = [
        _Search(pieces, stocks, measures, allowed, least_use, seed)
        for allowed, least_use in rules
    ]
    for _ in count():
        yield choose(one.best for one in searches)
        for one in searches:
            one.step()


class _Search:
    """A plan that becomes better with each step; `allowed` are the lots that it may use."""

    def __init__(
        self,
        pieces: Sequence[Piece],
        stocks: Sequence[Stock],
        measures: Measures,
        allowed: Sequence[int],
        least_use: float,
        seed: int,
    ) -> None:
        self._pieces, self._stocks, self._measures = pieces, stocks, measures
        self._least_use, self._chance = least_use, Random(seed)
        self._named = Kinds.of(pieces)
        self._kinds = self._named.different
        self._values = [
            (one.width * one.height) ** VALUE_EXPONENT for one in self._kinds
        ]
        self._options = {axis: list(self._turned(axis)) for axis in Axis}
        self._free = [
            one.sheets if n in set(allowed) else 0 for n, one in enumerate(stocks)
        ]
        self._sheets, self._left = self._pack(self._named.numbers(), self._free)
        for one in self._sheets:
            self._free[one.sheet.stock] -= 1
        self.best = self._found()

    def _turned(self, axis: Axis) -> Iterator[Option]:
        """Yield how kinds can lie, with the kerf beside and above them."""
        kerf = self._measures.kerf
        for n, kind in enumerate(self._kinds):
            length, breadth = kind.width + kerf, kind.height + kerf
            if axis == Axis.Y:
                length, breadth = breadth, length
            yield length, breadth, n
            if kind.may_turn and length != breadth:
                yield breadth, length, n

    def step(self) -> None:
        """Take some sheets apart and fill them again; keep what is no worse."""
        picked = self._pick()
        before = [self._sheets[n] for n in picked]
        supply = self._supply(before)
        demand = self._left[:]
        for one in before:
            demand = [a + b for a, b in zip(demand, one.counts, strict=True)]
        if not any(demand):
            return
        after, left = self._pack(demand, supply)
        if self._cost(after, left) > self._cost(before, self._left):
            return
        for one in before:
            self._free[one.sheet.stock] += 1
        for one in after:
            self._free[one.sheet.stock] -= 1
        rest = [one for n, one in enumerate(self._sheets) if n not in set(picked)]
        self._sheets, self._left = [*rest, *after], left
        if self._aims() < self.best.aims:
            self.best = self._found()

    def _pick(self) -> Sequence[int]:
        """Choose sheets, as their indexes: often the emptiest whole one among them."""
        sheets, chance = self._sheets, self._chance
        number = min(chance.choice(TAKEN_APART), len(sheets))
        if not number:
            return ()
        picked = chance.sample(range(len(sheets)), number)
        if chance.random() < EMPTIEST_SHARE:
            emptiest = min(
                range(len(sheets)),
                key=lambda n: (sheets[n].stock.is_remnant, sheets[n].share),
            )
            if emptiest not in picked:
                picked[0] = emptiest
        return picked

    def _supply(self, sheets: Sequence[_Filled]) -> Counts:
        """Return how many sheets of each lot there are to be filled: not all remnants."""
        free = [
            n
            for n, left in enumerate(self._free)
            if left and self._stocks[n].is_remnant
        ]
        tried = set(self._chance.sample(free, min(MOST_REMNANTS, len(free))))
        supply = [
            left if n in tried or not self._stocks[n].is_remnant else 0
            for n, left in enumerate(self._free)
        ]
        for one in sheets:
            supply[one.sheet.stock] += 1
        return supply

    def _cost(
        self, sheets: Sequence[_Filled], left: Counts
    ) -> tuple[float, float, float, int]:
        """Return what is better if it is less.

        A whole sheet whose share x is covered costs 2x - x²: it is cheaper to fill one
        sheet and to empty another.
        """
        cost = sum(
            one.stock.area * one.share * (2 - one.share)
            for one in sheets
            if not one.stock.is_remnant
        )
        worth, cuts = sum(one.worth for one in sheets), sum(one.cuts for one in sheets)
        return self._area(left), round(cost, DECIMALS), -worth, cuts

    def _area(self, counts: Counts) -> int:
        return sum(
            n * kind.width * kind.height
            for n, kind in zip(counts, self._kinds, strict=True)
            if n
        )

    def _aims(self) -> Aims:
        sheets = self._sheets
        return Aims(
            self._area(self._left),
            sum(one.stock.area for one in sheets if not one.stock.is_remnant),
            -round(sum(one.worth for one in sheets), DECIMALS),
            sum(one.cuts for one in sheets),
        )

    def _found(self) -> Found:
        plan = self._named.plan((one.sheet for one in self._sheets), self._stocks)
        return evaluate(plan, self._pieces, self._stocks, self._measures)

    def _pack(
        self, demand: Counts, supply: Sequence[int]
    ) -> tuple[list[_Filled], Counts]:
        """Fill sheets one after the other, remnants first, the small ones before."""
        left, sheets = demand[:], list[_Filled]()
        whole, remnants = list[int](), list[int]()
        for n, number in enumerate(supply):
            if number:
                (remnants if self._stocks[n].is_remnant else whole).append(n)
        for n in sorted(remnants, key=lambda one: self._stocks[one].area):
            for _ in range(supply[n]):
                filled = self._fill([n], left)
                if filled is None or filled.use < self._least_use:
                    break
                sheets.append(filled)
                left = [a - b for a, b in zip(left, filled.counts, strict=True)]
        rest = list(supply)
        while any(left):
            filled = self._fill(self._different([n for n in whole if rest[n]]), left)
            if filled is None:
                break
            rest[filled.sheet.stock] -= 1
            sheets.append(filled)
            left = [a - b for a, b in zip(left, filled.counts, strict=True)]
        return sheets, left

    def _different(self, lots: Sequence[int]) -> Sequence[int]:
        """Return one lot of each kind of sheet, and not too many of them."""
        kinds = dict[tuple[object, ...], int]()
        for n in lots:
            stock = self._stocks[n]
            kinds.setdefault((*stock.usable, stock.trim, *stock.defects), n)
        found = list(kinds.values())
        return (
            self._chance.sample(found, MOST_LOTS) if len(found) > MOST_LOTS else found
        )

    def _fill(self, stocks: Sequence[int], left: Counts) -> _Filled | None:
        """Return the best of some fillings of a sheet; None where no piece fits."""
        best, most = None, 0.0
        for chance in CHANCES:
            values = [
                one * (1 + chance * self._chance.random()) for one in self._values
            ]
            for n in stocks:
                stock, axis = self._stocks[n], self._chance.choice(list(Axis))
                strips, rest = _Filling(
                    stock,
                    axis,
                    self._options[axis],
                    values,
                    left,
                    self._measures,
                    self._chance,
                ).fill()
                counts = [a - b for a, b in zip(left, rest, strict=True)]
                area = self._area(counts)
                if area / stock.area > most:
                    most = area / stock.area
                    best = Sheet(n, axis, strips), counts, area
        return best and self._filled(*best)

    def _filled(self, sheet: Sheet, counts: Counts, area: int) -> _Filled:
        stock = self._stocks[sheet.stock]
        kept, worth, cuts = rests(sheet, stock, self._measures)
        return _Filled(sheet, stock, counts, area, kept, worth, cuts)


class _Filling:
    """The filling of one sheet, along the order of its strips.

    Lengths have the kerf in them: a pane takes its own and that of one cut.
    """

    def __init__(
        self,
        stock: Stock,
        axis: Axis,
        options: Sequence[Option],
        values: Sequence[float],
        left: Counts,
        measures: Measures,
        chance: Random,
    ) -> None:
        self._kerf = kerf = measures.kerf
        self._least = measures.distance + kerf
        along, across, length, breadth = box_of(axis, *stock.usable)
        self._along, self._across = along, across
        self._length, self._breadth = length + kerf, breadth + kerf
        self._options = [
            one
            for one in options
            if left[one[2]] and one[0] <= self._length and one[1] <= self._breadth
        ]
        self._values, self._left, self._chance = values, left[:], chance
        self._defects = [
            Box(x - along, y - across, wide, high)
            for x, y, wide, high in (box_of(axis, *one) for one in stock.defects)
        ]

    def fill(self) -> tuple[Sequence[Strip], Counts]:
        """Return the strips, whose cells name kinds, and what is left."""
        at, strips = 0, []
        while at < self._length:
            found = self._best_strip(at)
            if found is None:
                ends = [one.x + one.width for one in self._defects]
                at = self._behind(at, ends, self._length)
                continue
            strip, self._left = found
            strips.append(strip)
            at += strip.breadth + self._kerf
        return [self._placed(strip) for strip in strips], self._left

    def _behind(self, at: int, ends: Sequence[int], room: int) -> int:
        """Return where to go on behind the next defect, or the end of the room."""
        after = [max(end, at + self._least) for end in ends if end > at]
        return min(after, default=room)

    def _fits(self, size: int, room: int) -> bool:
        """Return whether what is left of the room can be broken off, or is nothing."""
        return size == room or room - size >= self._least

    def _some(self, sizes: set[int], most: int) -> list[int]:
        ordered = sorted(sizes)
        return self._chance.sample(ordered, most) if len(ordered) > most else ordered

    def _best_strip(self, at: int) -> tuple[Strip, Counts] | None:
        room, left = self._length - at, self._left
        breadths = {
            length
            for length, _, kind in self._options
            if left[kind] and self._fits(length, room)
        }
        best, most = None, 0.0
        for breadth in self._some(breadths, MOST_WIDTHS):
            value, levels, rest = self._strip(at, breadth)
            if value / breadth > most:
                most = value / breadth
                best = Strip(at, breadth - self._kerf, levels), rest
        return best

    def _strip(self, at: int, length: int) -> tuple[float, list[Level], Counts]:
        """Fill a strip with levels, each with the most value for its breadth."""
        options = [one for one in self._options if self._fits(one[0], length)]
        left, values, least = self._left[:], self._values, self._least
        across, total, levels = 0, 0.0, list[Level]()
        while across < self._breadth:
            room = self._breadth - across
            breadths = {
                breadth
                for _, breadth, kind in options
                if left[kind] and self._fits(breadth, room)
            }
            best, most = None, 0.0
            for breadth in self._some(breadths, MOST_HEIGHTS):
                fitting = [  # `_fits` without the call: most of the time goes here
                    (values[kind] / one, one, high, kind)
                    for one, high, kind in options
                    if left[kind] and (high == breadth or breadth - high >= least)
                ]
                fitting.sort(reverse=True)
                if self._defects:
                    value, cells = self._cells_around(fitting, left, at, across, length)
                else:
                    value, cells = self._cells(fitting, left, length)
                if value / breadth > most:
                    most, best = value / breadth, (breadth, value, cells)
            if best is None:
                ends = [one.y + one.height for one in self._defects]
                across = self._behind(across, ends, self._breadth)
                continue
            breadth, value, cells = best
            levels.append(Level(across, breadth - self._kerf, cells))
            total += value
            across += breadth
            for cell in cells:
                left[cell.piece] -= 1
        return total, levels, left

    def _cells(
        self, fitting: Sequence[tuple[float, int, int, int]], left: Counts, length: int
    ) -> tuple[float, list[Cell]]:
        """Return the panes side by side with the most value, of so many combinations."""
        values, least = self._values, self._least
        best_value, best = 0.0, list[int]()
        chosen, used, combinations = list[int](), dict[int, int](), MOST_COMBINATIONS

        def extend(first: int, room: int, value: float) -> None:
            nonlocal best_value, best, combinations
            if value > best_value:
                best_value, best = value, chosen[:]
            for n in range(first, len(fitting)):
                by_length, one, _, kind = fitting[n]
                if not combinations or value + by_length * room <= best_value:
                    return
                rest = room - one
                if rest < 0 or 0 < rest < least or used.get(kind, 0) >= left[kind]:
                    continue
                combinations -= 1
                used[kind] = used.get(kind, 0) + 1
                chosen.append(n)
                extend(n, rest, value + values[kind])
                chosen.pop()
                used[kind] -= 1

        extend(0, length, 0.0)
        at, cells = 0, list[Cell]()
        for n in best:
            _, one, breadth, kind = fitting[n]
            cells.append(Cell(at, one - self._kerf, breadth - self._kerf, kind))
            at += one
        return best_value, cells

    def _cells_around(
        self,
        fitting: Sequence[tuple[float, int, int, int]],
        left: Counts,
        along: int,
        across: int,
        length: int,
    ) -> tuple[float, list[Cell]]:
        """Return panes side by side that cover no defect."""
        at, value, cells, used = 0, 0.0, list[Cell](), dict[int, int]()
        while at < length:
            for _, one, breadth, kind in fitting:
                place = Box(along + at, across, one - self._kerf, breadth - self._kerf)
                if (
                    used.get(kind, 0) < left[kind]
                    and one <= length - at
                    and self._fits(one, length - at)
                    and not any(place.overlaps(defect) for defect in self._defects)
                ):
                    cells.append(Cell(at, place.width, place.height, kind))
                    used[kind] = used.get(kind, 0) + 1
                    value += self._values[kind]
                    at += one
                    break
            else:
                ends = [one.x + one.width - along for one in self._defects]
                at = self._behind(at, ends, length)
        return value, cells

    def _placed(self, strip: Strip) -> Strip:
        """Return a strip with places that are counted from the edges of the sheet."""
        along, across = self._along, self._across
        return Strip(
            along + strip.at,
            strip.breadth,
            [
                Level(
                    across + level.at,
                    level.breadth,
                    [
                        cell._replace(at=along + strip.at + cell.at)
                        for cell in level.cells
                    ],
                )
                for level in strip.levels
            ],
        )
