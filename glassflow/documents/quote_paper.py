"""The pages of a quote, and the columns of its table.

Imports the libraries that draw, as `labels.job` does.
"""

from glassflow.documents.document_paper import Column, DocumentPaper
from glassflow.documents.quote import QuoteOnPaper
from glassflow.domain import texts
from glassflow.domain.bilingual import ENGLISH, THAI
from glassflow.drawing import typesetting
from glassflow.drawing.items import A4, Item, Run, Turned
from glassflow.drawing.paper import MARGIN

WATERMARK = (0.93, 0.93, 0.93)

# Widths are in mm.
NUMBER = Column(texts.PAPER_LINE, MARGIN, 9, 0.5)
DESCRIPTION = Column(texts.PAPER_DESCRIPTION, 22, 70, 0)
DIMENSIONS = Column(texts.PAPER_SIZE, 94, 25, 0.5)
QUANTITY = Column(texts.PAPER_QUANTITY, 120, 13, 1)
AREA = Column(texts.PAPER_AREA, 134, 16, 1)
UNIT_PRICE = Column(texts.PAPER_UNIT_PRICE, 151, 20, 1)
AMOUNT = Column(texts.PAPER_AMOUNT, 172, 25, 1)
COLUMNS = (NUMBER, DESCRIPTION, DIMENSIONS, QUANTITY, AREA, UNIT_PRICE, AMOUNT)


class QuotePaper(DocumentPaper):
    """The pages of one quote; those of a draft are marked."""

    def __init__(self, quote: QuoteOnPaper) -> None:
        self.quote = quote
        title = (
            texts.PAPER_CONFIRMATION if quote.is_confirmation else texts.PAPER_QUOTATION
        )
        super().__init__(quote, title=title, columns=COLUMNS)

    def begin_page(self) -> None:
        """Begin a page as other documents do, with the mark of a draft below its texts."""
        super().begin_page()
        if self.quote.is_draft:
            self.items.insert(0, _watermark())


def _watermark() -> Item:
    """Return the words that mark a draft, across the page."""
    draft = texts.PAPER_DRAFT
    text = f"{draft.in_language(THAI)} / {draft.in_language(ENGLISH)}"
    wide = typesetting.width_mm(text, size=76, bold=True)
    x, y = A4[0] / 2, A4[1] / 2
    return Turned(x, y, -50, (Run(x - wide / 2, y + 10, text, 76, True, WATERMARK),))
