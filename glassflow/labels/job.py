"""One order for labels, from templates and values to a file. Plain values in and out.

Imports all the libraries that draw: import it where a label is made. Not safe for two
threads at once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from glassflow.domain import texts
from glassflow.domain.errors import Invalid
from glassflow.drawing import pdf
from glassflow.drawing.items import LabelWarning, LaidOut
from glassflow.labels import raster, zpl
from glassflow.labels.layout import lay_out
from glassflow.labels.sheets import Sheet, place
from glassflow.labels.template import Template

MEDIA_TYPES = {
    "pdf": "application/pdf",
    "png": "image/png",
    "zpl": "application/x-zpl",
    "json": "",  # nothing is drawn: how many pages there are, and the warnings
}
# Thermal printers have whole dots per mm at the usual 203 dpi.
DOTS_PER_MM = {203: 8.0, 300: 300 / 25.4, 600: 600 / 25.4}
SHEET_PNG_DPI = 150
# Limits of one job, so that it takes seconds and tens of megabytes.
MAX_ELEMENTS = 40_000  # of all its labels and copies
MAX_PAGE_PIXELS = 60_000_000
MAX_PIXELS = 400_000_000


class Wanted(NamedTuple):
    """One label: what it is called, its template and the values of its variables."""

    name: str
    template: Template
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class Job:
    """Labels and how they are wanted; without a `sheet` each is a page.

    `skip` cells of the first sheet stay empty, `nudge` moves all labels of a sheet by mm.
    `page` is the page of a PNG, from 1.
    """

    labels: Sequence[Wanted]
    format: str = "pdf"
    sheet: Sheet | None = None
    skip: int = 0
    copies: int = 1
    dpi: int = 203
    page: int = 1
    nudge: tuple[float, float] = (0.0, 0.0)


class Warned(NamedTuple):
    """A warning about an element: the first label that has it, and how many do."""

    warning: LabelWarning
    label: str
    labels: int


@dataclass(frozen=True, slots=True)
class Made:
    """The file, its number of pages, and what may not look as meant."""

    content: bytes
    media_type: str
    pages: int
    warnings: tuple[Warned, ...]


def make(job: Job) -> Made:
    """Make the labels. Raises `Invalid` for what no label can show."""
    _require_bounded(job)
    dots = 0.0 if job.sheet else DOTS_PER_MM[job.dpi]
    laid_out = [
        lay_out(one.template, one.values, dots_per_mm=dots) for one in job.labels
    ]
    warned = list(_scaled(job, job.sheet, laid_out)) if job.sheet else []
    for one, label in zip(job.labels, laid_out, strict=True):
        warned += [(warning, one.name) for warning in label.warnings]
    pages = list(_pages(job, laid_out, dots))
    content = _content(job, pages, laid_out, dots)
    return Made(content, MEDIA_TYPES[job.format], len(pages), _counted(warned))


def _require_bounded(job: Job) -> None:
    elements = sum(1 + len(one.template.elements) for one in job.labels) * job.copies
    if elements > MAX_ELEMENTS:
        raise Invalid([{"field": "copies", "message": texts.LABELS_TOO_MUCH}])


def _scaled(
    job: Job, sheet: Sheet, laid_out: Sequence[LaidOut]
) -> Iterator[tuple[LabelWarning, str]]:
    placed = place(sheet, ((one.width, one.height) for one in laid_out))
    for one, label in zip(job.labels, placed, strict=True):
        if label.scale < 1:
            percent = f"{label.scale * 100:.0f} %"
            yield LabelWarning("LABEL_SCALED", one.template.name, percent), one.name


def _pages(job: Job, laid_out: Sequence[LaidOut], dots: float) -> Iterator[pdf.Page]:
    copies = 1 if job.format == "zpl" else job.copies  # a printer repeats them itself
    repeated = [label for label in laid_out for _ in range(copies)]
    if job.sheet is None:
        for label in repeated:
            # of whole dots, so that those of the codes stay whole on the page
            width, height = (
                round(side * dots) / dots for side in (label.width, label.height)
            )
            yield pdf.Page(width, height, [pdf.Drawn(label)])
        return
    sizes = ((label.width, label.height) for label in repeated)
    placed = place(job.sheet, sizes, skip=job.skip, nudge=job.nudge)
    cells = zip(placed, repeated, strict=True)
    for _, group in groupby(cells, key=lambda cell: cell[0].page):
        yield pdf.Page(
            *job.sheet.page,
            [pdf.Drawn(label, at.x, at.y, at.scale) for at, label in group],
        )


def _content(
    job: Job, pages: Sequence[pdf.Page], laid_out: Sequence[LaidOut], dots: float
) -> bytes:
    if job.format == "json":
        return b""
    title = ", ".join(one.name for one in job.labels[:3])
    if job.format == "png":
        if not 1 <= job.page <= len(pages):
            message = texts.LABEL_PAGES.format(pages=len(pages))
            raise Invalid([{"field": "page", "message": message}])
        pages = pages[job.page - 1 : job.page]
    drawn = pdf.draw(pages, title=title)
    if job.format == "pdf":
        return drawn
    per_mm = dots or SHEET_PNG_DPI / 25.4
    sizes = [_pixels(page, per_mm) for page in pages]
    areas = [width * height for width, height in sizes]
    if max(areas) > MAX_PAGE_PIXELS or sum(areas) > MAX_PIXELS:
        raise Invalid([{"field": "dpi", "message": texts.LABELS_TOO_MUCH}])
    pictures = raster.gray(drawn, sizes)
    if job.format == "png":
        return b"".join(raster.png(one, dpi=per_mm * 25.4) for one in pictures)
    return b"".join(
        zpl.label(raster.black_and_white(one), copies=job.copies) for one in pictures
    )


def _pixels(page: pdf.Page, per_mm: float) -> tuple[int, int]:
    return round(page.width * per_mm), round(page.height * per_mm)


def _counted(warned: Sequence[tuple[LabelWarning, str]]) -> tuple[Warned, ...]:
    """Return one row for each kind of warning about an element, in order of discovery."""
    rows: dict[tuple[str, str], Warned] = {}
    for warning, label in warned:
        key = (warning.code, warning.element)
        first = rows.get(key, Warned(warning, label, 0))
        rows[key] = first._replace(labels=first.labels + 1)
    return tuple(rows.values())
