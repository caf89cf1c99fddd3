"""Job cards laid out on A4 and drawn as a PDF.

Imports the libraries that draw, as `labels.job` does.
"""

from collections.abc import Iterator, Sequence

from glassflow.documents.job_card import JobCard, PaneKind
from glassflow.documents.pane_drawing import Cut, draw
from glassflow.drawing import paper as a4
from glassflow.drawing import qr
from glassflow.drawing.items import A4, Box, Code, Item, Line
from glassflow.drawing.paper import GREY, MARGIN, WIDTH, Paper, fitted_line
from glassflow.drawing.typesetting import ASCENT, MM_PER_PT

CODE_SIDE = 30.0  # mm, as everything below
FACT_NAME = 42.0
STATIONS_A_LINE = 4
PICTURE_WIDTH, PICTURE_HEIGHT = 62.0, 50.0


def make(cards: Sequence[JobCard]) -> bytes:
    """Return the PDF of job cards, each on pages of its own."""
    title = ", ".join(card.number for card in cards)
    return a4.draw([_paper(card) for card in cards], title=title)


def _paper(card: JobCard) -> Paper:
    paper = Paper()
    _head(paper, card)
    _route(paper, card.route)
    for kind in card.kinds:
        _kind(paper, kind)
    count = len(paper.pages)
    for number, page in enumerate(paper.pages, 1):
        foot = f"{card.number} · {number}/{count}"
        page.items += fitted_line(foot, MARGIN, A4[1] - MARGIN, WIDTH, 9, color=GREY)
    return paper


def _head(paper: Paper, card: JobCard) -> None:
    """Write the number, the code and the facts."""
    rows = qr.modules(card.code)
    module = CODE_SIDE / (len(rows) + 2 * qr.QUIET_MODULES)
    left = A4[0] - MARGIN - CODE_SIDE + qr.QUIET_MODULES * module
    paper.items.append(Code(left, MARGIN + qr.QUIET_MODULES * module, module, rows))
    paper.items.extend(
        fitted_line("ใบงาน · Job card", MARGIN, MARGIN + 4, 100, 12, color=GREY)
    )
    paper.items.extend(
        fitted_line(card.number, MARGIN, MARGIN + 17, 130, 30, bold=True)
    )
    paper.y = MARGIN + 23
    for name, value in card.facts:
        beside = paper.y < MARGIN + CODE_SIDE and len(paper.pages) == 1
        room = WIDTH - FACT_NAME - (CODE_SIDE if beside else 0)
        paper.need(6)
        baseline = paper.y + 11 * ASCENT * MM_PER_PT
        paper.items.extend(
            fitted_line(name, MARGIN, baseline, FACT_NAME - 3, 10, color=GREY)
        )
        paper.write(value, MARGIN + FACT_NAME, room, 11)
    paper.y += 3


def _route(paper: Paper, route: Sequence[str]) -> None:
    """Write the stations with a box each, to be ticked; nothing for no route."""
    if not route:
        return
    width = WIDTH / STATIONS_A_LINE
    for first in range(0, len(route), STATIONS_A_LINE):
        paper.need(9)
        for column, name in enumerate(route[first : first + STATIONS_A_LINE]):
            x = MARGIN + column * width
            paper.items.append(Box(x, paper.y, 4.5, 4.5, stroke=0.4))
            text = f"{first + column + 1}. {name}"
            paper.items.extend(fitted_line(text, x + 6, paper.y + 3.6, width - 8, 10))
        paper.y += 9
    paper.y += 2


def _kind(paper: Paper, kind: PaneKind) -> None:
    """Draw a kind of panes beside its words."""
    paper.need(PICTURE_HEIGHT + 6)
    paper.items.append(Box(MARGIN, paper.y, WIDTH, 0.3, fill=GREY))
    paper.y += 3
    paper.items.extend(_picture(kind, MARGIN, paper.y))
    page, bottom = len(paper.pages), paper.y + PICTURE_HEIGHT
    x, room = MARGIN + PICTURE_WIDTH + 4, WIDTH - PICTURE_WIDTH - 4
    for text, size, bold in _words(kind):
        paper.write(text, x, room, size, bold=bold)
        paper.y += 0.8
    below = bottom if len(paper.pages) == page else MARGIN
    paper.y = max(paper.y, below) + 3
    _route(paper, kind.route)


def _words(kind: PaneKind) -> Iterator[tuple[str, float, bool]]:
    """Yield what is written about a kind: text, size in points, bold."""
    size = f"{kind.width:.10g} × {kind.height:.10g} มม." if kind.width else "–"
    yield f"{size} · {len(kind.numbers)} แผ่น · pcs", 15, True
    if kind.glass:
        yield kind.glass, 12, True
    if kind.material:
        yield f"วัสดุ · Material: {kind.material}", 11, False
    if kind.sheets > 1:
        yield f"ลามิเนต {kind.sheets} ชั้น · laminated, {kind.sheets} sheets", 11, False
    for number, cut in enumerate(kind.cuts, 1):
        yield f"{number}. {_cut_in_words(cut)}", 10, False
    for edge in kind.edges:
        yield edge, 10, False
    if kind.checks:
        yield f"ตรวจก่อนเริ่มงาน · Check before work: {'; '.join(kind.checks)}", 10, True
    if kind.notes:
        yield f"หมายเหตุ · Notes: {kind.notes}", 10, False
    yield ", ".join(kind.numbers), 9, False


def _cut_in_words(cut: Cut) -> str:
    name = "บาก · notch" if cut.is_notch else "รู · hole"
    if cut.type == "circle":
        size = f"Ø{cut.width:.10g}"
    else:
        size = f"{cut.width:.10g} × {cut.height:.10g}"
    return f"{name} {size} · x {cut.x:.10g} y {cut.y:.10g}"


def _picture(kind: PaneKind, x: float, y: float) -> list[Item]:
    """Return the pane to scale: outline, worked sides, cuts with numbers, sizes."""
    if not (kind.width > 0 and kind.height > 0):
        return [Box(x, y, PICTURE_WIDTH, PICTURE_HEIGHT, stroke=0.2, color=GREY)]
    room = (PICTURE_WIDTH - 14, PICTURE_HEIGHT - 8)
    left, top = x + 13, y + 7
    outline, cuts = draw(
        (kind.width, kind.height), kind.cuts, at=(left, top), room=room
    )
    wide, high = outline.width, outline.height
    items: list[Item] = [outline]
    ends = {
        "top": ((left, top), (left + wide, top)),
        "right": ((left + wide, top), (left + wide, top + high)),
        "bottom": ((left, top + high), (left + wide, top + high)),
        "left": ((left, top), (left, top + high)),
    }
    items += [Line(ends[side], 1.1) for side in kind.sides]
    items += fitted_line(f"{kind.width:.10g}", left, top - 1.5, max(wide, 16), 10)
    items += fitted_line(f"{kind.height:.10g}", x, top + high / 2 + 1.5, 11.5, 10)

    for number, cut in enumerate(cuts, 1):
        corners = cut.points[:-1]
        items.append(cut)
        right = max(corner[0] for corner in corners)
        middle = sum(corner[1] for corner in corners) / len(corners)
        items += fitted_line(str(number), right + 0.6, middle + 1, 6, 7, bold=True)
    return items
