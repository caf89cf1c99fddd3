"""What a label or a page consists of once it is laid out: items, with positions in mm.

The origin is its top left corner; y points down. Colours are red, green
and blue from 0 to 1.
"""

from dataclasses import dataclass, field

Color = tuple[float, float, float]
BLACK: Color = (0.0, 0.0, 0.0)
A4 = (210.0, 297.0)  # the width and height of a page


@dataclass(frozen=True, slots=True)
class Run:
    """A line of text; `y` is its baseline, `size` is in points."""

    x: float
    y: float
    text: str
    size: float
    bold: bool = False
    color: Color = BLACK


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with an outline, a filling, or both; `stroke` is the outline's width."""

    x: float
    y: float
    width: float
    height: float
    stroke: float = 0.0
    fill: Color | None = None
    color: Color = BLACK


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points."""

    points: tuple[tuple[float, float], ...]
    thickness: float
    color: Color = BLACK


@dataclass(frozen=True, slots=True)
class Code:
    """A code without its quiet zone: rows of modules, each `module` mm wide.

    They are as high, or `row_height` mm if that is not 0.
    """

    x: float
    y: float
    module: float
    rows: tuple[bytes, ...]
    row_height: float = 0.0


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that fills its box; `content` is a PNG or JPEG file."""

    x: float
    y: float
    width: float
    height: float
    content: bytes


@dataclass(frozen=True, slots=True)
class Turned:
    """Items turned clockwise by `angle` degrees about a point."""

    x: float
    y: float
    angle: float
    items: tuple["Item", ...]


Item = Run | Box | Line | Code | Picture | Turned


@dataclass(frozen=True, slots=True, order=True)
class LabelWarning:
    """Why a label may not look as meant: a code for programs, the element and a detail."""

    code: str
    element: str = ""
    detail: str = ""


@dataclass(slots=True)
class LaidOut:
    """A label or page: its size in mm, its items in the order of drawing, and warnings."""

    width: float
    height: float
    items: list[Item] = field(default_factory=list)
    warnings: list[LabelWarning] = field(default_factory=list)
