"""Kinds of pieces: those that search for plans place kinds, since equal pieces are one to them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from glassflow.domain.cutting.plan import Piece, Plan, Sheet, Stock, panes_of


class Kinds(NamedTuple):
    """The different pieces, and of each piece the index of its kind."""

    different: Sequence[Piece]
    of_piece: Sequence[int]

    @classmethod
    def of(cls, pieces: Sequence[Piece]) -> Self:
        """Return the kinds of pieces, in the order of their sizes."""
        different = sorted(set(pieces))
        at = {kind: n for n, kind in enumerate(different)}
        return cls(different, [at[one] for one in pieces])

    def numbers(self) -> list[int]:
        """Return how many pieces there are of each kind."""
        numbers = [0] * len(self.different)
        for kind in self.of_piece:
            numbers[kind] += 1
        return numbers

    def plan(self, sheets: Iterable[Sheet], stocks: Sequence[Stock]) -> Plan:
        """Return the plan of sheets whose cells name kinds, which then name pieces.

        Remnants come first, then the fullest sheets; pieces come to sheets in their order.
        Raises `IndexError` where there are more of a kind than pieces.
        """
        waiting: list[list[int]] = [[] for _ in self.different]
        for piece in reversed(range(len(self.of_piece))):
            waiting[self.of_piece[piece]].append(piece)

        def order(sheet: Sheet) -> tuple[bool, float]:
            stock = stocks[sheet.stock]
            area = sum(place.area for _, place in panes_of(sheet))
            return not stock.is_remnant, -(area / stock.area)

        named = [
            sheet._replace(
                strips=[
                    strip._replace(
                        levels=[
                            level._replace(
                                cells=[
                                    cell._replace(piece=waiting[cell.piece].pop())
                                    for cell in level.cells
                                ]
                            )
                            for level in strip.levels
                        ]
                    )
                    for strip in sheet.strips
                ]
            )
            for sheet in sorted(sheets, key=order)
        ]
        return Plan(named, sorted(piece for rest in waiting for piece in rest))
