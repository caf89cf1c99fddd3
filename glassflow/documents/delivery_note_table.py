"""The tables of a delivery note: what is handed over, and what is not.

Imports the libraries that draw, as `labels.job` does.
"""

from collections.abc import Sequence
from decimal import Decimal

from glassflow.documents import pane_numbers
from glassflow.documents.delivery_note import DeliveryNote, NoteLine
from glassflow.documents.document_paper import (
    HEADING_HEIGHT,
    INK,
    SIZE,
    SMALL,
    TINT,
    Column,
    DocumentPaper,
    Text,
    decimals,
)
from glassflow.documents.table_row import Cell, DrawnPane, sides, write_row
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.drawing import typesetting
from glassflow.drawing.items import BLACK, Box, Color
from glassflow.drawing.paper import GREY, MARGIN, WIDTH, line_height

SUM_HEIGHT = 7.2  # mm, as everything below
SECTION_HEIGHT = 6.0
FIRST_ROW = 32.0  # most rows are no higher
SECTION_SIZE = 11.0  # points
NUMBER = Column(texts.PAPER_LINE, MARGIN, 9, 0.5)
DESCRIPTION = Column(texts.PAPER_DESCRIPTION, 22, 67, 0)
ORDER = Column(texts.PAPER_ORDER, 92, 30, 0)
DIMENSIONS = Column(texts.PAPER_SIZE, 123, 24, 0.5)
QUANTITY = Column(texts.PAPER_QUANTITY, 148, 13, 1)
AREA = Column(texts.PAPER_LINE_AREA, 163, 17, 1)
WEIGHT = Column(texts.PAPER_LINE_WEIGHT, 182, 15, 1)
COLUMNS = (NUMBER, DESCRIPTION, ORDER, DIMENSIONS, QUANTITY, AREA, WEIGHT)


class NotePaper(DocumentPaper):
    """The pages of one delivery note; `section` is the name of the present table."""

    def __init__(self, note: DeliveryNote) -> None:
        self.note = note
        self.section: Bilingual | None = None
        super().__init__(note, title=texts.PAPER_DELIVERY_NOTE, columns=COLUMNS)

    def heading(self) -> None:
        """Write the names of the columns, below the one of the table."""
        if self.section:
            name = self.word(self.section)
            self.place(name, MARGIN, WIDTH, SECTION_SIZE, bold=True, color=INK)
            self.y += SECTION_HEIGHT
        super().heading()


def write_table(
    paper: NotePaper, lines: Sequence[NoteLine], *, section: Bilingual | None = None
) -> None:
    """Write lines and their sums; the last line and the sums are on one page."""
    paper.section = section
    paper.need(SECTION_HEIGHT + HEADING_HEIGHT + FIRST_ROW + SUM_HEIGHT)
    paper.heading()
    for number, line in enumerate(lines, 1):
        write_row(
            paper,
            DESCRIPTION,
            _description(paper, line),
            cells=_cells(number, line),
            pane=_pane(line),
            after=SUM_HEIGHT if number == len(lines) else 0.0,
        )
    write_sums(paper, lines)
    paper.has_heading = False


def _description(paper: NotePaper, line: NoteLine) -> list[Text]:
    numbers = pane_numbers.written(line.pane_numbers, paper.language)
    return [
        Text(", ".join(line.marks), bold=True),
        Text(line.description),
        Text(line.remark, SMALL, color=GREY),
        Text(numbers, SMALL, color=GREY),
    ]


def _pane(line: NoteLine) -> DrawnPane:
    return DrawnPane(line.width, line.height, line.cut_outs)


def _cells(number: int, line: NoteLine) -> list[Cell]:
    return [
        (NUMBER, [Text(str(number), color=GREY)]),
        (ORDER, [*_fitted(line.order, 1, BLACK), *_fitted(line.reference, 2, GREY)]),
        (DIMENSIONS, [Text(sides(_pane(line)))]),
        (QUANTITY, [Text(f"{line.quantity:,}")]),
        (AREA, [Text(_area([line]))]),
        (WEIGHT, [Text(_weight([line]))]),
    ]


def _fitted(text: str, count: int, color: Color) -> list[Text]:
    """Return a text in at most so many lines of its column: smaller, then cut."""
    if not text.strip():
        return []
    height = count * line_height(SIZE)
    fitted = typesetting.fit_lines(
        text, width=ORDER.width, height=height, size=SIZE, bold=False
    )
    return [Text(line, fitted.size, color=color) for line in fitted.lines]


def write_sums(paper: NotePaper, lines: Sequence[NoteLine]) -> None:
    """Write how many panes lines have together, with their area and their weight."""
    paper.need(SUM_HEIGHT)
    paper.items.append(Box(MARGIN, paper.y, WIDTH, SUM_HEIGHT, fill=TINT))
    for column, text in (
        (DESCRIPTION, paper.word(texts.PAPER_SUM)),
        (QUANTITY, f"{sum(line.quantity for line in lines):,}"),
        (AREA, _area(lines)),
        (WEIGHT, _weight(lines)),
    ):
        paper.cell(column, Text(text, bold=True, color=INK))
    paper.y += SUM_HEIGHT + 4


def _area(lines: Sequence[NoteLine]) -> str:
    return _sum([line.area and line.area * line.quantity for line in lines], places=2)


def _weight(lines: Sequence[NoteLine]) -> str:
    return _sum(
        [line.weight and line.weight * line.quantity for line in lines], places=1
    )


def _sum(values: Sequence[Decimal | None], *, places: int) -> str:
    """Return the sum of what is known, marked as the least where something is not."""
    known = [one for one in values if one is not None]
    if not known:
        return ""
    mark = "" if len(known) == len(values) else "≥ "
    return mark + decimals(sum(known, Decimal(0)), places)
