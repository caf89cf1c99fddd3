"""The head of the first page: who writes, what and when, and to whom.

Imports the libraries that draw, as `labels.job` does.
"""

from collections.abc import Sequence

from glassflow.documents import dates
from glassflow.documents.document import Party
from glassflow.documents.document_paper import (
    INK,
    RIGHT,
    RULE,
    SIZE,
    SMALL,
    DocumentPaper,
    Text,
)
from glassflow.documents.picture import read_picture
from glassflow.domain import texts
from glassflow.domain.bilingual import ENGLISH, THAI, Bilingual
from glassflow.domain.tax_ids import HEAD_OFFICE
from glassflow.drawing import typesetting
from glassflow.drawing.items import Box, Line, Run
from glassflow.drawing.paper import GREY, MARGIN, WIDTH, line_height
from glassflow.drawing.typesetting import ASCENT, MM_PER_PT

LOGO_ROOM = (76.0, 20.0)  # mm, as everything below
FACTS_WIDTH = 66.0
FACT_NAME = 23.0
TEXT_HEIGHT = 28.0  # of one text of the head; a longer one is smaller, then cut


def write_head(paper: DocumentPaper, facts: Sequence[tuple[Bilingual, str]]) -> None:
    """Write the workshop at the left, and at the right what the paper is.

    `facts` are names and values that stand below the number and the date; those without
    a value are left out.
    """
    document, y = paper.document, MARGIN
    logo = read_picture(document.logo, at=(MARGIN, MARGIN), room=LOGO_ROOM)
    if logo:
        paper.items.append(logo)
        y += logo.height + 2.5
    seller = party_texts(paper, document.seller, 12)
    left_end = _block(paper, seller, MARGIN, y, WIDTH - FACTS_WIDTH - 8)
    x, other = RIGHT - FACTS_WIDTH, ENGLISH if paper.language == THAI else THAI
    title, beside = (paper.title.in_language(one) for one in (paper.language, other))
    paper.y = MARGIN - 2
    paper.place(title, x, FACTS_WIDTH, 24, align=1, bold=True, color=INK)
    paper.y += line_height(24) - 1.5
    paper.place(beside, x, FACTS_WIDTH, 11, align=1, color=GREY)
    paper.y += line_height(11) + 2
    day = dates.written(document.date, paper.language)
    for name, value in (
        (texts.PAPER_NUMBER, document.number),
        (texts.PAPER_DATE, day),
        *facts,
    ):
        if value.strip():
            _fact(paper, paper.word(name), value, x)
    paper.y = max(paper.y, left_end) + 3


def write_parties(paper: DocumentPaper, beside: Sequence[Text]) -> None:
    """Write the customer into a box, and other texts beside it, if there are any."""
    top, room = paper.y, WIDTH - 6
    left = room * 0.58 if beside else room
    buyer = [
        Text(paper.word(texts.PAPER_CUSTOMER), SMALL, color=GREY),
        *party_texts(paper, paper.document.buyer, 10.5),
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


def _fact(paper: DocumentPaper, name: str, value: str, x: float) -> None:
    room = FACTS_WIDTH - FACT_NAME
    paper.place(name, x, FACT_NAME - 1, SIZE, color=GREY)
    fitted = typesetting.fit_line(value, width=room, size=SIZE, bold=True)
    paper.place(fitted.lines[0], x + FACT_NAME, room, fitted.size, align=1, bold=True)
    paper.y += line_height(SIZE) + 0.8


def _block(
    paper: DocumentPaper, block: Sequence[Text], x: float, y: float, width: float
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


def party_texts(paper: DocumentPaper, party: Party, size: float) -> list[Text]:
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
        Text(party.name, size, bold=True),
        Text(party.address),
        Text(" · ".join(numbers)),
        Text(contact),
        Text(" · ".join(contacts)),
    ]
