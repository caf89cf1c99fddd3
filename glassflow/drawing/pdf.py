"""Laid out pages drawn as a PDF, with the fonts in it and without scaling by viewers."""

import codecs
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from reportlab import rl_config
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFDocument
from reportlab.pdfbase.ttfonts import ShapedStr, TTFont, shapeStr
from reportlab.pdfgen.canvas import Canvas

from glassflow.drawing.items import (
    Box,
    Code,
    LaidOut,
    Line,
    Picture,
    Run,
    Turned,
)
from glassflow.drawing.typesetting import FONT_FILES, MARK

PT_PER_MM = 72 / 25.4
FONT_NAMES = {False: "Sarabun", True: "Sarabun-Bold"}
_PRIVATE = re.compile("(?<= <)E[0-9A-F]{3}(?=>)")  # in a table of characters


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


class _Font(TTFont):  # type: ignore[misc]
    """A font that names in the PDF the characters of glyphs that only shaping gives.

    reportlab gives such a glyph a private code point, and names that.
    """

    def __init__(self, name: str, path: Path) -> None:
        super().__init__(name, str(path))
        self._characters: dict[str, str] = {}  # by private code point

    def shape(self, text: str) -> ShapedStr:
        """Return the glyphs of a text and their places."""
        shaped = shapeStr(text, self.fontName, 10, force=True)
        starts = [one.cluster for one in shaped.__shapeData__]
        for glyph, start in zip(shaped, starts, strict=True):
            if unicodedata.category(glyph) == "Co" and glyph not in self._characters:
                end = min((one for one in starts if one > start), default=len(text))
                cluster = unicodedata.normalize("NFKD", text[start:end])
                others = [
                    one for one, at in zip(shaped, starts, strict=True) if at == start
                ]
                self._characters[glyph] = "".join(c for c in cluster if c not in others)
        return shaped

    def addObjects(self, doc: PDFDocument) -> None:
        """Add the font to a document."""
        super().addObjects(doc)
        own = f"+{self.face.name.decode()}"
        for name, one in doc.idToObject.items():
            if name.startswith("toUnicodeCMap:") and name.endswith(own):
                one.content = _PRIVATE.sub(self._in_hexadecimal, one.content)

    def _in_hexadecimal(self, private: re.Match[str]) -> str:
        character = chr(int(private[0], 16))
        return self._characters[character].encode("utf-16-be").hex()


@cache
def _set_up() -> None:
    rl_config.useA85 = 0  # binary streams; as text they take a fifth of the time
    for bold, name in FONT_NAMES.items():
        pdfmetrics.registerFont(_Font(name, FONT_FILES[bold]))


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
    name, size = FONT_NAMES[run.bold], run.size / PT_PER_MM  # points as mm
    canvas.setFillColorRGB(*run.color)
    canvas.setFont(name, size)
    if not MARK.search(run.text):
        canvas.drawString(run.x, -run.y, run.text)
        return
    text = " ".join(run.text.split())  # tabs and line ends have no glyph
    canvas.addLiteral(_begin_span(text))
    line = canvas.beginText(run.x, -run.y)
    line.textOut(_shaped(text, name))
    canvas.drawText(line)
    canvas.addLiteral("EMC")


@lru_cache(maxsize=2000)
def _shaped(text: str, name: str) -> ShapedStr:
    # `drawString` alone puts tone marks in wrong places
    return pdfmetrics.getFont(name).shape(text)


def _begin_span(text: str) -> str:
    """Return the operator that says which text the glyphs up to `EMC` show."""
    content = codecs.BOM_UTF16_BE + text.encode("utf-16-be")
    return f"/Span <</ActualText <{content.hex()}>>> BDC"


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
