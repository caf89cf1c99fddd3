"""The pages of a quote: what each of them repeats, and how one line is written.

Imports the libraries that draw, as `labels.job` does.
"""

from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from glassflow.documents.quote import QuoteOnPaper
from glassflow.domain import texts
from glassflow.domain.bilingual import ENGLISH, THAI, Bilingual
from glassflow.labels import typesetting
from glassflow.labels.items import BLACK, Box, Color, Item, Line, Run, Turned
from glassflow.labels.paper import GREY, MARGIN, WIDTH, Paper
from glassflow.labels.sheets import A4
from glassflow.labels.typesetting import ASCENT, MM_PER_PT

RIGHT = MARGIN + WIDTH  # mm, as everything below
PADDING = 1.6
HEADING_HEIGHT = 7.0

SIZE, SMALL = 9.0, 8.0  # points
WHITE = (1.0, 1.0, 1.0)
INK = (0.12, 0.27, 0.33)
RULE = (0.78, 0.83, 0.85)
WATERMARK = (0.93, 0.93, 0.93)


class Column(NamedTuple):
    """A column of the table; `align` is the part of the free width that is left of a text."""

    title: Bilingual
    x: float
    width: float
    align: float


NUMBER = Column(texts.PAPER_LINE, MARGIN, 9, 0.5)
DESCRIPTION = Column(texts.PAPER_DESCRIPTION, 22, 70, 0)
DIMENSIONS = Column(texts.PAPER_SIZE, 94, 25, 0.5)
QUANTITY = Column(texts.PAPER_QUANTITY, 120, 13, 1)
AREA = Column(texts.PAPER_AREA, 134, 16, 1)
UNIT_PRICE = Column(texts.PAPER_UNIT_PRICE, 151, 20, 1)
AMOUNT = Column(texts.PAPER_AMOUNT, 172, 25, 1)
COLUMNS = (NUMBER, DESCRIPTION, DIMENSIONS, QUANTITY, AREA, UNIT_PRICE, AMOUNT)


class QuotePaper(Paper):
    """The pages of one quote, each with its number, and with the heading of the table."""

    def __init__(self, quote: QuoteOnPaper) -> None:
        self.quote, self.language = quote, quote.language
        self.has_heading = False
        super().__init__()

    def word(self, text: Bilingual, **facts: object) -> str:
        """Return a text in the language of the quote."""
        return text.format(**facts).in_language(self.language)

    def begin_page(self) -> None:
        """Begin a page; each but the first one repeats the number and the customer."""
        super().begin_page()
        if self.quote.is_draft:
            self.items.append(_watermark())
        if len(self.pages) == 1:
            return
        title = f"{self.word(texts.PAPER_QUOTATION)} {self.quote.number}"
        self.place(title, MARGIN, 90, SIZE, bold=True, color=INK)
        buyer = shortened(self.quote.buyer.name, 90)
        self.place(buyer, RIGHT - 90, 90, SIZE, align=1, color=GREY)
        self.y += 6
        if self.has_heading:
            self.heading()

    def heading(self) -> None:
        """Write the names of the columns."""
        self.has_heading = True
        self.items.append(Box(MARGIN, self.y, WIDTH, HEADING_HEIGHT, fill=INK))
        for column in COLUMNS:
            self.cell(
                column, self.word(column.title), size=SMALL, bold=True, color=WHITE
            )
        self.y += HEADING_HEIGHT

    def cell(
        self,
        column: Column,
        text: str,
        *,
        size: float = SIZE,
        bold: bool = False,
        color: Color = BLACK,
    ) -> None:
        """Write a text into a column, at the top of the row that begins at `y`."""
        self.y += PADDING
        self.place(
            text,
            column.x,
            column.width,
            size,
            align=column.align,
            bold=bold,
            color=color,
        )
        self.y -= PADDING

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

    def rule(self, color: Color = RULE) -> None:
        """Draw a line over the whole width at `y`."""
        self.items.append(Line(((MARGIN, self.y), (RIGHT, self.y)), 0.2, color))

    def number_pages(self) -> None:
        """Write the seller and the number of the page below each page."""
        count = len(self.pages)
        for number, page in enumerate(self.pages, 1):
            name = shortened(self.quote.seller.name, 120)
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


def _watermark() -> Item:
    """Return the words that mark a draft, across the page."""
    draft = texts.PAPER_DRAFT
    text = f"{draft.in_language(THAI)} / {draft.in_language(ENGLISH)}"
    wide = typesetting.width_mm(text, size=76, bold=True)
    x, y = A4[0] / 2, A4[1] / 2
    return Turned(x, y, -50, (Run(x - wide / 2, y + 10, text, 76, True, WATERMARK),))


def money(amount: Decimal) -> str:
    """Return an amount, or an area, with two decimals."""
    return f"{amount.quantize(Decimal('0.01'), ROUND_HALF_UP):,}"
