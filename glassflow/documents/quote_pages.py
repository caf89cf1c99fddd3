"""Quotes laid out on A4 and drawn as a PDF.

Imports the libraries that draw, as `labels.job` does.
"""

from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal, NamedTuple

from glassflow.documents import amount_in_words, dates
from glassflow.documents.logo import read_logo
from glassflow.documents.quote import PaperLine, Party, QuoteOnPaper
from glassflow.domain import texts
from glassflow.domain.bilingual import ENGLISH, THAI, Bilingual
from glassflow.domain.panes.cut_outs import CutOut
from glassflow.domain.tax_ids import HEAD_OFFICE
from glassflow.labels import paper as a4
from glassflow.labels import typesetting
from glassflow.labels.items import BLACK, Box, Color, Item, Line, Run, Turned
from glassflow.labels.pane_drawing import draw, read_cut
from glassflow.labels.paper import GREY, MARGIN, WIDTH, Paper, line_height
from glassflow.labels.sheets import A4
from glassflow.labels.typesetting import ASCENT, MM_PER_PT

Language = Literal["th", "en"]

RIGHT = MARGIN + WIDTH  # mm, as everything below
LOGO_ROOM = (76.0, 20.0)
FACTS_WIDTH = 66.0
TEXT_HEIGHT = 28.0  # of one text of the head; a longer one is smaller, then cut
PADDING = 1.6
DRAWING_ROOM = (22.0, 16.0)
HEADING_HEIGHT = 7.0
LONGEST_ROW = 120.0  # a higher row goes on on the next page
TOTALS_WIDTH = 88.0
TOTAL_HEIGHT = 5.6
NOTE_NAME = 34.0
SIGNATURE_HEIGHT = 36.0

SIZE, SMALL = 9.0, 8.0  # points
INK = (0.12, 0.27, 0.33)
TINT = (0.91, 0.945, 0.955)
RULE = (0.78, 0.83, 0.85)
WATERMARK = (0.93, 0.93, 0.93)


class _Column(NamedTuple):
    """A column of the table; `align` is the part of the free width that is left of a text."""

    title: Bilingual
    x: float
    width: float
    align: float


NUMBER = _Column(texts.PAPER_LINE, MARGIN, 9, 0.5)
DESCRIPTION = _Column(texts.PAPER_DESCRIPTION, 22, 70, 0)
DIMENSIONS = _Column(texts.PAPER_SIZE, 94, 25, 0.5)
QUANTITY = _Column(texts.PAPER_QUANTITY, 120, 13, 1)
AREA = _Column(texts.PAPER_AREA, 134, 16, 1)
UNIT_PRICE = _Column(texts.PAPER_UNIT_PRICE, 151, 20, 1)
AMOUNT = _Column(texts.PAPER_AMOUNT, 172, 25, 1)
COLUMNS = (NUMBER, DESCRIPTION, DIMENSIONS, QUANTITY, AREA, UNIT_PRICE, AMOUNT)


def quote_pdf(quote: QuoteOnPaper, *, language: Language) -> bytes:
    """Return a quote as a PDF; raises `ValueError` for a sum that has no words.

    It takes a tenth of a second, and the libraries are not safe for two threads at once: a
    service calls it on a native thread, in the turn of the labels, as
    `services.labels.making` makes job cards.
    """
    paper = _QuotePaper(quote, language)
    _head(paper)
    _parties(paper)
    _table(paper)
    _totals(paper)
    _notes(paper)
    _signatures(paper)
    paper.number_pages()
    return a4.draw([paper], title=quote.full_number)


