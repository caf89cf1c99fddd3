"""Sticker templates: stored elements as checked objects, sizes in mm.

Elements are what a client has stored, of any shape. What cannot be drawn for sure is a
fault with its place (`elements.3.width`); what is merely unknown is left out and said.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from glassflow.domain import texts
from glassflow.domain.errors import FieldFault, Invalid
from glassflow.drawing.items import BLACK, Color, LabelWarning
from glassflow.labels.dialects import in_first_dialect

MAX_SIDE_MM = 450.0
MIN_SIDE_MM = 5.0
MAX_ELEMENTS = 200
MAX_CONTENT = 2000  # characters, of a text; pictures have their own limit
MAX_PICTURE = 700_000  # characters of a data URL
DEFAULT_FONT_PT = 9.0
TYPES = ("text", "qr", "barcode", "line", "rect", "image")
# The names of fonts that are not replaced with a warning.
OWN_FONTS = ("", "sarabun", "sans-serif")


@dataclass(frozen=True, slots=True)
class Element:
    """One element of a template; a size of 0 is not given."""

    id: str
    type: str
    x: float
    y: float
    width: float
    height: float
    content: str = ""
    font_size: float = DEFAULT_FONT_PT
    bold: bool = False
    align: str = "left"
    wrap: bool = False
    thickness: float = 0.0
    points: tuple[tuple[float, float], ...] = ()
    color: Color = BLACK
    fill: Color | None = None
    rotation: float = 0.0  # clockwise about the corner at x and y, in degrees below 360


@dataclass(frozen=True, slots=True)
class Template:
    """A label of `width` × `height` mm."""

    name: str
    width: float
    height: float
    elements: tuple[Element, ...]
    warnings: tuple[LabelWarning, ...] = ()


@dataclass(slots=True)
class _Reading:
    faults: list[FieldFault] = field(default_factory=list)
    warnings: list[LabelWarning] = field(default_factory=list)

    def number(
        self, one: Mapping[str, Any], name: str, place: str, low: float, high: float
    ) -> float:
        """Return a number of an element, 0 where it has none."""
        value = one.get(name)
        if value is None:
            return 0.0
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not math.isfinite(value) or not low <= value <= high:
            limits = {"low": f"{low:g}", "high": f"{high:g}"}
            message = texts.TEMPLATE_NUMBER.format(**limits)
            self.faults.append({"field": f"{place}.{name}", "message": message})
            return 0.0
        return float(value)


def read_template(
    *, name: str, width: float, height: float, elements: Sequence[Any]
) -> Template:
    """Read a stored template of either dialect; raises `Invalid` with every fault."""
    reading = _Reading()
    for side, value in (("width", width), ("height", height)):
        if not MIN_SIDE_MM <= value <= MAX_SIDE_MM:
            limits = {"low": f"{MIN_SIDE_MM:g}", "high": f"{MAX_SIDE_MM:g}"}
            message = texts.TEMPLATE_NUMBER.format(**limits)
            reading.faults.append({"field": side, "message": message})
    plain = in_first_dialect(elements)
    if len(plain) > MAX_ELEMENTS:
        message = texts.TEMPLATE_ELEMENTS.format(maximum=MAX_ELEMENTS)
        reading.faults.append({"field": "elements", "message": message})
    else:
        found = tuple(_read(plain, reading))
    if reading.faults:
        raise Invalid(reading.faults, texts.TEMPLATE_UNREADABLE.format(name=name))
    return Template(name, width, height, found, tuple(reading.warnings))


def _read(elements: Sequence[Any], reading: _Reading) -> Iterator[Element]:
    for index, one in enumerate(elements):
        if not isinstance(one, Mapping):
            fault: FieldFault = {
                "field": f"elements.{index}",
                "message": texts.TEMPLATE_ELEMENT,
            }
            reading.faults.append(fault)
            continue
        name = str(one.get("id") or index)[:80]
        if one.get("type") not in TYPES:
            detail = str(one.get("type"))[:80]
            reading.warnings.append(LabelWarning("ELEMENT_LEFT_OUT", name, detail))
            continue
        yield _element(one, name, f"elements.{index}", reading)


def _element(
    one: Mapping[str, Any], name: str, place: str, reading: _Reading
) -> Element:
    def side(key: str, low: float) -> float:
        return reading.number(one, key, place, low, 2 * MAX_SIDE_MM)

    family = one.get("fontFamily")
    if isinstance(family, str) and family.strip("'\" ").lower() not in OWN_FONTS:
        reading.warnings.append(LabelWarning("FONT_REPLACED", name, family[:80]))
    align = one.get("align")
    return Element(
        id=name,
        type=str(one["type"]),
        x=side("x", -MAX_SIDE_MM),
        y=side("y", -MAX_SIDE_MM),
        width=side("width", 0),
        height=side("height", 0),
        content=_content(one, place, reading),
        font_size=reading.number(one, "fontSize", place, 1, 400) or DEFAULT_FONT_PT,
        bold=one.get("bold") is True,
        align=align if align in ("center", "right") else "left",
        wrap=one.get("wrap") is True,
        thickness=side("thickness", 0),
        points=tuple(_points(one, place, reading)),
        color=read_color(one.get("color")) or BLACK,
        fill=read_color(one.get("fill")),
        rotation=_rotation(one, name, reading),
    )


def _rotation(one: Mapping[str, Any], name: str, reading: _Reading) -> float:
    """Return an angle; what is none is left out, because older templates may have any."""
    angle = one.get("rotation") or 0
    if isinstance(angle, (int, float)) and math.isfinite(angle):
        return float(angle % 360)
    reading.warnings.append(LabelWarning("ROTATION_IGNORED", name))
    return 0.0


def _content(one: Mapping[str, Any], place: str, reading: _Reading) -> str:
    content = one.get("content", "")
    if isinstance(content, (int, float)) and not isinstance(content, bool):
        content = f"{content:g}"
    limit = MAX_PICTURE if one["type"] == "image" else MAX_CONTENT
    if isinstance(content, str) and len(content) <= limit:
        return content
    message = texts.TEMPLATE_TEXT.format(maximum=limit)
    reading.faults.append({"field": f"{place}.content", "message": message})
    return ""


def _points(
    one: Mapping[str, Any], place: str, reading: _Reading
) -> Iterator[tuple[float, float]]:
    points = one.get("points") or []
    if not isinstance(points, list) or len(points) > 500:
        points = [None]
    for index, point in enumerate(points):
        pair = dict(enumerate(point)) if isinstance(point, list) else {}
        if len(pair) != 2:
            fault: FieldFault = {
                "field": f"{place}.points",
                "message": texts.TEMPLATE_POINTS,
            }
            reading.faults.append(fault)
            return
        named = {"x": pair[0], "y": pair[1]}
        where = f"{place}.points.{index}"
        low, high = -MAX_SIDE_MM, 2 * MAX_SIDE_MM
        yield (
            reading.number(named, "x", where, low, high),
            reading.number(named, "y", where, low, high),
        )


def read_color(value: object) -> Color | None:
    """Return `#rgb`, `#rrggbb`, black or white as a colour; None for anything else."""
    if not isinstance(value, str):
        return None
    text = value.strip().lower()
    text = {"black": "#000", "white": "#fff"}.get(text, text)
    if re.fullmatch(r"#[0-9a-f]{3}", text):
        text = "#" + "".join(2 * one for one in text[1:])
    if not re.fullmatch(r"#[0-9a-f]{6}", text):
        return None
    red, green, blue = (int(text[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
