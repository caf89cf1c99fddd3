"""The tables of a cutting plan: its sheets, and the panes of one sheet.

Imports the libraries that draw, as `labels.job` does.
"""

from collections.abc import Sequence

from glassflow.documents.cutting_plan import (
    CuttingPlanOnPaper,
    PlacedPane,
    SheetOnPaper,
)
from glassflow.documents.cutting_plan_drawing import FAULT, sides
from glassflow.documents.document_paper import (
    HEADING_HEIGHT,
    INK,
    SIZE,
    Column,
    DocumentPaper,
    Text,
    shortened,
)
from glassflow.domain import texts
from glassflow.domain.cutting.stages import PaneOnSheet
from glassflow.drawing import typesetting
from glassflow.drawing.items import BLACK, Line
from glassflow.drawing.paper import GREY, MARGIN, WIDTH, line_height

ROW = 5.6  # mm, as everything below
ABOVE = 0.7  # a text, in its row
SECTION_HEIGHT = 7.0
SECTION_SIZE = 11.0  # points

NUMBER = Column(texts.PAPER_LINE, MARGIN, 9, 0.5)
LOT = Column(texts.PLAN_PAPER_LOT, 23, 30, 0)
LOCATION = Column(texts.PLAN_PAPER_LOCATION, 55, 36, 0)
SIZE_OF_SHEET = Column(texts.PAPER_SIZE, 93, 26, 0.5)
PANES = Column(texts.PLAN_PAPER_PANES, 121, 15, 1)
USE = Column(texts.PLAN_PAPER_USE, 138, 16, 1)
MADE = Column(texts.PLAN_PAPER_MADE, 156, 18, 1)
IS_CUT = Column(texts.PLAN_PAPER_IS_CUT, 178, 19, 0.5)
OF_SHEETS = (NUMBER, LOT, LOCATION, SIZE_OF_SHEET, PANES, USE, MADE, IS_CUT)

POSITION = Column(texts.SHEET_PAPER_POSITION, MARGIN, 9, 0.5)
PANE = Column(texts.SHEET_PAPER_PANE, 23, 29, 0)
MARK = Column(texts.SHEET_PAPER_MARK, 54, 27, 0)
SIZE_OF_PANE = Column(texts.PAPER_SIZE, 83, 25, 0.5)
ORDER = Column(texts.SHEET_PAPER_ORDER, 110, 24, 0)
STATION = Column(texts.SHEET_PAPER_STATION, 136, 37, 0)
RACK = Column(texts.SHEET_PAPER_RACK, 175, 22, 0)
OF_PANES = (POSITION, PANE, MARK, SIZE_OF_PANE, ORDER, STATION, RACK)
# Instead of the next station and the rack: why a pane is not cut.
STATE = Column(texts.SHEET_PAPER_STATION, STATION.x, 61, 0)

Cell = tuple[Column, Text]


class PlanPaper(DocumentPaper):
    """The pages of one cutting plan; `name` is what each page but the first one repeats."""

    def __init__(self, plan: CuttingPlanOnPaper) -> None:
        self.plan, self.name = plan, plan.number
        super().__init__(plan, title=texts.PLAN_PAPER, columns=OF_SHEETS)

    def repeat_head(self) -> None:
        """Write the number of the plan, or of its present sheet, and the material."""
        material = shortened(self.plan.material, 90)
        self.write_repeated(f"{self.word(self.title)} {self.name}", material)

    def section(self, title: str) -> None:
        """Write the title of what follows."""
        self.place(title, MARGIN, WIDTH, SECTION_SIZE, bold=True, color=INK)
        self.y += SECTION_HEIGHT

    def begin_table(self, columns: Sequence[Column]) -> None:
        """Write the names of columns, on a page that has room for a row below them."""
        self.columns = columns
        self.need(HEADING_HEIGHT + ROW)
        self.heading()

    def row(self, cells: Sequence[Cell]) -> None:
        """Write a row, each text into one line: smaller, then cut."""
        self.need(ROW)
        top = self.y
        self.y += ABOVE
        for column, text in cells:
            fitted = typesetting.fit_line(
                text.text, width=column.width, size=text.size, bold=text.bold
            )
            self.place(
                fitted.lines[0],
                column.x,
                column.width,
                fitted.size,
                align=column.align,
                bold=text.bold,
                color=text.color,
            )
        self.y = top + ROW
        self.rule()


