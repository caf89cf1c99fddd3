"""What has changed since a quote, on the confirmation of a request.

Imports the libraries that draw, as `labels.job` does.
"""

from decimal import Decimal

from glassflow.documents import dates
from glassflow.documents.document_paper import (
    INK,
    RIGHT,
    SIZE,
    SMALL,
    TINT,
    decimals,
)
from glassflow.documents.quote import PaperChange
from glassflow.documents.quote_paper import QuotePaper
from glassflow.domain import texts
from glassflow.drawing import typesetting
from glassflow.drawing.items import Box
from glassflow.drawing.paper import GREY, MARGIN, WIDTH, line_height

AMOUNT_WIDTH = 28.0  # mm
WORDS_WIDTH = WIDTH - AMOUNT_WIDTH - 4
HEAD_HEIGHT = 6.0


def write_changes(paper: QuotePaper) -> None:
    """Write the changes with their differences in baht; nothing where there are none."""
    if not paper.quote.changes:
        return
    paper.need(HEAD_HEIGHT + 3 * line_height(SIZE))
    paper.items.append(Box(MARGIN, paper.y, WIDTH, HEAD_HEIGHT, fill=TINT))
    paper.y += 1
    title = paper.word(texts.PAPER_CHANGES)
    paper.place(title, MARGIN + 2, WIDTH - 4, SIZE, bold=True, color=INK)
    paper.y += HEAD_HEIGHT
    for change in paper.quote.changes:
        _change(paper, change)
    paper.y += 2


def _change(paper: QuotePaper, change: PaperChange) -> None:
    """Write the day and the reason of a change, and its lines below them."""
    head = [dates.written(change.day, paper.language), change.reason]
    if change.waits:
        head.append(paper.word(texts.PAPER_CHANGE_WAITS))
    _row(paper, " · ".join(filter(None, head)), change.difference, bold=True)
    for words, difference in change.lines:
        _row(paper, words, difference)
    paper.rule()
    paper.y += 1


def _row(
    paper: QuotePaper, words: str, difference: Decimal, *, bold: bool = False
) -> None:
    size = SIZE if bold else SMALL
    lines = typesetting.break_lines(words, width=WORDS_WIDTH, size=size, bold=bold)
    for index, line in enumerate(lines):
        paper.need(line_height(size))
        paper.place(
            line,
            MARGIN + 2,
            WORDS_WIDTH,
            size,
            bold=bold,
            color=INK if bold else GREY,
        )
        if index == 0 and difference:
            sign = "+" if difference > 0 else "\u2212"
            amount = f"{sign}{decimals(abs(difference))}"
            x = RIGHT - AMOUNT_WIDTH
            paper.place(amount, x, AMOUNT_WIDTH - 1, size, align=1, bold=bold)
        paper.y += line_height(size)
