"""Laid out labels drawn as a PDF, with the fonts in it and without scaling by viewers."""

import io
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from reportlab import rl_config
from reportlab.lib.colors import Color as PdfColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from glassflow.labels.items import (
    Box,
    Code,
    Color,
    LaidOut,
    Line,
    Picture,
    Run,
    Turned,
)
from glassflow.labels.typesetting import FONT_FILES, MARK

PT_PER_MM = 72 / 25.4
FONT_NAMES = {False: "Sarabun", True: "Sarabun-Bold"}
UNLIMITED_PT = 100_000.0  # runs have been broken into lines before


class Drawn(NamedTuple):
    """A label and where it stands on its page, in mm, scaled."""

    label: LaidOut
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0


class Page(NamedTuple):
    """A page of a size in mm, and what is on it."""

    width: float
    height: float
    labels: Sequence[Drawn]


@cache
def _set_up() -> None:
    rl_config.useA85 = 0  # binary streams; as text they take a fifth of the time
    for bold, name in FONT_NAMES.items():
        pdfmetrics.registerFont(TTFont(name, str(FONT_FILES[bold])))


def draw(pages: Iterable[Page], *, title: str) -> bytes:
    """Return a PDF of these pages."""
    _set_up()
    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=1, invariant=1)
    canvas.setTitle(title)
    canvas.setCreator("glassflow")
    canvas.setViewerPreference("PrintScaling", "None")
    for page in pages:
        canvas.setPageSize((page.width * PT_PER_MM, page.height * PT_PER_MM))
        for drawn in page.labels:
            canvas.saveState()
            # in mm from the left top corner of the label, y still upwards
            canvas.translate(drawn.x * PT_PER_MM, (page.height - drawn.y) * PT_PER_MM)
            canvas.scale(PT_PER_MM * drawn.scale, PT_PER_MM * drawn.scale)
            for item in drawn.label.items:
                _DRAWERS[type(item)](canvas, item)
            canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _run(canvas: Canvas, run: Run) -> None:
    size = run.size / PT_PER_MM  # points as mm
    if not MARK.search(run.text):
        canvas.setFillColorRGB(*run.color)
        canvas.setFont(FONT_NAMES[run.bold], size)
        canvas.drawString(run.x, -run.y, run.text)
        return
    # `drawString` puts tone marks in wrong places, a paragraph does not
    paragraph, ascent = _paragraph(run.text, run.bold, round(size, 4), run.color)
    paragraph.drawOn(canvas, run.x, -run.y - paragraph.height + ascent)


@lru_cache(maxsize=2000)
def _paragraph(
    text: str, bold: bool, size: float, color: Color
) -> tuple[Paragraph, float]:
    """Return a shaped line and how far its baseline is below its top, in mm."""
    style = ParagraphStyle(
        "run",
        fontName=FONT_NAMES[bold],
        fontSize=size,
        leading=size,
        textColor=PdfColor(*color),
        shaping=1,
    )
    paragraph = Paragraph(escape(text), style)
    paragraph.wrap(UNLIMITED_PT, UNLIMITED_PT)
    return paragraph, size  # of one line, the baseline is one size below the top


def _box(canvas: Canvas, box: Box) -> None:
    if box.fill:
        canvas.setFillColorRGB(*box.fill)
    if box.stroke:
        canvas.setStrokeColorRGB(*box.color)
        canvas.setLineWidth(box.stroke)
    canvas.rect(
        box.x,
        -box.y - box.height,
        box.width,
        box.height,
        stroke=int(box.stroke > 0),
        fill=int(box.fill is not None),
    )


def _line(canvas: Canvas, line: Line) -> None:
    canvas.setStrokeColorRGB(*line.color)
    canvas.setLineWidth(line.thickness)
    path = canvas.beginPath()
    for index, (x, y) in enumerate(line.points):
        (path.lineTo if index else path.moveTo)(x, -y)
    canvas.drawPath(path, stroke=1, fill=0)


def _code(canvas: Canvas, code: Code) -> None:
    canvas.saveState()
    canvas.setFillColorRGB(0, 0, 0)
    canvas.translate(code.x, -code.y)
    canvas.scale(code.module, code.row_height or code.module)
    canvas.addLiteral(_code_path(code.rows))
    canvas.restoreState()


@lru_cache(maxsize=4096)
def _code_path(rows: tuple[bytes, ...]) -> str:
    """Return the dark modules, each 1 wide, as one path in PDF's operators.

    Between separately filled rectangles viewers show fine white lines.
    """
    runs = (
        f"{start} {-number} {length} -1 re"
        for number, row in enumerate(rows)
        for start, length in _dark_runs(row)
    )
    return "\n".join([*runs, "f"])


def _dark_runs(row: bytes) -> Iterable[tuple[int, int]]:
    start = 0
    for dark in row.split(b"\0"):
        if dark:
            yield start, len(dark)
        start += len(dark) + 1


def _picture(canvas: Canvas, picture: Picture) -> None:
    image = ImageReader(io.BytesIO(picture.content))
    canvas.drawImage(
        image,
        picture.x,
        -picture.y - picture.height,
        picture.width,
        picture.height,
        mask="auto",
    )


def _turned(canvas: Canvas, turned: Turned) -> None:
    canvas.saveState()
    canvas.translate(turned.x, -turned.y)
    canvas.rotate(-turned.angle)  # which is counter-clockwise
    canvas.translate(-turned.x, turned.y)
    for item in turned.items:
        _DRAWERS[type(item)](canvas, item)
    canvas.restoreState()


_DRAWERS: dict[type, Callable[[Canvas, Any], None]] = {
    Run: _run,
    Box: _box,
    Line: _line,
    Code: _code,
    Picture: _picture,
    Turned: _turned,
}
