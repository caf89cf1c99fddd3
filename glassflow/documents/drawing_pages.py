"""A page with the dimensioned drawing of a worked pane, for the customer to confirm.

Sizes of cut-outs are running dimensions from the lower left corner, as glass workshops
measure. A circle and a slot are placed by their centre, other cut-outs by their lower left
corner, as the records have them.

Imports the libraries that draw, as `labels.job` does.
"""

from collections.abc import Iterator, Sequence

from glassflow.documents.document_paper import (
    INK,
    RULE,
    SIZE,
    SMALL,
    TINT,
    DocumentPaper,
)
from glassflow.documents.pane_drawing import Cut, Point, draw, inside
from glassflow.documents.quote import PaneDrawing, PaperLine
from glassflow.documents.signatures import Signer, write_signatures
from glassflow.domain import texts
from glassflow.drawing import typesetting
from glassflow.drawing.items import Box, Item, Line, Run, Turned
from glassflow.drawing.paper import GREY, MARGIN, WIDTH, line_height

# Lengths are in mm.
ROOM = (128.0, 112.0)  # of the pane
BESIDE = 24.0  # left of the pane and above it, for dimensions
TICK = 1.6
APART = 3.4  # the least distance of two dimensions
DIMENSION = 8.0  # points
EDGE_THICKNESS = 1.0
COLUMNS = (0.0, 12.0, 46.0, 130.0, 158.0)  # of the table of cut-outs, from the margin


def write_drawing(
    paper: DocumentPaper, number: int, line: PaperLine, *, drawn_by: str
) -> None:
    """Write the drawing of a line of a document, which has one, on a page of its own.

    `drawn_by` is the name of the worker who signs it for the workshop.
    """
    drawing, width, height = line.drawing, line.width or 0.0, line.height or 0.0
    assert drawing
    paper.begin_page()
    _title(paper, number, line)
    size, top = (width, height), paper.y + BESIDE
    wide = draw(size, (), at=(0, 0), room=ROOM).outline.width
    left = MARGIN + BESIDE + (WIDTH - BESIDE - wide) / 2
    drawn = draw(size, drawing.cuts, at=(left, top), room=ROOM)
    outline, cuts = drawn.outline, list(inside(drawn))
    paper.items.append(outline)
    paper.items.extend(cuts)
    paper.items.extend(_edges(outline, drawing))
    paper.items.extend(_marks(cuts))
    paper.items.extend(_across(outline, _places(drawing.cuts, "x"), width))
    paper.items.extend(_down(outline, _places(drawing.cuts, "y"), height))
    paper.y = top + outline.height + 8
    _cuts(paper, drawing.cuts)
    _words(paper, drawing)
    confirmed = Signer(texts.PAPER_DRAWING_CONFIRMED, "")
    write_signatures(paper, [confirmed, Signer(texts.PAPER_OFFERED, drawn_by)])


def _title(paper: DocumentPaper, number: int, line: PaperLine) -> None:
    paper.y += 2
    said = " · ".join(filter(None, (line.mark, line.description)))
    title = f"{number}. {said}"
    paper.write(title, MARGIN, WIDTH, 12, bold=True, color=INK)
    size = f"{line.width:.10g} × {line.height:.10g}"
    said = paper.word(texts.PAPER_DRAWN_SIZE, size=size, count=f"{line.quantity:,}")
    paper.place(said, MARGIN, WIDTH, 11)
    paper.y += line_height(11)


def _places(cuts: Sequence[Cut], axis: str) -> list[float]:
    """Return where cut-outs are on an axis, in mm of the pane, each place once, sorted."""
    found = {corner[axis == "y"] for cut in cuts for corner in cut.corners} | {
        getattr(cut, axis) for cut in cuts if not cut.corners
    }
    return sorted(found)


def spread(places: Sequence[float], least: float, most: float) -> list[float]:
    """Return places that are at least `APART` from each other, near the given ones.

    They are sorted, and so is the result, which is between `least` and `most`. None where
    that has no room for all of them: the table of the cut-outs has them too.
    """
    if (len(places) - 1) * APART > most - least:
        return []
    apart: list[float] = []
    for place in places:
        apart.append(max(place, apart[-1] + APART) if apart else max(place, least))
    over = apart[-1] - most if apart else 0.0
    if over > 0:
        apart[-1] = most
        for at in range(len(apart) - 2, -1, -1):
            apart[at] = min(apart[at], apart[at + 1] - APART)
    return apart


def _across(outline: Box, places: Sequence[float], width: float) -> Iterator[Item]:
    """Yield the dimensions above the pane: running ones, and the whole width."""
    scale = outline.width / width
    right = outline.x + outline.width
    yield from _whole(
        (outline.x, outline.y - 18), (right, outline.y - 18), f"{width:.10g}"
    )
    marks = [outline.x + place * scale for place in places]
    texts_at = spread(marks, outline.x - 8, right + 8)
    for place, mark, at in zip(places, marks, texts_at, strict=False):
        bend, end = outline.y - 2.5, outline.y - 5.5
        leader = ((mark, outline.y), (mark, bend), (at, end), (at, end - 1))
        yield Line(leader, 0.15, GREY)
        yield from _upright(f"{place:.10g}", at, end - 1.6)


