"""Quotes laid out on A4 and drawn as a PDF.

Imports the libraries that draw, as `labels.job` does.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from glassflow.documents import amount_in_words, dates
from glassflow.documents.logo import read_logo
from glassflow.documents.quote import Party, QuoteOnPaper
from glassflow.documents.quote_paper import (
    INK,
    RIGHT,
    RULE,
    SIZE,
    SMALL,
    WHITE,
    QuotePaper,
    money,
    shortened,
)
from glassflow.documents.quote_table import write_table
from glassflow.domain import texts
from glassflow.domain.bilingual import ENGLISH, THAI
from glassflow.domain.tax_ids import HEAD_OFFICE
from glassflow.labels import paper as a4
from glassflow.labels import typesetting
from glassflow.labels.items import BLACK, Box, Color, Line, Run
from glassflow.labels.paper import GREY, MARGIN, WIDTH, line_height
from glassflow.labels.typesetting import ASCENT, MM_PER_PT

LOGO_ROOM = (76.0, 20.0)  # mm, as everything below
FACTS_WIDTH = 66.0
TEXT_HEIGHT = 28.0  # of one text of the head; a longer one is smaller, then cut
TOTALS_WIDTH = 88.0
TOTAL_HEIGHT = 5.6
NOTE_NAME = 34.0
SIGNATURE_HEIGHT = 36.0
TINT = (0.91, 0.945, 0.955)


def quote_pdf(quote: QuoteOnPaper) -> bytes:
    """Return a quote as a PDF in its language; raises `ValueError` for a sum that has no words.

    It takes a tenth of a second, and the libraries are not safe for two threads at once: a
    service calls it on a native thread, in the turn of the labels, as
    `services.labels.making` makes job cards.
    """
    paper = QuotePaper(quote)
    _head(paper)
    _parties(paper)
    write_table(paper, after=_totals_height(paper))
    _totals(paper)
    _notes(paper)
    _signatures(paper)
    paper.number_pages()
    return a4.draw([paper], title=quote.number)


class _Text(NamedTuple):
    """A text of the head of the quote."""

    text: str
    size: float = SIZE
    bold: bool = False
    color: Color = BLACK


def _block(
    paper: QuotePaper, block: Sequence[_Text], x: float, y: float, width: float
) -> float:
    """Write texts below each other; return where they end."""
    for text, size, bold, color in block:
        if not text.strip():
            continue
        fitted = typesetting.fit_lines(
            text, width=width, height=TEXT_HEIGHT, size=size, bold=bold
        )
        for line in fitted.lines:
            baseline = y + fitted.size * ASCENT * MM_PER_PT
            paper.items.append(Run(x, baseline, line, fitted.size, bold, color))
            y += line_height(fitted.size)
        y += 0.4
    return y


def _party(paper: QuotePaper, party: Party, size: float) -> list[_Text]:
    """Return what is written about a party; `size` is that of its name."""
    numbers, contacts, contact = [], [], ""
    if party.contact:
        contact = paper.word(texts.PAPER_CONTACT, name=party.contact)
    if party.tax_id:
        numbers.append(paper.word(texts.PAPER_TAX_ID, number=party.tax_id))
    if party.branch == HEAD_OFFICE:
        numbers.append(paper.word(texts.PAPER_HEAD_OFFICE))
    elif party.branch:
        numbers.append(paper.word(texts.PAPER_BRANCH, branch=party.branch))
    if party.phone:
        contacts.append(paper.word(texts.PAPER_PHONE, phone=party.phone))
    if party.email:
        contacts.append(paper.word(texts.PAPER_EMAIL, email=party.email))
    return [
        _Text(party.name, size, bold=True),
        _Text(party.address),
        _Text(" · ".join(numbers)),
        _Text(contact),
        _Text(" · ".join(contacts)),
    ]


def _head(paper: QuotePaper) -> None:
    """Write the workshop at the left, and what the paper is at the right."""
    quote, y = paper.quote, MARGIN
    logo = read_logo(quote.logo, at=(MARGIN, MARGIN), room=LOGO_ROOM)
    if logo:
        paper.items.append(logo)
        y += logo.height + 2.5
    seller = _party(paper, quote.seller, 12)
    left_end = _block(paper, seller, MARGIN, y, WIDTH - FACTS_WIDTH - 8)
    x, other = RIGHT - FACTS_WIDTH, ENGLISH if paper.language == THAI else THAI
    title, beside = (
        texts.PAPER_QUOTATION.in_language(one) for one in (paper.language, other)
    )
    paper.y = MARGIN - 2
    paper.place(title, x, FACTS_WIDTH, 24, align=1, bold=True, color=INK)
    paper.y += line_height(24) - 1.5
    paper.place(beside, x, FACTS_WIDTH, 11, align=1, color=GREY)
    paper.y += line_height(11) + 2
    facts = [
        (texts.PAPER_NUMBER, quote.number),
        (texts.PAPER_DATE, dates.written(quote.date, paper.language)),
    ]
    if quote.valid_until:
        day = dates.written(quote.valid_until, paper.language)
        facts.append((texts.PAPER_VALID_UNTIL, day))
    for name, value in facts:
        paper.place(paper.word(name), x, 22, SIZE, color=GREY)
        paper.place(value, x + 23, FACTS_WIDTH - 23, SIZE, align=1, bold=True)
        paper.y += line_height(SIZE) + 0.8
    paper.y = max(paper.y, left_end) + 3


def _parties(paper: QuotePaper) -> None:
    """Write the customer into a box, and beside it where the panes are needed."""
    quote, top = paper.quote, paper.y
    beside = [
        part
        for name, text in (
            (texts.PAPER_DELIVER_TO, quote.delivery_address),
            (texts.PAPER_PROJECT, quote.project),
        )
        if text
        for part in (_Text(paper.word(name), SMALL, color=GREY), _Text(text))
    ]
    room = WIDTH - 6
    left = room * 0.58 if beside else room
    buyer = [
        _Text(paper.word(texts.PAPER_CUSTOMER), SMALL, color=GREY),
        *_party(paper, quote.buyer, 10.5),
    ]
    ends = [_block(paper, buyer, MARGIN + 3, top + 2, left)]
    if beside:
        x = MARGIN + 3 + left + 6
        ends.append(_block(paper, beside, x, top + 2, RIGHT - 3 - x))
    bottom = max(ends) + 2
    paper.items.append(Box(MARGIN, top, WIDTH, bottom - top, stroke=0.25, color=RULE))
    if beside:
        x = MARGIN + 3 + left + 3
        paper.items.append(Line(((x, top), (x, bottom)), 0.25, RULE))
    paper.y = bottom + 4


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
    rows = len(_sums(paper)) * TOTAL_HEIGHT + 8
    return 2 + rows + 2 + len(_gross_in_words(paper)) * line_height(10) + 2 + 3


def _totals(paper: QuotePaper) -> None:
    """Write the totals and the last one in words, all on one page."""
    paper.need(_totals_height(paper))
    paper.y += 2
    x, room = RIGHT - TOTALS_WIDTH, TOTALS_WIDTH - 1
    for name, amount in _sums(paper):
        paper.place(name, x + 2, 50, SIZE, color=GREY)
        paper.place(money(amount), x + 53, room - 53, SIZE, align=1)
        paper.y += TOTAL_HEIGHT
    paper.items.append(Box(x, paper.y, TOTALS_WIDTH, 8, fill=INK))
    paper.y += 1.3
    title, gross = paper.word(texts.PAPER_GROSS), money(paper.quote.gross)
    paper.place(title, x + 2, 40, 11, bold=True, color=WHITE)
    paper.place(gross, x + 43, room - 43, 11, align=1, bold=True, color=WHITE)
    paper.y += 6.7 + 2
    lines = _gross_in_words(paper)
    height = len(lines) * line_height(10) + 2
    paper.items.append(Box(MARGIN, paper.y, WIDTH, height, fill=TINT))
    paper.y += 1
    for line in lines:
        paper.place(line, MARGIN + 3, WIDTH - 6, 10, align=0.5, bold=True, color=INK)
        paper.y += line_height(10)
    paper.y += 4


def _notes(paper: QuotePaper) -> None:
    quote = paper.quote
    for name, text in (
        (texts.PAPER_LEAD_TIME, quote.lead_time),
        (texts.PAPER_REMARKS, quote.remarks),
        (texts.PAPER_CONDITIONS, quote.conditions),
        (texts.PAPER_PAYMENT, quote.bank_line),
    ):
        if text.strip():
            paper.need(line_height(SIZE))
            paper.place(paper.word(name), MARGIN, NOTE_NAME - 2, SIZE, color=GREY)
            paper.write(text, MARGIN + NOTE_NAME, WIDTH - NOTE_NAME, SIZE)
            paper.y += 1.2


def _signatures(paper: QuotePaper) -> None:
    """Draw a place for the customer's signature, and one for the workshop's."""
    paper.need(SIGNATURE_HEIGHT)
    top, width = paper.y + 5, (WIDTH - 10) / 2
    for column, (name, signer) in enumerate(
        ((texts.PAPER_ACCEPTED, ""), (texts.PAPER_OFFERED, paper.quote.prepared_by))
    ):
        x = MARGIN + column * (width + 10)
        paper.y = top
        paper.place(paper.word(name), x, width, SIZE, align=0.5, bold=True)
        paper.y = top + 17
        line = ((x + 12, paper.y), (x + width - 12, paper.y))
        paper.items.append(Line(line, 0.25, GREY))
        paper.y += 0.8
        signer = shortened(signer, width - 30) or 50 * " "
        paper.place(f"( {signer} )", x, width, SIZE, align=0.5)
        paper.y += line_height(SIZE) + 1
        day = f"{paper.word(texts.PAPER_DATE)} ........ / ........ / ............"
        paper.place(day, x, width, SIZE, align=0.5, color=GREY)
    paper.y += line_height(SIZE)
    paper.need(0)
