"""The table of a quote.

Imports the libraries that draw, as `labels.job` does.
"""

from glassflow.documents.document_paper import (
    HEADING_HEIGHT,
    SIZE,
    SMALL,
    Text,
    decimals,
)
from glassflow.documents.quote import PaperLine
from glassflow.documents.quote_paper import (
    AMOUNT,
    AREA,
    DESCRIPTION,
    DIMENSIONS,
    NUMBER,
    QUANTITY,
    UNIT_PRICE,
    QuotePaper,
)
from glassflow.documents.table_row import Cell, DrawnPane, sides, write_row
from glassflow.drawing.paper import GREY


def write_table(paper: QuotePaper, *, after: float) -> None:
    """Write the lines; the last one has a height in mm left below it, if it can."""
    paper.need(HEADING_HEIGHT + 30)
    paper.heading()
    for number, line in enumerate(paper.quote.lines, 1):
        is_last = number == len(paper.quote.lines)
        write_row(
            paper,
            DESCRIPTION,
            [
                Text(line.mark, bold=True),
                Text(line.description, SIZE),
                Text(line.remark, SMALL, color=GREY),
            ],
            cells=_cells(number, line),
            pane=_pane(line),
            after=after if is_last else 0.0,
        )
    paper.has_heading = False


def _pane(line: PaperLine) -> DrawnPane:
    return DrawnPane(line.width, line.height, line.cut_outs)


def _cells(number: int, line: PaperLine) -> list[Cell]:
    return [
        (NUMBER, [Text(str(number), color=GREY)]),
        (DIMENSIONS, [Text(sides(_pane(line)))]),
        (QUANTITY, [Text(f"{line.quantity:,}")]),
        (AREA, [Text("" if line.area is None else decimals(line.area))]),
        (UNIT_PRICE, [Text(decimals(line.unit_price))]),
        (AMOUNT, [Text(decimals(line.amount))]),
    ]
