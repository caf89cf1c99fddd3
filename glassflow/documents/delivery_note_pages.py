"""Delivery notes laid out on A4 and drawn as a PDF.

Imports the libraries that draw, as `labels.job` does.
"""

from glassflow.documents import dates
from glassflow.documents.delivery_note import DeliveryNote
from glassflow.documents.delivery_note_table import (
    SECTION_HEIGHT,
    SUM_HEIGHT,
    NotePaper,
    write_sums,
    write_table,
)
from glassflow.documents.document import Party
from glassflow.documents.document_paper import HEADING_HEIGHT, SIZE, SMALL, Text
from glassflow.documents.letterhead import party_texts, write_head, write_parties
from glassflow.documents.signatures import (
    SIGNATURES_HEIGHT,
    Signer,
    write_signatures,
)
from glassflow.domain import texts
from glassflow.drawing import paper as a4
from glassflow.drawing.paper import GREY


def delivery_note_pdf(note: DeliveryNote) -> bytes:
    """Return a delivery note as a PDF in its language.

    It is called as `quote_pages.quote_pdf` is: on a native thread, one at a time.
    """
    paper = NotePaper(note)
    write_head(
        paper, [(texts.PAPER_VEHICLE, note.vehicle), (texts.PAPER_DRIVER, note.driver)]
    )
    write_parties(paper, _place(paper))
    write_table(paper, note.lines)
    page_of_sums = len(paper.pages)
    if note.missing:
        write_table(paper, note.missing, section=texts.PAPER_NOT_HANDED_OVER)
    paper.named(texts.PAPER_REMARKS, note.remarks)
    _signatures(paper, page_of_sums)
    paper.number_pages()
    return a4.draw([paper], title=note.number)


def _place(paper: NotePaper) -> list[Text]:
    """Return what is written about the place where the panes go; nothing for none."""
    note = paper.note
    recipient = Party(
        note.recipient, note.address, phone=note.phone, contact=note.contact
    )
    written = party_texts(paper, recipient, SIZE)
    if not any(one.text.strip() for one in written):
        return []
    name = paper.word(texts.PAPER_DELIVER_TO)
    return [Text(name, SMALL, color=GREY), *written]


def _signatures(paper: NotePaper, page_of_sums: int) -> None:
    """Draw the places for both signatures, with what is known after the delivery.

    They are on a page that says how many panes are signed for.
    """
    note, day = paper.note, ""
    paper.need(SIGNATURES_HEIGHT)
    if len(paper.pages) > page_of_sums:
        table = SECTION_HEIGHT + HEADING_HEIGHT + SUM_HEIGHT + 4
        paper.need(table + SIGNATURES_HEIGHT)
        paper.section = texts.PAPER_HANDED_OVER if note.missing else None
        paper.heading()
        write_sums(paper, note.lines)
    if note.delivered_at:
        day = dates.moment_written(note.delivered_at, paper.language)
    received = Signer(
        texts.PAPER_RECEIVED_BY, note.received_by, day, picture=note.signature
    )
    delivered = Signer(texts.PAPER_DELIVERED_BY, note.handed_over_by, day)
    write_signatures(paper, [received, delivered])