def write_sheets(paper: PlanPaper, sheets: Sequence[SheetOnPaper]) -> None:
    """Write the table of the sheets."""
    paper.need(SECTION_HEIGHT + HEADING_HEIGHT + ROW)
    paper.section(paper.word(texts.PLAN_PAPER_SHEETS))
    paper.begin_table(OF_SHEETS)
    for sheet in sheets:
        paper.row(_cells_of_sheet(paper, sheet))
    paper.has_heading = False
    paper.y += 4


def _cells_of_sheet(paper: PlanPaper, sheet: SheetOnPaper) -> list[Cell]:
    place = " · ".join(filter(None, (sheet.location, sheet.color)))
    lot = sheet.lot
    if sheet.is_remnant:
        lot += f" ({paper.word(texts.SHEET_PAPER_REMNANT)})"
    made = len(sheet.remnants) if sheet.cut_at else sheet.kept
    is_cut = paper.word(texts.PANE_ON_SHEET_STATES["cut"]) if sheet.cut_at else "–"
    return [
        (NUMBER, Text(str(sheet.number), bold=True)),
        (LOT, Text(lot)),
        (LOCATION, Text(place)),
        (SIZE_OF_SHEET, Text(f"{sheet.width:.10g} × {sheet.height:.10g}")),
        (PANES, Text(str(len(sheet.panes)))),
        (USE, Text(f"{sheet.use_percent:.1f} %")),
        (MADE, Text(str(made) if made else "–")),
        (IS_CUT, Text(is_cut)),
    ]


def height_of(panes: int) -> float:
    """Return the height in mm of the table of so many panes."""
    return HEADING_HEIGHT + panes * ROW


def write_panes(paper: PlanPaper, panes: Sequence[PlacedPane]) -> None:
    """Write the table of the panes of a sheet, in the order in which they break out."""
    paper.begin_table(OF_PANES)
    for number, pane in enumerate(panes, 1):
        paper.row(_cells_of_pane(paper, number, pane))
        if pane.is_struck:
            middle = paper.y - ROW + ABOVE + line_height(SIZE) * 0.55
            ends = ((PANE.x, middle), (ORDER.x + ORDER.width, middle))
            paper.items.append(Line(ends, 0.25, GREY))
    paper.has_heading = False


def _cells_of_pane(paper: PlanPaper, number: int, pane: PlacedPane) -> list[Cell]:
    color = GREY if pane.is_struck else BLACK
    mark = " · ".join(filter(None, (pane.mark, pane.sheet_label)))
    cells = [
        (POSITION, Text(str(number), bold=True, color=color)),
        (PANE, Text(pane.number, color=color)),
        (MARK, Text(mark, color=color)),
        (SIZE_OF_PANE, Text(sides(pane.place), color=color)),
        (ORDER, Text(pane.order, color=color)),
    ]
    if pane.is_struck:
        return [*cells, (STATE, Text(_why(paper, pane), bold=True, color=FAULT))]
    return [*cells, (STATION, Text(pane.next_station)), (RACK, Text(pane.rack))]


def _why(paper: PlanPaper, pane: PlacedPane) -> str:
    """Return the state of a pane, and the reason if there is one."""
    state = paper.word(texts.PANE_ON_SHEET_STATES[pane.state])
    if pane.state != PaneOnSheet.LEFT or pane.reason is None:
        return state
    return f"{state}: {paper.word(texts.LEFT_OUT_REASONS[pane.reason])}"
