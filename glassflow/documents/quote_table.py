"""The table of a quote, with drawings of the panes that have cut-outs.

Imports the libraries that draw, as `labels.job` does.
"""

from collections.abc import Iterator, Sequence

from glassflow.documents.quote import PaperLine
from glassflow.documents.quote_paper import (
    AMOUNT,
    AREA,
    DESCRIPTION,
    DIMENSIONS,
    HEADING_HEIGHT,
    NUMBER,
    PADDING,
    QUANTITY,
    SIZE,
    SMALL,
    UNIT_PRICE,
    QuotePaper,
    money,
)
from glassflow.domain.panes.cut_outs import CutOut
from glassflow.labels import typesetting
from glassflow.labels.items import BLACK, Item, Line
from glassflow.labels.pane_drawing import draw, read_cut
from glassflow.labels.paper import GREY, line_height

DRAWING_ROOM = (22.0, 16.0)  # mm
LONGEST_ROW = 120.0  # mm; a higher row goes on on the next page


def write_table(paper: QuotePaper, *, after: float) -> None:
    """Write the lines; the last one has a height in mm left below it, if it can."""
    paper.need(HEADING_HEIGHT + 30)
    paper.heading()
    for number, line in enumerate(paper.quote.lines, 1):
        is_last = number == len(paper.quote.lines)
        _row(paper, number, line, after if is_last else 0.0)
    paper.has_heading = False


def _row(paper: QuotePaper, number: int, line: PaperLine, after: float) -> None:
    """Write a line, on a page that has room for it and for the height after it."""
    size = (line.width or 0.0, line.height or 0.0)
    has_drawing = bool(line.cut_outs) and min(size) > 0
    width, least = DESCRIPTION.width, line_height(SIZE)
    if has_drawing:
        width -= DRAWING_ROOM[0] + 3
        least = draw(size, (), at=(0, 0), room=DRAWING_ROOM).outline.height
    words = [
        (part, points, color)
        for text, points, color in (
            (line.description, SIZE, BLACK),
            (line.remark, SMALL, GREY),
        )
        if text.strip()
        for part in typesetting.break_lines(text, width=width, size=points, bold=False)
    ]
    written = sum(line_height(points) for _, points, _ in words)
    height = max(written, least) + 2 * PADDING
    if height > LONGEST_ROW:
        height, after = least + 2 * PADDING, 0.0
    paper.need(height + after)
    _cells(paper, number, line)
    if has_drawing:
        paper.items.extend(_drawing(size, line.cut_outs, paper.y + PADDING))
    page, bottom = len(paper.pages), paper.y + PADDING + least
    paper.y += PADDING
    for part, points, color in words:
        paper.need(line_height(points) + PADDING)
        paper.place(part, DESCRIPTION.x, width, points, color=color)
        paper.y += line_height(points)
    if len(paper.pages) == page:
        paper.y = max(paper.y, bottom)
    paper.y += PADDING
    paper.rule()


def _cells(paper: QuotePaper, number: int, line: PaperLine) -> None:
    sides = (line.width, line.height)
    paper.cell(NUMBER, str(number), color=GREY)
    paper.cell(DIMENSIONS, " × ".join(f"{side:.10g}" for side in sides if side))
    paper.cell(QUANTITY, f"{line.quantity:,}")
    paper.cell(AREA, "" if line.area is None else money(line.area))
    paper.cell(UNIT_PRICE, money(line.unit_price))
    paper.cell(AMOUNT, money(line.amount))


def _drawing(
    size: tuple[float, float], cut_outs: Sequence[CutOut], top: float
) -> Iterator[Item]:
    """Yield the pane to scale at the right of its description."""
    cuts = [read_cut(one, is_notch=False) for one in cut_outs]
    left = DESCRIPTION.x + DESCRIPTION.width - DRAWING_ROOM[0]
    outline, lines = draw(size, cuts, at=(left, top), room=DRAWING_ROOM, stroke=0.15)
    yield outline
    right, bottom = left + outline.width, top + outline.height
    for cut in lines:
        # what is cut beyond an edge ends there
        points = tuple(
            (min(max(x, left), right), min(max(y, top), bottom)) for x, y in cut.points
        )
        yield Line(points, cut.thickness)
