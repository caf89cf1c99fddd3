"""The places for signatures at the end of a document.

Imports the libraries that draw, as `labels.job` does.
"""

from collections.abc import Sequence
from typing import NamedTuple

from glassflow.documents.document_paper import SIZE, DocumentPaper, shortened
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.labels.items import Line
from glassflow.labels.paper import GREY, MARGIN, WIDTH, line_height

SIGNATURES_HEIGHT = 36.0  # mm, as everything below
GAP = 10.0


class Signer(NamedTuple):
    """Who signs, as what; where `name` is empty, it is written by hand."""

    role: Bilingual
    name: str


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
        line = ((x + 12, paper.y), (x + width - 12, paper.y))
        paper.items.append(Line(line, 0.25, GREY))
        paper.y += 0.8
        name = shortened(signer.name, width - 30) or 50 * " "
        paper.place(f"( {name} )", x, width, SIZE, align=0.5)
        paper.y += line_height(SIZE) + 1
        day = f"{paper.word(texts.PAPER_DATE)} ........ / ........ / ............"
        paper.place(day, x, width, SIZE, align=0.5, color=GREY)
    paper.y += line_height(SIZE)
