"""Where labels stand on paper: one a page, or in the cells of a sheet.

Sizes are in mm. `name=3x7 63.5x38.1 7.2x15.1 66x38.1` in a setting names a sheet of one's
own: columns and rows, the cell, the margin at the left and the top, and the pitch.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from glassflow.drawing.items import A4

SINGLE = "single"  # one label a page, for rolls


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page of labels: cells in columns and rows, at a pitch from a margin."""

    name: str
    columns: int
    rows: int
    cell: tuple[float, float]
    margin: tuple[float, float]
    pitch: tuple[float, float]
    page: tuple[float, float] = A4

    @property
    def cells(self) -> int:
        """How many labels one sheet has."""
        return self.columns * self.rows

    def corner(self, index: int) -> tuple[float, float]:
        """Return the left top corner of a cell, counted row by row."""
        row, column = divmod(index % self.cells, self.columns)
        return (
            self.margin[0] + column * self.pitch[0],
            self.margin[1] + row * self.pitch[1],
        )


SHEETS = (
    Sheet("L7160", 3, 7, (63.5, 38.1), (7.2, 15.1), (66.0, 38.1)),
    Sheet("L7159", 3, 8, (63.5, 33.9), (7.2, 12.9), (66.0, 33.9)),
    Sheet("L7163", 2, 7, (99.1, 38.1), (4.65, 15.1), (101.6, 38.1)),
    Sheet("L4778", 4, 12, (45.7, 21.2), (9.85, 21.3), (48.2, 21.2)),
    Sheet("A4-cards", 2, 5, (85.6, 54.0), (17.0, 13.5), (90.4, 54.0)),
)


class Placed(NamedTuple):
    """A label on a page: its left top corner, and by how much it is scaled."""

    page: int
    x: float
    y: float
    scale: float


def place(
    sheet: Sheet,
    sizes: Iterable[tuple[float, float]],
    *,
    skip: int = 0,
    nudge: tuple[float, float] = (0.0, 0.0),
) -> Iterator[Placed]:
    """Place labels of these sizes in the cells after the skipped ones.

    A label is in the middle of its cell, and scaled down if it is larger.
    """
    for index, (width, height) in enumerate(sizes, start=skip):
        scale = min(1.0, sheet.cell[0] / width, sheet.cell[1] / height)
        left, top = sheet.corner(index)
        yield Placed(
            index // sheet.cells,
            left + (sheet.cell[0] - width * scale) / 2 + nudge[0],
            top + (sheet.cell[1] - height * scale) / 2 + nudge[1],
            scale,
        )


def parse_sheets(setting: Mapping[str, Iterable[str]]) -> tuple[Sheet, ...]:
    """Read sheets of a workshop's own; raises `ValueError` that names the first bad one."""
    return tuple(_parse(name, list(words)) for name, words in setting.items())


def _parse(name: str, words: list[str]) -> Sheet:
    number = r"\d{1,3}(?:\.\d{1,3})?"
    pairs = [re.fullmatch(f"({number})x({number})", word) for word in words]
    if len(pairs) != 4 or not all(pairs) or not re.fullmatch(r"[\w-]{1,40}", name):
        raise ValueError(name)
    counts, cell, margin, pitch = (
        (float(pair[1]), float(pair[2])) for pair in pairs if pair
    )
    sheet = Sheet(name, int(counts[0]), int(counts[1]), cell, margin, pitch)
    if not 1 <= sheet.cells <= 500 or min(cell) < 5 or min(pitch) < 5:
        raise ValueError(name)
    right, bottom = sheet.corner(sheet.cells - 1)
    if right + cell[0] > A4[0] + 0.5 or bottom + cell[1] > A4[1] + 0.5:
        raise ValueError(name)
    return sheet