def _down(outline: Box, places: Sequence[float], height: float) -> Iterator[Item]:
    """Yield the dimensions at the left of the pane, from its lower edge."""
    scale = outline.height / height
    bottom = outline.y + outline.height
    x = outline.x - 18
    yield from _whole((x, outline.y), (x, bottom), f"{height:.10g}")
    marks = [bottom - place * scale for place in reversed(places)]
    texts_at = spread(marks, outline.y - 2, bottom + 4)
    for place, mark, at in zip(reversed(places), marks, texts_at, strict=False):
        bend, end = outline.x - 2.5, outline.x - 5.5
        leader = ((outline.x, mark), (bend, mark), (end, at), (end - 1, at))
        yield Line(leader, 0.15, GREY)
        text = f"{place:.10g}"
        wide = typesetting.width_mm(text, size=DIMENSION, bold=False)
        yield Run(end - 1.6 - wide, at + 1, text, DIMENSION)


def _whole(begin: Point, end: Point, text: str) -> Iterator[Item]:
    """Yield a dimension line with its ends and its text beside the middle."""
    is_across = begin[1] == end[1]
    yield Line((begin, end), 0.2)
    for x, y in (begin, end):
        yield Line(((x - TICK / 2, y + TICK / 2), (x + TICK / 2, y - TICK / 2)), 0.3)
    middle = ((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2)
    if is_across:
        wide = typesetting.width_mm(text, size=10, bold=True)
        yield Run(middle[0] - wide / 2, middle[1] - 1.2, text, 10, True)
    else:
        yield from _upright(text, middle[0] - 3, middle[1], size=10, is_centred=True)


def _upright(
    text: str,
    x: float,
    bottom: float,
    *,
    size: float = DIMENSION,
    is_centred: bool = False,
) -> Iterator[Item]:
    """Yield a text that is read from the right, above a point or centred on it."""
    bold = size > DIMENSION
    wide = typesetting.width_mm(text, size=size, bold=bold)
    begin = x - wide / 2 if is_centred else x
    run = Run(begin, bottom + (0 if is_centred else 1), text, size, bold)
    yield Turned(x, bottom, -90, (run,))


def _edges(outline: Box, drawing: PaneDrawing) -> Iterator[Line]:
    left, top = outline.x, outline.y
    right, bottom = left + outline.width, top + outline.height
    ends = {
        "top": ((left, top), (right, top)),
        "right": ((right, top), (right, bottom)),
        "bottom": ((left, bottom), (right, bottom)),
        "left": ((left, top), (left, bottom)),
    }
    for side in drawing.edges:
        if side in ends:
            yield Line(ends[side], EDGE_THICKNESS)


def _marks(cuts: Sequence[Line]) -> Iterator[Run]:
    """Yield the numbers of the cut-outs, beside them."""
    for number, cut in enumerate(cuts, 1):
        corners = cut.points[:-1]
        right = max(x for x, _ in corners)
        middle = sum(y for _, y in corners) / len(corners)
        yield Run(right + 0.8, middle + 1, str(number), SMALL, True, INK)


def _cuts(paper: DocumentPaper, cuts: Sequence[Cut]) -> None:
    """Write the table of the cut-outs."""
    if not cuts:
        return
    titles = [
        paper.word(text)
        for text in (
            texts.PAPER_LINE,
            texts.PAPER_CUT_OUT,
            texts.PAPER_CUT_SIZE,
            texts.PAPER_CUT_X,
            texts.PAPER_CUT_Y,
        )
    ]
    _row(paper, titles, is_heading=True)
    for number, cut in enumerate(cuts, 1):
        kind = texts.PAPER_NOTCH if cut.is_notch else texts.PAPER_HOLE
        place = ["", ""] if cut.corners else [f"{cut.x:.10g}", f"{cut.y:.10g}"]
        _row(paper, [str(number), paper.word(kind), _size_of(paper, cut), *place])
    paper.y += 1
    paper.place(paper.word(texts.PAPER_CUT_PLACES), MARGIN, WIDTH, SMALL, color=GREY)
    paper.y += line_height(SMALL)


def _size_of(paper: DocumentPaper, cut: Cut) -> str:
    if cut.corners:
        corners = ", ".join(f"({x:.10g}, {y:.10g})" for x, y in cut.corners)
        return paper.word(texts.PAPER_CUT_CORNERS, corners=corners)
    if cut.type == "circle":
        return f"Ø {cut.width:.10g}"
    return f"{cut.width:.10g} × {cut.height:.10g}"


def _row(
    paper: DocumentPaper, cells: Sequence[str], *, is_heading: bool = False
) -> None:
    paper.need(6)
    if is_heading:
        paper.items.append(Box(MARGIN, paper.y, WIDTH, 5.4, fill=TINT))
    paper.y += 0.8
    ends = [*COLUMNS[1:], WIDTH]
    for cell, begin, end in zip(cells, COLUMNS, ends, strict=True):
        paper.place(cell, MARGIN + begin + 1, end - begin - 2, SIZE, bold=is_heading)
    paper.y += 4.6
    paper.rule(RULE)


def _words(paper: DocumentPaper, drawing: PaneDrawing) -> None:
    paper.y += 2
    names, edges = texts.PAPER_SIDES, drawing.edges
    sides = [
        f"{paper.word(names[side]) if side in names else side}: {words}"
        for side, words in edges.items()
    ]
    if len({*edges.values()}) == 1 and edges.keys() == names.keys():
        sides = [f"{paper.word(texts.PAPER_ALL_SIDES)}: {edges['top']}"]
    paper.named(texts.PAPER_WORKED_EDGES, " · ".join(sides))
    paper.named(texts.PAPER_CORNERS, drawing.corners)
    paper.named(texts.PAPER_TOLERANCE, drawing.tolerance)
    paper.named(texts.PAPER_REMARKS, drawing.notes)
