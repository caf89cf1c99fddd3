"""Holes and notches of a pane: how large they are, and whether they lie in the glass.

Lengths are in mm, x from the left and y from the bottom edge of the pane. x and y of a
cut-out are the centre of a round one and the lower left corner of a rectangle. The pages
draw and judge cut-outs by the same rules, in `ui/pane_geometry.js`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import FieldFault

CutOut = Mapping[str, Any]
LISTS = ("holes", "notches")
# The fields by which a cut-out of a type has its width and its height.
MEASURES: Mapping[str, Sequence[str]] = {
    "circle": ("diameter",),
    "rectangle": ("width", "height"),
    "slot": ("length", "diameter"),
}


class Box(NamedTuple):
    """The least rectangle around a cut-out, in mm."""

    left: float
    bottom: float
    right: float
    top: float


def size(cut: CutOut) -> tuple[float, float]:
    """Return the width and the height of a cut-out in mm, 0 where they are not given.

    A slot and a circle may be given by either of two sizes.
    """
    diameter, width, height, length = (
        cut.get(name) or 0 for name in ("diameter", "width", "height", "length")
    )
    if cut.get("type") == "slot":
        return length or width, diameter or height or (width if length else 0)
    if cut.get("type") == "rectangle":
        return width or length, height
    return diameter or width, diameter or height or width


def lacking(cut: CutOut) -> Sequence[str]:
    """Return the fields of its size that a cut-out lacks; a custom one has its corners."""
    kind = cut.get("type") or "circle"
    if kind == "custom":
        return () if len(cut.get("vertices") or ()) > 2 else ("vertices",)
    names = MEASURES.get(kind, MEASURES["circle"])
    sides = zip(names, size(cut), strict=False)  # those of a circle are equal
    return tuple(name for name, length in sides if not length > 0)


def size_faults(pane: Mapping[str, Any]) -> Iterator[FieldFault]:
    """Yield the sizes that cut-outs of a pane lack, at `holes.0.diameter`."""
    for name in LISTS:
        for index, cut in enumerate(pane.get(name) or ()):
            for field in lacking(cut):
                place = f"{name}.{index}.{field}"
                yield {"field": place, "message": texts.CUT_OUT_UNSIZED}


def box(cut: CutOut) -> Box:
    """Return the least rectangle around a cut-out; a custom one has its corners."""
    corners = cut.get("vertices") or ()
    if cut.get("type") == "custom" and len(corners) > 2:
        xs, ys = ([corner[axis] for corner in corners] for axis in "xy")
        return Box(min(xs), min(ys), max(xs), max(ys))
    (wide, high), x, y = size(cut), cut.get("x") or 0, cut.get("y") or 0
    if cut.get("type") == "rectangle":
        return Box(x, y, x + wide, y + high)
    return Box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


def faults(pane: Mapping[str, Any]) -> Iterator[FieldFault]:
    """Yield the cut-outs of a pane that cannot be made, at `holes.0.x` or `holes.0.y`.

    A hole reaches no edge, and no cut-out lies outside. `pane` has `dimensions`, `holes`
    and `notches` as the API has them; one that is not measured is not judged.
    """
    sides = pane.get("dimensions") or {}
    width, height = sides.get("width"), sides.get("height")
    if not (width and height):
        return
    for name in LISTS:
        for index, cut in enumerate(pane.get(name) or ()):
            left, bottom, right, top = box(cut)
            spans = {"x": (left, right, width), "y": (bottom, top, height)}
            if found := _fault(spans, is_hole=name == "holes"):
                axis, text = found
                message = text.format(width=width, height=height)
                yield {"field": f"{name}.{index}.{axis}", "message": message}


def _fault(
    spans: Mapping[str, tuple[float, float, float]], *, is_hole: bool
) -> tuple[str, Bilingual] | None:
    """Return the axis and the text of a fault.

    `spans` are the begin and the end of the cut-out and the length of the side, by axis.
    """
    for axis, (low, high, side) in spans.items():
        if high < 0 or low > side or (low < high and (high == 0 or low == side)):
            return axis, texts.CUT_OUT_OUTSIDE
    for axis, (low, high, side) in spans.items():
        if is_hole and (low <= 0 or high >= side):
            return axis, texts.HOLE_AT_EDGE
    return None
