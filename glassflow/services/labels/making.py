"""Labels made of what is selected: a PDF, a picture or the data of a label printer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from glassflow.domain import texts
from glassflow.domain.errors import Invalid
from glassflow.labels.sheets import SHEETS, SINGLE, Sheet
from glassflow.labels.template import Template
from glassflow.services.labels.selection import Selected
from glassflow.services.printing import in_turn

if TYPE_CHECKING:
    from glassflow.labels.job import Made


@dataclass(frozen=True, slots=True)
class Paper:
    """How labels are put on paper: see `labels.job.Job`, whose fields these are."""

    format: str = "pdf"
    layout: str = SINGLE
    skip: int = 0
    copies: int = 1
    dpi: int = 203
    page: int = 1
    nudge: tuple[float, float] = (0.0, 0.0)


def make(selected: Selected, paper: Paper, sheets: Sequence[Sheet]) -> "Made":
    """Make labels; `sheets` are a workshop's own, which are found before the others.

    Raises `Invalid` for an unknown layout and for what no label can show, `Busy` if the
    labels of others take too long.
    """
    sheet = find_sheet(paper.layout, sheets)
    labels = [(one.name, one.values) for one in selected.sources]
    return in_turn(_make, selected.template, labels, paper, sheet)


def warning_rows(made: "Made") -> list[dict[str, Any]]:
    """Return what may not look as meant as clients read it."""
    return [
        {
            "code": one.warning.code,
            "element": one.warning.element,
            "detail": one.warning.detail,
            "label": one.label,
            "labels": one.labels,
        }
        for one in made.warnings
    ]


def find_sheet(layout: str, own: Sequence[Sheet]) -> Sheet | None:
    """Return the sheet of a layout; None for single labels. Raises `Invalid`."""
    if layout == SINGLE:
        return None
    found = next((one for one in (*own, *SHEETS) if one.name == layout), None)
    if found is None:
        names = ", ".join([SINGLE, *(one.name for one in (*own, *SHEETS))])
        message = texts.LABEL_LAYOUTS.format(layouts=names)
        raise Invalid([{"field": "layout", "message": message}])
    return found


def _make(
    template: Template,
    labels: Sequence[tuple[str, dict[str, str]]],
    paper: Paper,
    sheet: Sheet | None,
) -> "Made":
    # imported here: a service that prints no labels does not load what draws them
    from glassflow.labels import job

    return job.make(
        job.Job(
            labels=[job.Wanted(name, template, values) for name, values in labels],
            format=paper.format,
            sheet=sheet,
            skip=paper.skip,
            copies=paper.copies,
            dpi=paper.dpi,
            page=paper.page,
            nudge=paper.nudge,
        )
    )