class _QuotePaper(Paper):
    """The pages of one quote, each with its number, and with the heading of the table."""

    def __init__(self, quote: QuoteOnPaper, language: Language) -> None:
        self.quote, self.language = quote, language
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
        title = f"{self.word(texts.PAPER_QUOTATION)} {self.quote.full_number}"
        self.place(title, MARGIN, 90, SIZE, bold=True, color=INK)
        buyer = _shortened(self.quote.buyer.name, 90)
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
                column, self.word(column.title), size=SMALL, bold=True, color=(1, 1, 1)
            )
        self.y += HEADING_HEIGHT

    def cell(
        self,
        column: _Column,
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
            name = _shortened(self.quote.seller.name, 120)
            text = self.word(texts.PAPER_PAGE, page=number, pages=count)
            wide = typesetting.width_mm(text, size=SMALL, bold=False)
            page.items += [
                Run(MARGIN, A4[1] - MARGIN, name, SMALL, color=GREY),
                Run(RIGHT - wide, A4[1] - MARGIN, text, SMALL, color=GREY),
            ]


def _shortened(name: str, width: float) -> str:
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


class _Text(NamedTuple):
    """A text of the head of the quote."""

    text: str
    size: float = SIZE
    bold: bool = False
    color: Color = BLACK


def _block(
    paper: _QuotePaper, block: Sequence[_Text], x: float, y: float, width: float
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


def _party(paper: _QuotePaper, party: Party, size: float) -> list[_Text]:
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


def _head(paper: _QuotePaper) -> None:
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
        (texts.PAPER_NUMBER, quote.full_number),
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


def _parties(paper: _QuotePaper) -> None:
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


def _table(paper: _QuotePaper) -> None:
    """Write the lines; the last one stands on the page of the totals, if it can."""
    paper.need(HEADING_HEIGHT + 30)
    paper.heading()
    for number, line in enumerate(paper.quote.lines, 1):
        is_last = number == len(paper.quote.lines)
        _row(paper, number, line, _totals_height(paper) if is_last else 0.0)
    paper.has_heading = False


def _row(paper: _QuotePaper, number: int, line: PaperLine, after: float) -> None:
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


def _cells(paper: _QuotePaper, number: int, line: PaperLine) -> None:
    sides = (line.width, line.height)
    paper.cell(NUMBER, str(number), color=GREY)
    paper.cell(DIMENSIONS, " × ".join(f"{side:.10g}" for side in sides if side))
    paper.cell(QUANTITY, f"{line.quantity:,}")
    paper.cell(AREA, "" if line.area is None else _money(line.area))
    paper.cell(UNIT_PRICE, _money(line.unit_price))
    paper.cell(AMOUNT, _money(line.amount))


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


def _money(amount: Decimal) -> str:
    """Return an amount, or an area, with two decimals."""
    return f"{amount.quantize(Decimal('0.01'), ROUND_HALF_UP):,}"


def _percent(percent: Decimal) -> str:
    return f"{percent.normalize():f}"


def _sums(paper: _QuotePaper) -> list[tuple[str, Decimal]]:
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


def _gross_in_words(paper: _QuotePaper) -> list[str]:
    in_words = (
        amount_in_words.thai if paper.language == THAI else amount_in_words.english
    )
    text = f"({in_words(paper.quote.gross)})"
    return typesetting.break_lines(text, width=WIDTH - 6, size=10, bold=True)


def _totals_height(paper: _QuotePaper) -> float:
    """Return the height of what `_totals` draws, with its gaps."""
    rows = len(_sums(paper)) * TOTAL_HEIGHT + 8
    return 2 + rows + 2 + len(_gross_in_words(paper)) * line_height(10) + 2 + 3


def _totals(paper: _QuotePaper) -> None:
    """Write the totals and the last one in words, all on one page."""
    paper.need(_totals_height(paper))
    paper.y += 2
    x, room = RIGHT - TOTALS_WIDTH, TOTALS_WIDTH - 1
    for name, amount in _sums(paper):
        paper.place(name, x + 2, 50, SIZE, color=GREY)
        paper.place(_money(amount), x + 53, room - 53, SIZE, align=1)
        paper.y += TOTAL_HEIGHT
    paper.items.append(Box(x, paper.y, TOTALS_WIDTH, 8, fill=INK))
    paper.y += 1.3
    white = (1.0, 1.0, 1.0)
    title, gross = paper.word(texts.PAPER_GROSS), _money(paper.quote.gross)
    paper.place(title, x + 2, 40, 11, bold=True, color=white)
    paper.place(gross, x + 43, room - 43, 11, align=1, bold=True, color=white)
    paper.y += 6.7 + 2
    lines = _gross_in_words(paper)
    height = len(lines) * line_height(10) + 2
    paper.items.append(Box(MARGIN, paper.y, WIDTH, height, fill=TINT))
    paper.y += 1
    for line in lines:
        paper.place(line, MARGIN + 3, WIDTH - 6, 10, align=0.5, bold=True, color=INK)
        paper.y += line_height(10)
    paper.y += 4


def _notes(paper: _QuotePaper) -> None:
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


def _signatures(paper: _QuotePaper) -> None:
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
        signer = _shortened(signer, width - 30) or 50 * " "
        paper.place(f"( {signer} )", x, width, SIZE, align=0.5)
        paper.y += line_height(SIZE) + 1
        day = f"{paper.word(texts.PAPER_DATE)} ........ / ........ / ............"
        paper.place(day, x, width, SIZE, align=0.5, color=GREY)
    paper.y += line_height(SIZE)
    paper.need(0)
