"""The pages of a document: what each of them repeats, and how one line is written.

Imports the libraries that draw, as `labels.job` does.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from glassflow.documents.document import Document
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.drawing import typesetting
from glassflow.drawing.items import A4, BLACK, Box, Color, Line, Run
from glassflow.drawing.paper import GREY, MARGIN, WIDTH, Paper, line_height
from glassflow.drawing.typesetting import ASCENT, MM_PER_PT

RIGHT = MARGIN + WIDTH  # mm, as everything below
PADDING = 1.6
HEADING_HEIGHT = 7.0
NAME_WIDTH = 34.0

SIZE, SMALL = 9.0, 8.0  # points
WHITE = (1.0, 1.0, 1.0)
INK = (0.12, 0.27, 0.33)
RULE = (0.78, 0.83, 0.85)
TINT = (0.91, 0.945, 0.955)


class Text(NamedTuple):
    """A text and how it is written; `size` is in points."""

    text: str
    size: float = SIZE
    bold: bool = False
    color: Color = BLACK


class Column(NamedTuple):
    """A column of the table; `align` is the part of the free width that is left of a text."""

    title: Bilingual
    x: float
    width: float
    align: float


class DocumentPaper(Paper):
    """The pages of one document, each with its number, and with the heading of the table."""

    def __init__(
        self, document: Document, *, title: Bilingual, columns: Sequence[Column]
    ) -> None:
        self.document, self.title, self.columns = document, title, columns
        self.language = document.language
        self.has_heading = False
        super().__init__()

    def word(self, text: Bilingual, **facts: object) -> str:
        """Return a text in the language of the document."""
        return text.format(**facts).in_language(self.language)

    def begin_page(self) -> None:
        """Begin a page; each but the first one repeats what document it is of."""
        super().begin_page()
        if len(self.pages) == 1:
            return
        self.repeat_head()
        if self.has_heading:
            self.heading()

    def repeat_head(self) -> None:
        """Write the number and the customer."""
        title = f"{self.word(self.title)} {self.document.number}"
        buyer = shortened(self.document.buyer.name, 90)
        self.write_repeated(title, buyer)

    def write_repeated(self, left: str, right: str) -> None:
        """Write the line with which each page but the first one begins."""
        self.place(left, MARGIN, 90, SIZE, bold=True, color=INK)
        self.place(right, RIGHT - 90, 90, SIZE, align=1, color=GREY)
        self.y += 6

    def heading(self) -> None:
        """Write the names of the columns."""
        self.has_heading = True
        self.items.append(Box(MARGIN, self.y, WIDTH, HEADING_HEIGHT, fill=INK))
        for column in self.columns:
            title = Text(self.word(column.title), SMALL, bold=True, color=WHITE)
            self.cell(column, title)
        self.y += HEADING_HEIGHT

    def cell(self, column: Column, *lines: Text) -> None:
        """Write lines into a column, at the top of the row that begins at `y`."""
        top = self.y
        self.y += PADDING
        for text, size, bold, color in lines:
            self.place(
                text,
                column.x,
                column.width,
                size,
                align=column.align,
                bold=bold,
                color=color,
            )
            self.y += line_height(size)
        self.y = top

    def place(
        self,
        text: str,
        x: float,
        width: float,
        size: float,
        *,
        align: float = 0.0,
        bold: bool = False,
        color: Color = BLACK,
    ) -> None:
        """Write a text into one line at `y`, as small as it must be: nothing is cut."""
        natural = typesetting.width_mm(text, size=size, bold=bold)
        baseline = self.y + size * ASCENT * MM_PER_PT
        size *= min(1.0, width / natural) if natural else 1.0
        free = max(0.0, width - natural)
        self.items.append(Run(x + align * free, baseline, text, size, bold, color))

    def named(self, name: Bilingual, text: str) -> None:
        """Write a text beside its name, over the whole width; nothing for no text."""
        if not text.strip():
            return
        self.need(line_height(SIZE))
        self.place(self.word(name), MARGIN, NAME_WIDTH - 2, SIZE, color=GREY)
        self.write(text, MARGIN + NAME_WIDTH, WIDTH - NAME_WIDTH, SIZE)
        self.y += 1.2

    def rule(self, color: Color = RULE) -> None:
        """Draw a line over the whole width at `y`."""
        self.items.append(Line(((MARGIN, self.y), (RIGHT, self.y)), 0.2, color))

    def number_pages(self) -> None:
        """Write the seller and the number of the page below each page."""
        count = len(self.pages)
        for number, page in enumerate(self.pages, 1):
            name = shortened(self.document.seller.name, 120)
            text = self.word(texts.PAPER_PAGE, page=number, pages=count)
            wide = typesetting.width_mm(text, size=SMALL, bold=False)
            page.items += [
                Run(MARGIN, A4[1] - MARGIN, name, SMALL, color=GREY),
                Run(RIGHT - wide, A4[1] - MARGIN, text, SMALL, color=GREY),
            ]


def shortened(name: str, width: float) -> str:
    """Return as much of a name as fits a width at the size of most texts."""
    if typesetting.width_mm(name, size=SIZE, bold=False) <= width:
        return name
    return typesetting.cut(name, width=width, size=SIZE, bold=False)


def decimals(value: Decimal, places: int = 2) -> str:
    """Return an amount, an area or a weight with so many decimals, and a true minus."""
    rounded = f"{value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):,}"
    return rounded.replace("-", "\u2212")
