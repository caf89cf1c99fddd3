"""A4 pages of text that are written from top to bottom. Lengths are in mm, sizes in points.

Imports the libraries that draw, as `pdf` does.
"""

from glassflow.drawing import pdf, typesetting
from glassflow.drawing.items import A4, BLACK, Color, Item, LaidOut, Run
from glassflow.drawing.typesetting import ASCENT, LINE_HEIGHT, MM_PER_PT

MARGIN = 12.0
WIDTH = A4[0] - 2 * MARGIN
BOTTOM = A4[1] - MARGIN - 6  # above the footer
GREY = (0.3, 0.36, 0.4)


class Paper:
    """Pages in the making; `y` is where the next line begins."""

    def __init__(self) -> None:
        self.pages: list[LaidOut] = []
        self.begin_page()

    @property
    def items(self) -> list[Item]:
        """What is on the present page."""
        return self.pages[-1].items

    def begin_page(self) -> None:
        """Go on at the top of another page."""
        self.pages.append(LaidOut(*A4))
        self.y = MARGIN

    def need(self, height: float) -> None:
        """Begin another page where less than this height is left."""
        if self.y + height > BOTTOM:
            self.begin_page()

    def write(
        self,
        text: str,
        x: float,
        width: float,
        size: float,
        *,
        bold: bool = False,
        color: Color = BLACK,
    ) -> None:
        """Write a text in lines of a width, and go on on another page if need be."""
        height = line_height(size)
        lines = typesetting.break_lines(text, width=width, size=size, bold=bold)
        for line in lines:
            self.need(height)
            baseline = self.y + size * ASCENT * MM_PER_PT
            self.items.append(Run(x, baseline, line, size, bold, color))
            self.y += height


def line_height(size: float) -> float:
    """Return the height of a line in mm."""
    return size * LINE_HEIGHT * MM_PER_PT


def fitted_line(
    text: str,
    x: float,
    baseline: float,
    width: float,
    size: float,
    *,
    bold: bool = False,
    color: Color = BLACK,
) -> list[Item]:
    """Return one line of text that fits a width: smaller, then cut."""
    fitted = typesetting.fit_line(text, width=width, size=size, bold=bold)
    return [Run(x, baseline, one, fitted.size, bold, color) for one in fitted.lines]


def draw(papers: list[Paper], *, title: str) -> bytes:
    """Return the PDF of papers, each on pages of its own."""
    pages = [page for paper in papers for page in paper.pages]
    drawn = (pdf.Page(*A4, [pdf.Drawn(page)]) for page in pages)
    return pdf.draw(drawn, title=title)
