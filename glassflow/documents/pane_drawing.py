"""A pane drawn to scale with its holes and notches, on documents."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from glassflow.domain.panes import cut_outs
from glassflow.drawing.items import Box, Line

LEAST_SIDE, LEAST_CUT = 3.0, 1.2  # mm, so that a narrow strip and a small hole are seen
GLASS = (0.9, 0.96, 0.96)
ROUND_CORNERS = 24  # of the polygon that is drawn for a circle
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Cut:
    """A hole or a notch, in mm from the left lower corner; 0 where a size is unknown.

    `x` and `y` are the centre of what is round, and the left lower corner of a rectangle.
    One of the type `custom` has `corners` instead of sizes.
    """

    is_notch: bool
    type: str
    x: float
    y: float
    width: float
    height: float
    corners: Sequence[Point] = ()


class Drawing(NamedTuple):
    """The outline of a pane, and a closed line for each of its cuts."""

    outline: Box
    cuts: Sequence[Line]


def read_cut(cut: cut_outs.CutOut, *, is_notch: bool) -> Cut:
    """Return a hole or notch that has the fields of the API."""
    wide, high = cut_outs.size(cut)
    corners = [(one["x"], one["y"]) for one in cut.get("vertices") or ()]
    x, y = cut.get("x") or 0, cut.get("y") or 0
    return Cut(is_notch, str(cut.get("type")), x, y, wide, high, corners)


def draw(
    size: tuple[float, float],
    cuts: Sequence[Cut],
    *,
    at: Point,
    room: tuple[float, float],
    stroke: float = 0.3,
) -> Drawing:
    """Draw a pane of a size in mm, which is not 0.

    `at` is the left top corner on the paper in mm, `room` the width and the height that
    the drawing may have, `stroke` the width of its lines.
    """
    width, height = size
    scale = min(room[0] / width, room[1] / height)
    wide, high = (max(side * scale, LEAST_SIDE) for side in size)
    left, top = at

    def place(point: Point) -> Point:
        across, up = point[0] / width, point[1] / height
        return left + across * wide, top + high - up * high

    lines = []
    for cut in cuts:
        corners = [place(corner) for corner in _corners(cut, LEAST_CUT / scale)]
        lines.append(Line((*corners, corners[0]), stroke))
    return Drawing(Box(left, top, wide, high, stroke=stroke, fill=GLASS), lines)


def inside(drawing: Drawing) -> Iterator[Line]:
    """Yield the cuts of a drawing; what is cut beyond an edge ends there."""
    left, top, wide, high = (
        getattr(drawing.outline, name) for name in ("x", "y", "width", "height")
    )
    for cut in drawing.cuts:
        points = tuple(
            (min(max(x, left), left + wide), min(max(y, top), top + high))
            for x, y in cut.points
        )
        yield Line(points, cut.thickness)


def _corners(cut: Cut, least: float) -> Sequence[Point]:
    """Return the corners of a cut in mm of the pane, at least `least` wide and high."""
    if len(cut.corners) > 2:
        return cut.corners
    wide, high = max(cut.width, least), max(cut.height, least)
    x, y = cut.x, cut.y
    if cut.type == "rectangle":
        x, y = x + cut.width / 2, y + cut.height / 2
    if cut.type in ("rectangle", "slot"):
        left, bottom, right, top = (
            x - wide / 2,
            y - high / 2,
            x + wide / 2,
            y + high / 2,
        )
        return [(left, bottom), (right, bottom), (right, top), (left, top)]
    turns = (2 * math.pi * n / ROUND_CORNERS for n in range(ROUND_CORNERS))
    return [
        (x + math.cos(turn) * wide / 2, y + math.sin(turn) * high / 2) for turn in turns
    ]
