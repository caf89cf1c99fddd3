"""A row of the table of a document, with a drawing of panes that have cut-outs.

Imports the libraries that draw, as `labels.job` does.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from glassflow.documents.document_paper import PADDING, Column, DocumentPaper, Text
from glassflow.documents.pane_drawing import draw, inside, read_cut
from glassflow.domain.panes.cut_outs import CutOut
from glassflow.drawing import typesetting
from glassflow.drawing.items import Item
from glassflow.drawing.paper import line_height

DRAWING_ROOM = (22.0, 16.0)  # mm
LONGEST_ROW = 120.0  # mm; a higher row goes on on the next page
Cell = tuple[Column, Sequence[Text]]


class DrawnPane(NamedTuple):
    """What is drawn of a pane, in mm; it is drawn with cut-outs and both sides only."""

    width: float | None
    height: float | None
    cut_outs: Sequence[CutOut]


def write_row(
    paper: DocumentPaper,
    column: Column,
    description: Sequence[Text],
    *,
    cells: Sequence[Cell],
    pane: DrawnPane,
    after: float = 0.0,
) -> None:
    """Write a row, on a page that has room for it and for a height in mm after it.

    The texts of the description wrap in their column. Those of other cells are lines.
    """
    size = (pane.width or 0.0, pane.height or 0.0)
    has_drawing = bool(pane.cut_outs) and min(size) > 0
    width = column.width
    least = max(sum(line_height(one.size) for one in lines) for _, lines in cells)
    if has_drawing:
        width -= DRAWING_ROOM[0] + 3
        drawn = draw(size, (), at=(0, 0), room=DRAWING_ROOM).outline
        least = max(least, drawn.height)
    words = [
        (part, points, bold, color)
        for text, points, bold, color in description
        if text.strip()
        for part in typesetting.break_lines(text, width=width, size=points, bold=bold)
    ]
    written = sum(line_height(points) for _, points, _, _ in words)
    height = max(written, least) + 2 * PADDING
    if height > LONGEST_ROW:
        height, after = least + 2 * PADDING, 0.0
    paper.need(height + after)
    for other, lines in cells:
        paper.cell(other, *lines)
    if has_drawing:
        left = column.x + column.width - DRAWING_ROOM[0]
        at = (left, paper.y + PADDING)
        paper.items.extend(_drawing(size, pane.cut_outs, at))
    page, bottom = len(paper.pages), paper.y + PADDING + least
    paper.y += PADDING
    for part, points, bold, color in words:
        paper.need(line_height(points) + PADDING)
        paper.place(part, column.x, width, points, bold=bold, color=color)
        paper.y += line_height(points)
    if len(paper.pages) == page:
        paper.y = max(paper.y, bottom)
    paper.y += PADDING
    paper.rule()


def sides(pane: DrawnPane) -> str:
    """Return the sides that are known in mm, as documents write a size."""
    known = (pane.width, pane.height)
    return " × ".join(f"{side:.10g}" for side in known if side)


def _drawing(
    size: tuple[float, float], cut_outs: Sequence[CutOut], at: tuple[float, float]
) -> Iterator[Item]:
    """Yield the pane to scale at the right of its description."""
    cuts = [read_cut(one, is_notch=False) for one in cut_outs]
    drawing = draw(size, cuts, at=at, room=DRAWING_ROOM, stroke=0.15)
    yield drawing.outline
    yield from inside(drawing)
