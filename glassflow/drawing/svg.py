"""A laid out drawing as SVG, which a browser shows in any size.

Texts have the width that they were measured with, whatever font the browser has. Codes and
pictures are not drawn.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from glassflow.drawing import typesetting
from glassflow.drawing.items import Box, Color, LaidOut, Line, Run, Turned
from glassflow.drawing.typesetting import MM_PER_PT

FONTS = "Sarabun, sans-serif"
# XML 1.0 has no form for these characters.
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def draw(drawing: LaidOut, *, title: str) -> bytes:
    """Return the SVG of a drawing without codes and pictures; a mm is a unit of it."""
    size = f"{_number(drawing.width)} {_number(drawing.height)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" role="img" '
        f"font-family={quoteattr(FONTS)}>",
        f"<title>{_text(title)}</title>",
        *_drawn(drawing.items),
        "</svg>\n",
    ]
    return "\n".join(parts).encode()


def _drawn(items: Iterable[Any]) -> Iterable[str]:
    return (_DRAWERS[type(one)](one) for one in items)


def _run(run: Run) -> str:
    wide = typesetting.width_mm(run.text, size=run.size, bold=run.bold)
    weight = ' font-weight="bold"' if run.bold else ""
    return (
        f'<text x="{_number(run.x)}" y="{_number(run.y)}" '
        f'font-size="{_number(run.size * MM_PER_PT)}"{weight} fill="{_color(run.color)}" '
        f'textLength="{_number(wide)}" lengthAdjust="spacingAndGlyphs">'
        f"{_text(run.text)}</text>"
    )


def _box(box: Box) -> str:
    fill = _color(box.fill) if box.fill else "none"
    return (
        f'<rect x="{_number(box.x)}" y="{_number(box.y)}" '
        f'width="{_number(box.width)}" height="{_number(box.height)}" '
        f'fill="{fill}"{_stroke(box.stroke, box.color)}/>'
    )


def _line(line: Line) -> str:
    points = " ".join(f"{_number(x)},{_number(y)}" for x, y in line.points)
    stroke = _stroke(line.thickness, line.color)
    return f'<polyline points="{points}" fill="none"{stroke}/>'


def _turned(turned: Turned) -> str:
    about = " ".join(_number(one) for one in (turned.angle, turned.x, turned.y))
    inside = "".join(_drawn(turned.items))
    return f'<g transform="rotate({about})">{inside}</g>'


def _stroke(width: float, color: Color) -> str:
    if not width:
        return ""
    return f' stroke="{_color(color)}" stroke-width="{_number(width)}"'


def _color(color: Color) -> str:
    return "#" + "".join(f"{round(255 * one):02x}" for one in color)


def _number(value: float) -> str:
    return f"{round(value, 3):.10g}"


def _text(text: str) -> str:
    return escape(_NOT_IN_XML.sub("", text))


_DRAWERS: dict[type, Callable[[Any], str]] = {
    Run: _run,
    Box: _box,
    Line: _line,
    Turned: _turned,
}
