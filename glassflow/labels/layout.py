"""A template and its values laid out: what is drawn where, in mm.

On a printer with dots, the modules of a QR code are whole dots, and begin at a dot.
"""

import binascii
import io
import math
from base64 import b64decode
from collections.abc import Callable, Mapping

from PIL import Image

from glassflow.drawing import qr, typesetting
from glassflow.drawing.items import (
    Box,
    Code,
    LabelWarning,
    LaidOut,
    Line,
    Picture,
    Run,
    Turned,
)
from glassflow.drawing.typesetting import LINE_HEIGHT, MM_PER_PT
from glassflow.labels import barcode
from glassflow.labels.template import Element, Template
from glassflow.labels.variables import fill

MIN_DOTS = 3  # of a module, below which scanners fail on thermal prints
MIN_BAR_DOTS = 2  # of the narrowest bar
MIN_MODULE_MM = 0.25  # where the printer's dots are not known
DEFAULT_BAR_MM = 10.0  # the height of a barcode
MAX_PICTURE_SIDE = 3000  # pixels
PICTURE_FORMATS = ("PNG", "JPEG")
DEFAULT_RULE_MM = 0.3


def lay_out(
    template: Template, values: Mapping[str, str], *, dots_per_mm: float = 0.0
) -> LaidOut:
    """Lay out one label. `dots_per_mm` is the printer's, 0 if it has none.

    Raises `Invalid` for a text that no QR code can hold.
    """
    laid_out = LaidOut(template.width, template.height)
    laid_out.warnings += template.warnings
    for element in template.elements:
        number = len(laid_out.items)
        _lay_out(laid_out, element, values, dots_per_mm)
        if element.rotation:
            _turn(laid_out, number, element, dots_per_mm)
    return laid_out


def _lay_out(
    laid_out: LaidOut, element: Element, values: Mapping[str, str], dots_per_mm: float
) -> None:
    if element.type in _DRAWN:
        _DRAWN[element.type](laid_out, element)
        return
    filled = fill(element.content, values)
    for name in filled.unknown:
        warning = LabelWarning("UNKNOWN_VARIABLE", element.id, name)
        laid_out.warnings.append(warning)
    if not filled.is_empty and filled.text.strip():
        _WITH_CONTENT[element.type](laid_out, element, filled.text, dots_per_mm)


def _turn(laid_out: LaidOut, first: int, element: Element, dots_per_mm: float) -> None:
    """Turn the items from `first` on about the corner of their element.

    About a whole dot where the printer has dots: those of a code stay whole in a quarter
    turn.
    """
    x, y = element.x, element.y
    if dots_per_mm:
        x, y = (round(one * dots_per_mm) / dots_per_mm for one in (x, y))
    turned = tuple(laid_out.items[first:])
    laid_out.items[first:] = [Turned(x, y, element.rotation, turned)]


def _room(laid_out: LaidOut, element: Element, angle: float) -> float:
    """Return how far it is from an element's corner to the edge, in a direction."""
    radians = math.radians(element.rotation + angle)
    sides = (
        (element.x, math.cos(radians), laid_out.width),
        (element.y, math.sin(radians), laid_out.height),
    )
    ways = [
        ((size - start) if step > 0 else start) / abs(step)
        for start, step, size in sides
        if abs(step) > 1e-6
    ]
    return max(min(ways), 1.0)


def _text(laid_out: LaidOut, element: Element, text: str, dots_per_mm: float) -> None:
    width = element.width or _room(laid_out, element, 0)
    size, bold = element.font_size, element.bold
    if element.wrap:
        height = element.height or _room(laid_out, element, 90)
        fitted = typesetting.fit_lines(
            text, width=width, height=height, size=size, bold=bold
        )
    else:
        line = " ".join(text.split())
        fitted = typesetting.fit_line(line, width=width, size=size, bold=bold)
    if fitted.is_cut:
        laid_out.warnings.append(LabelWarning("TEXT_CUT", element.id, text[:80]))
    if any(typesetting.lacks_characters(one, bold=bold) for one in fitted.lines):
        warning = LabelWarning("CHARACTER_MISSING", element.id, text[:80])
        laid_out.warnings.append(warning)
    line_height = fitted.size * LINE_HEIGHT * MM_PER_PT
    spare = 0.0 if element.wrap else max(0.0, element.height - line_height)
    baseline = element.y + spare / 2 + fitted.size * typesetting.ASCENT * MM_PER_PT
    for number, line in enumerate(fitted.lines):
        used = typesetting.width_mm(line, size=fitted.size, bold=bold)
        shift = {"left": 0.0, "center": (width - used) / 2, "right": width - used}
        x = element.x + shift[element.align]
        y = baseline + number * line_height
        laid_out.items.append(Run(x, y, line, fitted.size, bold, element.color))


