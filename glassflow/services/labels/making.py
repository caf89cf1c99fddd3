"""Labels and documents are made on a thread of the pool, one job at a time in each process.

A thousand labels are seconds of computing: in a greenlet nobody else would be served.
The libraries that draw are loaded with the first job; they are not safe for two threads.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from gevent.lock import BoundedSemaphore

from glassflow.core.process import deadlines, native_threads
from glassflow.documents.delivery_note import DeliveryNote
from glassflow.documents.job_card import JobCard
from glassflow.documents.quote import QuoteOnPaper
from glassflow.domain import texts
from glassflow.domain.errors import Busy, Invalid
from glassflow.labels.sheets import SHEETS, SINGLE, Sheet
from glassflow.labels.template import Template
from glassflow.services.labels.selection import Selected

if TYPE_CHECKING:
    from glassflow.labels.job import Made

P = ParamSpec("P")
T = TypeVar("T")

_turns = BoundedSemaphore()


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
    return _in_turn(_make, selected.template, labels, paper, sheet)


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


def make_job_cards(cards: Sequence[JobCard]) -> bytes:
    """Return the PDF of job cards. Raises `Busy` as `make` does."""
    return _in_turn(_make_job_cards, cards)


def make_quote(quote: QuoteOnPaper) -> bytes:
    """Return the PDF of a quote. Raises `Busy` as `make` does."""
    return _in_turn(_make_quote, quote)


def make_delivery_note(note: DeliveryNote) -> bytes:
    """Return the PDF of a delivery note. Raises `Busy` as `make` does."""
    return _in_turn(_make_delivery_note, note)


def _in_turn(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return native_threads.run_in_turn(
            _turns, deadlines.LABEL_QUEUE_TIMEOUT_S, function, *args, **kwargs
        )
    except native_threads.NoTurn:
        raise Busy(texts.LABEL_QUEUE_FULL) from None


def _make_job_cards(cards: Sequence[JobCard]) -> bytes:
    # imported here, as in `_make`
    from glassflow.documents import job_card_pages

    return job_card_pages.make(cards)


def _make_quote(quote: QuoteOnPaper) -> bytes:
    # imported here, as in `_make`
    from glassflow.documents import quote_pages

    return quote_pages.quote_pdf(quote)


def _make_delivery_note(note: DeliveryNote) -> bytes:
    # imported here, as in `_make`
    from glassflow.documents import delivery_note_pages

    return delivery_note_pages.delivery_note_pdf(note)


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
