"""What the service and the planner write to each other: JSON, one document a line.

Lengths are tenths of a mm. The forms of sheets and lots are also those in which a plan is
stored.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from glassflow.domain.cutting.aims import Aims, Found
from glassflow.domain.cutting.plan import (
    Axis,
    Box,
    Cell,
    Level,
    Measures,
    Piece,
    Plan,
    Sheet,
    Stock,
    Strip,
)

Form = Sequence[Any]


def stock_form(stock: Stock) -> list[Any]:
    """Return a lot as a list, in the order of its fields."""
    return [*stock[:4], [list(one) for one in stock.defects], stock.is_remnant]


def stock_of(form: Form) -> Stock:
    """Return the lot with a form."""
    width, height, sheets, trim, defects, is_remnant = form
    boxes = tuple(Box(*one) for one in defects)
    return Stock(width, height, sheets, trim, boxes, is_remnant)


def sheet_form(sheet: Sheet) -> list[Any]:
    """Return a sheet as nested lists, in the order of the fields."""
    strips = [
        [
            strip.at,
            strip.breadth,
            [
                [level.at, level.breadth, [list(cell) for cell in level.cells]]
                for level in strip.levels
            ],
        ]
        for strip in sheet.strips
    ]
    return [sheet.stock, str(sheet.axis), strips]


def sheet_of(form: Form) -> Sheet:
    """Return the sheet with a form."""
    stock, axis, strips = form
    return Sheet(
        stock,
        Axis(axis),
        [
            Strip(
                at,
                breadth,
                [
                    Level(start, high, [Cell(*cell) for cell in cells])
                    for start, high, cells in levels
                ],
            )
            for at, breadth, levels in strips
        ],
    )


class Task(NamedTuple):
    """What is to be planned, and for how long the planner searches, in seconds."""

    pieces: Sequence[Piece]
    stocks: Sequence[Stock]
    measures: Measures
    seconds: float
    seed: int = 0

    def encode(self) -> bytes:
        """Return the task as a JSON document."""
        form = {
            **self._asdict(),
            "stocks": [stock_form(one) for one in self.stocks],
        }
        return json.dumps(form).encode()

    @classmethod
    def decode(cls, text: bytes) -> Self:
        """Return the task of a JSON document."""
        form = json.loads(text)
        return cls(
            [Piece(*one) for one in form["pieces"]],
            [stock_of(one) for one in form["stocks"]],
            Measures(*form["measures"]),
            form["seconds"],
            form["seed"],
        )


class Answer(NamedTuple):
    """A plan that is better than the one before, and what has made it."""

    found: Found
    maker: str

    def encode(self) -> bytes:
        """Return the answer as a line."""
        found = self.found
        form = {
            **found._asdict(),
            "plan": {
                "sheets": [sheet_form(one) for one in found.plan.sheets],
                "leftOut": list(found.plan.left_out),
            },
            "maker": self.maker,
        }
        return json.dumps(form).encode() + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> Self:
        """Return the answer of a line."""
        form = json.loads(line)
        plan, maker = form.pop("plan"), form.pop("maker")
        sheets = [sheet_of(one) for one in plan["sheets"]]
        form["aims"] = Aims(*form["aims"])
        form["without"] = form["without"] and Aims(*form["without"])
        return cls(Found(Plan(sheets, plan["leftOut"]), **form), maker)
