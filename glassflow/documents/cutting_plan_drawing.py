"""A sheet of a cutting plan drawn to scale: its panes, what is left of it, its defects.

Imports the libraries that draw, as `labels.job` does.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from glassflow.documents.cutting_plan import Place, PlacedPane, SheetOnPaper
from glassflow.documents.pane_drawing import GLASS
from glassflow.domain import texts
from glassflow.domain.bilingual import Language
from glassflow.domain.cutting.stages import PaneOnSheet
from glassflow.drawing import typesetting
from glassflow.drawing.items import BLACK, Box, Color, Item, LaidOut, Line, Run, Turned
from glassflow.drawing.paper import GREY
from glassflow.drawing.typesetting import ASCENT, LINE_HEIGHT, MM_PER_PT

BESIDE = 6.0  # mm, as everything below: left of a sheet and above it, for its size
HATCHING = 2.2
INSIDE = 0.8  # between a text and the edge of its pane
THIN, THICK = 0.15, 0.35

LARGEST, SMALLEST = 10.0, 5.0  # points, of the texts in a pane
POSITION = 1.7  # times as large as the other texts
PICTURE_ROOM = (200.0, 200.0)
# How many texts of a pane are always drawn: its place in the order, on a picture, which is
# looked at in any size, its size and number too.
ON_PAPER, ON_PICTURE = 1, 3

PAPER: Color = (1.0, 1.0, 1.0)
TRIM: Color = (0.85, 0.87, 0.88)
WASTE: Color = (0.95, 0.95, 0.95)
STRUCK: Color = (0.93, 0.93, 0.93)
FAULT: Color = (0.75, 0.1, 0.1)
FAULT_FILL: Color = (0.99, 0.88, 0.88)


class Words(NamedTuple):
    """A text in a box; it is `size` times as large as others."""

    text: str
    size: float = 1.0
    bold: bool = False


class Drawing(NamedTuple):
    """The items of a sheet, and where it ends on the paper."""

    items: Sequence[Item]
    right: float
    bottom: float


def size_in(sheet: SheetOnPaper, room: tuple[float, float]) -> tuple[float, float]:
    """Return the width and height on paper of a sheet that fits a room, all in mm."""
    free = (room[0] - BESIDE, room[1] - BESIDE)
    scale = min(free[0] / sheet.width, free[1] / sheet.height)
    return sheet.width * scale, sheet.height * scale


def draw(
    sheet: SheetOnPaper,
    *,
    at: tuple[float, float],
    room: tuple[float, float],
    language: Language,
    always: int = ON_PAPER,
) -> Drawing:
    """Draw a sheet as large as it fits a room in mm; `at` is the left top corner of that.

    A pane has its place in the order in which they break out, its size, its number and its
    mark: so many of them `always`, and the others where they can be read.
    """
    wide, high = size_in(sheet, room)
    scale = wide / sheet.width
    left, top = at[0] + BESIDE, at[1] + BESIDE

    def box_of(place: Place) -> Box:
        from_top = sheet.height - place.y - place.height
        return Box(
            left + place.x * scale,
            top + from_top * scale,
            place.width * scale,
            place.height * scale,
        )

    items: list[Item] = [Box(left, top, wide, high, fill=TRIM)]
    for rest in sheet.rests:
        box = box_of(rest.place)
        items += remnant(box) if rest.is_kept else waste(box)
        if rest.is_kept:
            name = texts.SHEET_PAPER_REMNANT.in_language(language)
            words = [Words(sides(rest.place), bold=True), Words(name)]
            items += _written(box, words, always=len(words), color=BLACK)
    for number, pane in enumerate(sheet.panes, 1):
        items += _pane(box_of(pane.place), number, pane, always)
    for defect in sheet.defects:
        items += fault(box_of(defect))
    items.append(Box(left, top, wide, high, stroke=THICK))
    items += _size(sheet, Box(left, top, wide, high))
    return Drawing(items, left + wide, top + high)


def picture(sheet: SheetOnPaper, language: Language) -> LaidOut:
    """Return the drawing of a sheet alone, with the numbers of all panes."""
    drawn = draw(
        sheet,
        at=(1, 1),
        room=PICTURE_ROOM,
        language=language,
        always=ON_PICTURE,
    )
    return LaidOut(drawn.right + 2, drawn.bottom + 2, list(drawn.items))


def sides(place: Place) -> str:
    """Return the size of a rectangle as documents write it."""
    return f"{place.width:.10g} × {place.height:.10g}"


def waste(box: Box) -> Iterator[Item]:
    """Yield a rest that is thrown away: hatched."""
    yield _filled(box, WASTE, stroke=THIN)
    distance, end = HATCHING, box.width + box.height
    while distance < end:
        below = min(distance, box.height)
        across = min(distance, box.width)
        start = (box.x + distance - below, box.y + below)
        yield Line((start, (box.x + across, box.y + distance - across)), THIN, GREY)
        distance += HATCHING


def remnant(box: Box) -> Iterator[Item]:
    """Yield a rest that is kept: filled, with a frame inside."""
    yield _filled(box, GLASS, stroke=THICK)
    inner = Box(box.x + 0.7, box.y + 0.7, box.width - 1.4, box.height - 1.4)
    if min(inner.width, inner.height) > 1:
        yield Box(*_place(inner), stroke=THIN)


def fault(box: Box) -> Iterator[Item]:
    """Yield a defect: a red cross."""
    yield _filled(box, FAULT_FILL, stroke=THICK, color=FAULT)
    yield from _diagonals(box, 2, FAULT)


def left_out(box: Box) -> Iterator[Item]:
    """Yield the place of a pane that is not cut: grey, with one diagonal."""
    yield _filled(box, STRUCK, stroke=THICK)
    yield from _diagonals(box, 1, GREY)


def broken(box: Box) -> Iterator[Item]:
    """Yield the place of a pane that broke: grey, with both diagonals."""
    yield _filled(box, STRUCK, stroke=THICK)
    yield from _diagonals(box, 2, GREY)


def _pane(box: Box, number: int, pane: PlacedPane, always: int) -> Iterator[Item]:
    if pane.state == PaneOnSheet.BROKEN:
        yield from broken(box)
    elif pane.state == PaneOnSheet.LEFT:
        yield from left_out(box)
    else:
        yield _filled(box, PAPER, stroke=THICK)
    mark = " · ".join(filter(None, (pane.mark, pane.sheet_label)))
    words = [
        Words(str(number), POSITION, bold=True),
        Words(sides(pane.place)),
        *(Words(one) for one in (pane.number, mark) if one),
    ]
    color = GREY if pane.is_struck else BLACK
    yield from _written(box, words, always=always, color=color)


def _written(
    box: Box, words: Sequence[Words], *, always: int, color: Color
) -> Iterator[Item]:
    """Yield as many of the texts as fit, the first ones first, and so many of them always.

    They are turned where they are larger then.
    """
    for count in range(len(words), 0, -1):
        shown = words[:count]
        level = _fitting(shown, box.width, box.height)
        upright = _fitting(shown, box.height, box.width)
        size = max(level, upright)
        if size >= SMALLEST or count <= always:
            break
    x, y = box.x + box.width / 2, box.y + box.height / 2
    runs = tuple(_centred(shown, x, y, size, color))
    if upright > level:
        yield Turned(x, y, -90, runs)
    else:
        yield from runs


def _fitting(words: Iterable[Words], width: float, height: float) -> float:
    """Return the size in points at which texts below each other fit a box in mm."""
    across = max(_wide(one, 1) for one in words)
    down = sum(one.size for one in words) * LINE_HEIGHT * MM_PER_PT
    inside = 2 * min(INSIDE, 0.1 * width, 0.1 * height)
    return min(LARGEST, (width - inside) / across, (height - inside) / down)


def _centred(
    words: Sequence[Words], x: float, y: float, size: float, color: Color
) -> Iterator[Run]:
    y -= sum(one.size for one in words) * size * LINE_HEIGHT * MM_PER_PT / 2
    for one in words:
        points = size * one.size
        baseline = y + points * ASCENT * MM_PER_PT
        start = x - _wide(one, size) / 2
        yield Run(start, baseline, one.text, points, one.bold, color)
        y += points * LINE_HEIGHT * MM_PER_PT


def _wide(words: Words, size: float) -> float:
    points = size * words.size
    return typesetting.width_mm(words.text, size=points, bold=words.bold)


def _size(sheet: SheetOnPaper, box: Box) -> Iterator[Item]:
    """Yield the width of the sheet above it, and its height at the left."""
    middle = box.x + box.width / 2
    yield from _centred(
        [Words(f"{sheet.width:.10g}", bold=True)], middle, box.y - 3, 10, BLACK
    )
    x, y = box.x - 3, box.y + box.height / 2
    words = [Words(f"{sheet.height:.10g}", bold=True)]
    yield Turned(x, y, -90, tuple(_centred(words, x, y, 10, BLACK)))


def _diagonals(box: Box, count: int, color: Color) -> Iterator[Line]:
    left, top = box.x, box.y
    right, bottom = left + box.width, top + box.height
    ends = (((left, bottom), (right, top)), ((left, top), (right, bottom)))
    for one in ends[:count]:
        yield Line(one, THICK, color)


def _filled(box: Box, fill: Color, *, stroke: float, color: Color = BLACK) -> Box:
    return Box(*_place(box), stroke=stroke, fill=fill, color=color)


def _place(box: Box) -> tuple[float, float, float, float]:
    return box.x, box.y, box.width, box.height