def _code(laid_out: LaidOut, element: Element, text: str, dots_per_mm: float) -> None:
    sides = [side for side in (element.width, element.height) if side]
    side = min(sides) if sides else min(laid_out.width, laid_out.height)
    rows = qr.modules(text)
    count = len(rows) + 2 * qr.QUIET_MODULES
    module = side / count
    if dots_per_mm:
        dots = max(1, math.floor(module * dots_per_mm + 1e-6))
        module = dots / dots_per_mm
        is_small = dots < MIN_DOTS
    else:
        is_small = module < MIN_MODULE_MM
    if is_small:
        laid_out.warnings.append(LabelWarning("CODE_TOO_SMALL", element.id))
    margin = (side - len(rows) * module) / 2
    x, y = element.x + margin, element.y + margin
    if dots_per_mm:
        x, y = (round(one * dots_per_mm) / dots_per_mm for one in (x, y))
    laid_out.items.append(Code(x, y, module, rows))


def _barcode(
    laid_out: LaidOut, element: Element, text: str, dots_per_mm: float
) -> None:
    row = barcode.bars(text)
    if row is None:
        laid_out.warnings.append(LabelWarning("CODE_LEFT_OUT", element.id, text[:80]))
        return
    width = element.width or _room(laid_out, element, 0)
    height = element.height or DEFAULT_BAR_MM
    module = width / (len(row) + 2 * barcode.QUIET_MODULES)
    least = MIN_MODULE_MM
    if dots_per_mm:
        module = max(1, math.floor(module * dots_per_mm + 1e-6)) / dots_per_mm
        least = MIN_BAR_DOTS / dots_per_mm
    if module < least - 1e-9:
        laid_out.warnings.append(LabelWarning("CODE_TOO_SMALL", element.id))
    x, y = element.x + (width - len(row) * module) / 2, element.y
    if dots_per_mm:
        x, y = (round(one * dots_per_mm) / dots_per_mm for one in (x, y))
    laid_out.items.append(Code(x, y, module, (row,), height))


def _picture(laid_out: LaidOut, element: Element, text: str, _: float) -> None:
    content = _decoded(text)
    if content is None or not element.width or not element.height:
        laid_out.warnings.append(LabelWarning("PICTURE_LEFT_OUT", element.id))
        return
    box = (element.x, element.y, element.width, element.height)
    laid_out.items.append(Picture(*box, content))


def _decoded(url: str) -> bytes | None:
    """Return the PNG or JPEG of a data URL; nothing is fetched from any address."""
    kind, comma, body = url.partition(",")
    if not comma or not kind.startswith("data:image/") or not kind.endswith(";base64"):
        return None
    try:
        content = b64decode(body, validate=True)
        with Image.open(io.BytesIO(content), formats=PICTURE_FORMATS) as picture:
            if max(picture.size) > MAX_PICTURE_SIDE:
                return None
            picture.load()
    except (
        OSError,
        ValueError,
        SyntaxError,
        binascii.Error,
        Image.DecompressionBombError,
    ):
        return None
    return content


def _rule(laid_out: LaidOut, element: Element) -> None:
    if element.points:
        thickness = element.thickness or DEFAULT_RULE_MM
        laid_out.items.append(Line(element.points, thickness, element.color))
        return
    width = element.width or element.thickness or DEFAULT_RULE_MM
    height = element.height or element.thickness or DEFAULT_RULE_MM
    laid_out.items.append(Box(element.x, element.y, width, height, fill=element.color))


def _rectangle(laid_out: LaidOut, element: Element) -> None:
    stroke = element.thickness or (0.0 if element.fill else DEFAULT_RULE_MM)
    box = (element.x, element.y, element.width, element.height)
    laid_out.items.append(Box(*box, stroke, element.fill, element.color))


_WITH_CONTENT: Mapping[str, Callable[[LaidOut, Element, str, float], None]] = {
    "text": _text,
    "qr": _code,
    "barcode": _barcode,
    "image": _picture,
}
_DRAWN: Mapping[str, Callable[[LaidOut, Element], None]] = {
    "line": _rule,
    "rect": _rectangle,
}
