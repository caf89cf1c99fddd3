"""Quotes laid out on A4 and drawn as a PDF.

Imports the libraries that draw, as `labels.job` does.
"""

from decimal import Decimal

from glassflow.documents import amount_in_words, dates
from glassflow.documents.changes_table import write_changes
from glassflow.documents.document_paper import (
    INK,
    RIGHT,
    SIZE,
    SMALL,
    TINT,
    WHITE,
    Text,
    decimals,
)
from glassflow.documents.drawing_pages import write_drawing
from glassflow.documents.letterhead import write_head, write_parties
from glassflow.documents.quote import QuoteOnPaper
from glassflow.documents.quote_paper import QuotePaper
from glassflow.documents.quote_table import write_table
from glassflow.documents.signatures import (
    SIGNATURES_HEIGHT,
    Signer,
    write_signatures,
)
from glassflow.domain import texts
from glassflow.domain.bilingual import THAI
from glassflow.drawing import paper as a4
from glassflow.drawing import typesetting
from glassflow.drawing.items import Box
from glassflow.drawing.paper import GREY, MARGIN, WIDTH, line_height

TOTALS_WIDTH = 88.0  # mm, as below
TOTAL_HEIGHT = 5.6
GROSS_HEIGHT = 8.0


def quote_pdf(quote: QuoteOnPaper) -> bytes:
    """Return a quote as a PDF in its language; raises `ValueError` for a sum that has no words.

    It takes a tenth of a second, and the libraries are not safe for two threads at once: a
    service calls it on a native thread, in its turn (`services.printing`).
    """
    paper = QuotePaper(quote)
    _head(paper)
    _parties(paper)
    write_table(paper, after=_totals_height(paper))
    _totals(paper)
    page_of_totals = len(paper.pages)
    write_changes(paper)
    _notes(paper)
    _signatures(paper, page_of_totals)
    for number, line in enumerate(quote.lines, 1):
        if line.drawing:
            write_drawing(paper, number, line, drawn_by=quote.prepared_by)
    paper.number_pages()
    return a4.draw([paper], title=quote.number)


def _head(paper: QuotePaper) -> None:
    day = None if paper.quote.is_confirmation else paper.quote.valid_until
    last = dates.written(day, paper.language) if day else ""
    write_head(paper, [(texts.PAPER_VALID_UNTIL, last)])


def _parties(paper: QuotePaper) -> None:
    """Write the customer, and beside it where the panes are needed."""
    beside = [
        part
        for name, text in (
            (texts.PAPER_DELIVER_TO, paper.quote.delivery_address),
            (texts.PAPER_PROJECT, paper.quote.project),
        )
        if text
        for part in (Text(paper.word(name), SMALL, color=GREY), Text(text))
    ]
    write_parties(paper, beside)


def _percent(percent: Decimal) -> str:
    return f"{percent.normalize():f}"


def _sums(paper: QuotePaper) -> list[tuple[str, Decimal]]:
    """Return the names and amounts of the totals above the last one."""
    quote, word = paper.quote, paper.word
    rush, discount, vat = (
        _percent(one)
        for one in (quote.rush_percent, quote.discount_percent, quote.vat_percent)
    )
    parts = [
        (word(texts.PAPER_RUSH, percent=rush), quote.rush),
        (word(texts.PAPER_DISCOUNT, percent=discount), -quote.discount),
        (word(texts.PAPER_MINIMUM), quote.minimum),
    ]
    sums = [(word(texts.PAPER_SUBTOTAL), quote.subtotal)]
    sums += [one for one in parts if one[1]]
    if quote.vat:
        if len(sums) > 1:
            sums.append((word(texts.PAPER_NET), quote.net))
        sums.append((word(texts.PAPER_VAT, percent=vat), quote.vat))
    return sums


def _gross_in_words(paper: QuotePaper) -> list[str]:
    in_words = (
        amount_in_words.thai if paper.language == THAI else amount_in_words.english
    )
    text = f"({in_words(paper.quote.gross)})"
    return typesetting.break_lines(text, width=WIDTH - 6, size=10, bold=True)


def _totals_height(paper: QuotePaper) -> float:
    """Return the height of what `_totals` draws, with its gaps."""
    rows = len(_sums(paper)) * TOTAL_HEIGHT + GROSS_HEIGHT
    return 2 + rows + 2 + len(_gross_in_words(paper)) * line_height(10) + 2 + 3


def _totals(paper: QuotePaper) -> None:
    """Write the totals and the last one in words, all on one page."""
    paper.need(_totals_height(paper))
    paper.y += 2
    x, room = RIGHT - TOTALS_WIDTH, TOTALS_WIDTH - 1
    for name, amount in _sums(paper):
        paper.place(name, x + 2, 50, SIZE, color=GREY)
        paper.place(decimals(amount), x + 53, room - 53, SIZE, align=1)
        paper.y += TOTAL_HEIGHT
    _gross(paper)
    paper.y += 2
    lines = _gross_in_words(paper)
    height = len(lines) * line_height(10) + 2
    paper.items.append(Box(MARGIN, paper.y, WIDTH, height, fill=TINT))
    paper.y += 1
    for line in lines:
        paper.place(line, MARGIN + 3, WIDTH - 6, 10, align=0.5, bold=True, color=INK)
        paper.y += line_height(10)
    paper.y += 4


def _gross(paper: QuotePaper) -> None:
    """Write the last one of the totals."""
    x, room = RIGHT - TOTALS_WIDTH, TOTALS_WIDTH - 1
    paper.items.append(Box(x, paper.y, TOTALS_WIDTH, GROSS_HEIGHT, fill=INK))
    paper.y += 1.3
    title, gross = paper.word(texts.PAPER_GROSS), decimals(paper.quote.gross)
    paper.place(title, x + 2, 40, 11, bold=True, color=WHITE)
    paper.place(gross, x + 43, room - 43, 11, align=1, bold=True, color=WHITE)
    paper.y += GROSS_HEIGHT - 1.3


def _notes(paper: QuotePaper) -> None:
    quote = paper.quote
    paper.named(texts.PAPER_LEAD_TIME, quote.lead_time)
    if quote.expected_delivery:
        day = dates.written(quote.expected_delivery, paper.language)
        paper.named(texts.PAPER_EXPECTED_DELIVERY, day)
    paper.named(texts.PAPER_REMARKS, quote.remarks)
    if quote.deposit:
        deposit = paper.word(
            texts.PAPER_DEPOSIT_OF,
            percent=_percent(quote.deposit_percent),
            amount=decimals(quote.deposit),
        )
        paper.named(texts.PAPER_DEPOSIT, deposit)
    paper.named(texts.PAPER_CONDITIONS, quote.conditions)
    paper.named(texts.PAPER_PAYMENT, quote.bank_line)


def _signatures(paper: QuotePaper, page_of_totals: int) -> None:
    """Draw the places for signatures, on a page that has the sum that is signed."""
    paper.need(SIGNATURES_HEIGHT)
    if len(paper.pages) > page_of_totals:
        paper.need(GROSS_HEIGHT + SIGNATURES_HEIGHT)
        _gross(paper)
    write_signatures(
        paper,
        [
            Signer(
                texts.PAPER_CONFIRMED
                if paper.quote.is_confirmation
                else texts.PAPER_ACCEPTED,
                "",
            ),
            Signer(texts.PAPER_OFFERED, paper.quote.prepared_by),
        ],
    )
