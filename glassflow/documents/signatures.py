"""The places for signatures at the end of a document.

Imports the libraries that draw, as `labels.job` does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from glassflow.documents.document_paper import SIZE, DocumentPaper, shortened
from glassflow.documents.picture import read_picture
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.drawing.items import Line, Picture
from glassflow.drawing.paper import GREY, MARGIN, WIDTH, line_height

SIGNATURES_HEIGHT = 36.0  # mm, as everything below
GAP = 10.0
INDENT = 12.0  # of the line on both sides
PICTURE_HEIGHT = 12.5


class Signer(NamedTuple):
    """Who signs, as what; where `name` or `day` is empty, it is written by hand.

    `picture` is a picture file of the signature, left out if it cannot be read.
    """

    role: Bilingual
    name: str
    day: str = ""
    picture: bytes | None = None


def write_signatures(paper: DocumentPaper, signers: Sequence[Signer]) -> None:
    """Draw a place for the signature of each signer, beside each other."""
    paper.need(SIGNATURES_HEIGHT)
    top, count = paper.y + 5, len(signers)
    width = (WIDTH - (count - 1) * GAP) / count
    for column, signer in enumerate(signers):
        x = MARGIN + column * (width + GAP)
        paper.y = top
        paper.place(paper.word(signer.role), x, width, SIZE, align=0.5, bold=True)
        paper.y = top + 17
        left, room = x + INDENT, width - 2 * INDENT
        paper.items.extend(_picture(signer.picture, left, paper.y, room))
        line = ((left, paper.y), (left + room, paper.y))
        paper.items.append(Line(line, 0.25, GREY))
        paper.y += 0.8
        name = shortened(signer.name, width - 30) or 50 * " "
        paper.place(f"( {name} )", x, width, SIZE, align=0.5)
        paper.y += line_height(SIZE) + 1
        by_hand = f"{paper.word(texts.PAPER_DATE)} ........ / ........ / ............"
        paper.place(signer.day or by_hand, x, width, SIZE, align=0.5, color=GREY)
    paper.y += line_height(SIZE)


def _picture(
    content: bytes | None, x: float, bottom: float, width: float
) -> Iterator[Picture]:
    """Yield a signature that stands on its line, in the middle."""
    room = (width, PICTURE_HEIGHT)
    if found := read_picture(content, at=(0, 0), room=room):
        left, top = x + (width - found.width) / 2, bottom - found.height
        yield replace(found, x=left, y=top)
