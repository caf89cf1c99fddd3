"""Cutting plans laid out on A4 and drawn as a PDF: what is cut, then a page for each sheet.

Imports the libraries that draw, as `labels.job` does.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from glassflow.documents import cutting_plan_drawing as drawing
from glassflow.documents import dates, pane_numbers
from glassflow.documents.cutting_plan import CuttingPlanOnPaper, SheetOnPaper
from glassflow.documents.cutting_plan_tables import (
    ROW,
    SECTION_HEIGHT,
    PlanPaper,
    height_of,
    write_panes,
    write_sheets,
)
from glassflow.documents.document_paper import INK, SIZE, SMALL, TINT
from glassflow.documents.letterhead import write_head
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual, Language
from glassflow.domain.cutting.stages import PaneOnSheet
from glassflow.drawing import paper as a4
from glassflow.drawing import qr, svg, typesetting
from glassflow.drawing.items import Box, Code, Item
from glassflow.drawing.paper import BOTTOM, GREY, MARGIN, WIDTH, line_height

CODE_SIDE = 30.0  # mm, as everything below
FIGURES_HEIGHT = 17.0
LEGEND_HEIGHT = 7.0
SAMPLE = (7.0, 4.0)
# A drawing that has less of the height that it could have leaves the table to other pages.
LEAST_OF_HEIGHT = 0.6

Sample = tuple[Callable[[Box], Iterable[Item]], Bilingual]
LEGEND: Sequence[Sample] = (
    (drawing.waste, texts.SHEET_PAPER_WASTE),
    (drawing.remnant, texts.SHEET_PAPER_KEPT),
    (drawing.fault, texts.SHEET_PAPER_DEFECT),
    (drawing.left_out, texts.PANE_ON_SHEET_STATES["left"]),
    (drawing.broken, texts.PANE_ON_SHEET_STATES["broken"]),
)


def cutting_plan_pdf(plan: CuttingPlanOnPaper) -> bytes:
    """Return a cutting plan as a PDF in its language.

    It is called as `quote_pages.quote_pdf` is: on a native thread, one at a time.
    """
    paper = PlanPaper(plan)
    printed = dates.moment_written(plan.printed_at, paper.language)
    status = paper.word(texts.PLAN_STATUSES[plan.status])
    write_head(
        paper,
        [(texts.PLAN_PAPER_STATUS, status), (texts.PLAN_PAPER_PRINTED, printed)],
    )
    _material(paper)
    _figures(paper)
    paper.named(texts.PAPER_REMARKS, plan.notes)
    paper.y += 2
    if plan.sheets:
        write_sheets(paper, plan.sheets)
    else:
        paper.write(paper.word(texts.PLAN_EMPTY), MARGIN, WIDTH, SIZE)
        paper.y += 4
    _unplanned(paper)
    for sheet in plan.sheets:
        _sheet(paper, sheet)
    paper.number_pages()
    return a4.draw([paper], title=plan.number)


def sheet_svg(sheet: SheetOnPaper, language: Language) -> bytes:
    """Return the drawing of a sheet as SVG; it is called as `cutting_plan_pdf` is."""
    return svg.draw(drawing.picture(sheet, language), title=sheet.code)


def _material(paper: PlanPaper) -> None:
    plan = paper.plan
    said = plan.material
    mm = texts.PAPER_THICKNESS.format(mm=f"{plan.thickness:.10g}")
    is_named = any(mm.in_language(one) in said for one in Language)
    if plan.thickness and not is_named:
        said = f"{said} · {paper.word(mm)}"
    paper.write(said, MARGIN, WIDTH, 15, bold=True, color=INK)
    paper.y += 2


def _figures(paper: PlanPaper) -> None:
    """Write the figures of the plan beside each other."""
    sheets = paper.plan.sheets
    remnants = sum(one.is_remnant for one in sheets)
    use = paper.plan.use_percent
    shown = {
        "panes": f"{sum(len(one.panes) for one in sheets):,}",
        "sheets": f"{len(sheets) - remnants:,}",
        "remnants": f"{remnants:,}",
        "use": "–" if use is None else f"{use:.1f} %",
        "made": f"{sum(one.kept for one in sheets):,}",
    }
    paper.items.append(Box(MARGIN, paper.y, WIDTH, FIGURES_HEIGHT - 3, fill=TINT))
    top, wide = paper.y, WIDTH / len(shown)
    for number, (name, figure) in enumerate(shown.items()):
        x = MARGIN + number * wide + 2
        paper.y = top + 1.2
        paper.place(figure, x, wide - 4, 16, align=0.5, bold=True, color=INK)
        paper.y += line_height(16) - 0.4
        word = paper.word(texts.PLAN_PAPER_FIGURES[name])
        paper.place(word, x, wide - 4, SMALL, align=0.5, color=GREY)
    paper.y = top + FIGURES_HEIGHT


def _unplanned(paper: PlanPaper) -> None:
    """Write the panes that the plan cannot have, by the reason."""
    if not paper.plan.unplanned:
        return
    paper.need(SECTION_HEIGHT + 2 * ROW)
    paper.section(paper.word(texts.PLAN_PAPER_UNPLANNED))
    for reason, numbers in paper.plan.unplanned:
        paper.need(2 * ROW)
        name = f"{paper.word(texts.LEFT_OUT_REASONS[reason])} ({len(numbers):,})"
        paper.write(name, MARGIN, WIDTH, SIZE, bold=True)
        written = pane_numbers.written(numbers, paper.language)
        paper.write(written, MARGIN, WIDTH, SIZE, color=GREY)
        paper.y += 1.5


def _sheet(paper: PlanPaper, sheet: SheetOnPaper) -> None:
    """Write a sheet: its head, its drawing, and the table of its panes."""
    paper.name = sheet.code
    paper.begin_page()
    _head(paper, sheet)
    free = (WIDTH, BOTTOM - paper.y - LEGEND_HEIGHT)
    beside = free[1] - height_of(len(sheet.panes)) - 1
    highest = drawing.size_in(sheet, free)[1] + drawing.BESIDE
    room = (WIDTH, beside if beside >= LEAST_OF_HEIGHT * highest else free[1])
    wide = drawing.size_in(sheet, room)[0] + drawing.BESIDE
    at = (MARGIN + (WIDTH - wide) / 2, paper.y)
    drawn = drawing.draw(sheet, at=at, room=room, language=paper.language)
    paper.items.extend(drawn.items)
    paper.y = drawn.bottom + 2
    _legend(paper, sheet)
    write_panes(paper, sheet.panes)


def _head(paper: PlanPaper, sheet: SheetOnPaper) -> None:
    """Write what a sheet is and where it lies, and the code of its page."""
    top = paper.y
    rows = qr.modules(sheet.code)
    module = CODE_SIDE / (len(rows) + 2 * qr.QUIET_MODULES)
    quiet = qr.QUIET_MODULES * module
    # its quiet zone may be outside of what is written
    left = MARGIN + WIDTH - CODE_SIDE + quiet
    paper.items.append(Code(left, top + quiet / 2, module, rows))
    width = WIDTH - CODE_SIDE
    paper.place(sheet.code, MARGIN, width, 26, bold=True, color=INK)
    paper.y += line_height(26)
    size = f"{sheet.width:.10g} × {sheet.height:.10g}"
    title = paper.word(
        texts.SHEET_PAPER_TITLE,
        number=sheet.number,
        count=len(paper.plan.sheets),
        size=size,
    )
    paper.write(title, MARGIN, width, 12, bold=True)
    for said in _said(paper, sheet):
        paper.write(said, MARGIN, width, 10.5)
    paper.y = max(paper.y, top + CODE_SIDE - 2) + 2


def _said(paper: PlanPaper, sheet: SheetOnPaper) -> Iterator[str]:
    """Yield the lines about a sheet."""
    kind = paper.word(texts.SHEET_PAPER_REMNANT) if sheet.is_remnant else ""
    lot = paper.word(texts.SHEET_PAPER_LOT, lot=sheet.lot)
    yield " · ".join(filter(None, (lot, kind, sheet.location, sheet.color)))
    yield paper.word(
        texts.SHEET_PAPER_USE,
        count=len(sheet.panes),
        percent=f"{sheet.use_percent:.1f}",
    )
    if sheet.cut_at:
        moment = dates.moment_written(sheet.cut_at, paper.language)
        yield paper.word(texts.SHEET_PAPER_CUT, moment=moment, name=sheet.cut_by)
    if sheet.remnants:
        lots = ", ".join(sheet.remnants)
        yield paper.word(texts.SHEET_PAPER_MADE, lots=lots)


def _legend(paper: PlanPaper, sheet: SheetOnPaper) -> None:
    """Write what the fillings mean that the drawing of a sheet has."""
    states = {one.state for one in sheet.panes}
    has = (
        any(not one.is_kept for one in sheet.rests),
        any(one.is_kept for one in sheet.rests),
        bool(sheet.defects),
        PaneOnSheet.LEFT in states,
        PaneOnSheet.BROKEN in states,
    )
    x = MARGIN + drawing.BESIDE
    for (sample, text), is_shown in zip(LEGEND, has, strict=True):
        if is_shown:
            word = paper.word(text)
            wide = typesetting.width_mm(word, size=SMALL, bold=False)
            paper.items.extend(sample(Box(x, paper.y, *SAMPLE)))
            paper.place(word, x + SAMPLE[0] + 1.5, wide, SMALL, color=GREY)
            x += SAMPLE[0] + wide + 6
    paper.y += LEGEND_HEIGHT - 2
