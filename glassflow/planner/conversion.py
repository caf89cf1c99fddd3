"""Solutions of packingsolver as sheets of cutting plans.

A sheet is a tree of rectangles there: strips, levels, cells, and in a cell that is higher
than its pane the pane and what is trimmed off.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from glassflow.domain.cutting.plan import (
    Axis,
    Box,
    Cell,
    Level,
    Measures,
    Sheet,
    Stock,
    Strip,
    box_of,
)


class UnknownForm(Exception):
    """A solution has a form that a cutting plan cannot have."""


def sheets_of(
    solution: Any,
    lots: Sequence[int],
    kinds: Sequence[int],
    stocks: Sequence[Stock],
    measures: Measures,
) -> list[Sheet]:
    """Return the sheets of a solution, whose cells name kinds of pieces.

    `lots` and `kinds` are the indexes of what the solver has as bin types and item types.
    Raises `UnknownForm`.
    """
    sheets = []
    for position in range(solution.number_of_different_bins()):
        solved = solution.bin(position)
        lot = lots[solved.bin_type_id]
        is_vertical = solved.first_cut_orientation.name == "Vertical"
        tree = _Tree(
            solved.nodes,
            Axis.X if is_vertical else Axis.Y,
            stocks[lot],
            measures,
            kinds,
        )
        sheet = tree.sheet(lot)
        if sheet.strips:
            sheets += [sheet] * solved.copies
    return sheets


class _Span(NamedTuple):
    """A rectangle on a sheet, along and across the order of its strips."""

    along: int
    across: int
    length: int
    breadth: int

    @property
    def top(self) -> int:
        """Where it ends across."""
        return self.across + self.breadth


class _Pane(NamedTuple):
    """A pane, where the solver has put it in its cell."""

    place: _Span
    kind: int


class _Tree:
    """The tree of one sheet. The solver counts from the corner of what is usable."""

    def __init__(
        self,
        nodes: Sequence[Any],
        axis: Axis,
        stock: Stock,
        measures: Measures,
        kinds: Sequence[int],
    ) -> None:
        self._nodes, self._axis, self._kinds = nodes, axis, kinds
        self._usable = stock.usable
        self._least = measures.distance + measures.kerf
        self._defects = [_Span(*box_of(axis, *one)) for one in stock.defects]

    def sheet(self, lot: int) -> Sheet:
        """Return the sheet. Raises `UnknownForm`."""
        strips = []
        for strip in self._parts(0):
            levels = [self._level(one) for one in self._parts(strip)]
            span = self._span(strip)
            strips.append(Strip(span.along, span.length, levels))
        return Sheet(lot, self._axis, strips)

    def _span(self, node: int) -> _Span:
        one = self._nodes[node]
        x, y = one.l + self._usable.x, one.b + self._usable.y
        return _Span(*box_of(self._axis, x, y, one.r - one.l, one.t - one.b))

    def _parts(self, node: int) -> Iterator[int]:
        """Yield the parts that have panes; a pane that is not cut further is its own part."""
        if self._is_pane(node):
            yield node
            return
        for child in self._nodes[node].children:
            if any(self._panes(child)):
                yield child

    def _panes(self, node: int) -> Iterator[_Pane]:
        one = self._nodes[node]
        if self._is_pane(node):
            yield _Pane(self._span(node), self._kinds[one.item_type_id])
        for child in one.children:
            yield from self._panes(child)

    def _is_pane(self, node: int) -> bool:
        one = self._nodes[node]  # the root has the id of its bin type
        return bool(one.d > 0 and one.item_type_id >= 0)

    def _level(self, node: int) -> Level:
        """Return a level, in which all panes begin at the same edge."""
        span, panes = self._span(node), []
        for cell in self._parts(node):
            [pane, *others] = self._panes(cell)
            place = self._span(cell)
            if others or (place.along, place.length) != (
                pane.place.along,
                pane.place.length,
            ):
                raise UnknownForm("a cell is cut into more than a pane and a trim")
            panes.append(pane)
        for edge in sorted({span.across, *(one.place.across for one in panes)}):
            moved = [
                one._replace(place=one.place._replace(across=edge)) for one in panes
            ]
            if all(self._may_be(one.place, span.top) for one in moved):
                cells = [
                    Cell(place.along, place.length, place.breadth, kind)
                    for place, kind in moved
                ]
                return Level(edge, span.top - edge, cells)
        raise UnknownForm("panes of a level begin at different edges")

    def _may_be(self, place: _Span, top: int) -> bool:
        """Return whether a pane may be here, in a level that ends at `top`."""
        trimmed = top - place.top
        return (trimmed == 0 or trimmed >= self._least) and not any(
            Box(*place).overlaps(Box(*defect)) for defect in self._defects
        )
