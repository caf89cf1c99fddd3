"""PDFs and pictures are made on a thread of the pool, one job at a time in each process.

A thousand labels are seconds of computing: in a greenlet nobody else would be served.
The libraries that draw are loaded with the first job; they are not safe for two threads.
"""

from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

from gevent.lock import BoundedSemaphore

from glassflow.core.process import deadlines, native_threads
from glassflow.documents.cutting_plan import CuttingPlanOnPaper, SheetOnPaper
from glassflow.documents.delivery_note import DeliveryNote
from glassflow.documents.job_card import JobCard
from glassflow.documents.quote import QuoteOnPaper
from glassflow.domain import texts
from glassflow.domain.bilingual import Language
from glassflow.domain.errors import Busy

P = ParamSpec("P")
T = TypeVar("T")

_turns = BoundedSemaphore()


def in_turn(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function that draws when it is its turn; return what it returns.

    Raises `Busy` if the jobs of others take too long.
    """
    try:
        return native_threads.run_in_turn(
            _turns, deadlines.LABEL_QUEUE_TIMEOUT_S, function, *args, **kwargs
        )
    except native_threads.NoTurn:
        raise Busy(texts.LABEL_QUEUE_FULL) from None


def make_job_cards(cards: Sequence[JobCard]) -> bytes:
    """Return the PDF of job cards. Raises `Busy` as `in_turn` does."""
    return in_turn(_make_job_cards, cards)


def make_quote(quote: QuoteOnPaper) -> bytes:
    """Return the PDF of a quote. Raises `Busy` as `in_turn` does."""
    return in_turn(_make_quote, quote)


def make_delivery_note(note: DeliveryNote) -> bytes:
    """Return the PDF of a delivery note. Raises `Busy` as `in_turn` does."""
    return in_turn(_make_delivery_note, note)


def make_cutting_plan(plan: CuttingPlanOnPaper) -> bytes:
    """Return the PDF of a cutting plan. Raises `Busy` as `in_turn` does."""
    return in_turn(_make_cutting_plan, plan)


def make_sheet_picture(sheet: SheetOnPaper, language: Language) -> bytes:
    """Return the SVG of a sheet of a cutting plan. Raises `Busy` as `in_turn` does."""
    return in_turn(_make_sheet_picture, sheet, language)


def _make_job_cards(cards: Sequence[JobCard]) -> bytes:
    # imported here: a service that prints nothing does not load what draws
    from glassflow.documents import job_card_pages

    return job_card_pages.make(cards)


def _make_quote(quote: QuoteOnPaper) -> bytes:
    # imported here, as in `_make_job_cards`
    from glassflow.documents import quote_pages

    return quote_pages.quote_pdf(quote)


def _make_delivery_note(note: DeliveryNote) -> bytes:
    # imported here, as in `_make_job_cards`
    from glassflow.documents import delivery_note_pages

    return delivery_note_pages.delivery_note_pdf(note)


def _make_cutting_plan(plan: CuttingPlanOnPaper) -> bytes:
    # imported here, as in `_make_job_cards`
    from glassflow.documents import cutting_plan_pages

    return cutting_plan_pages.cutting_plan_pdf(plan)


def _make_sheet_picture(sheet: SheetOnPaper, language: Language) -> bytes:
    # imported here, as in `_make_job_cards`
    from glassflow.documents import cutting_plan_pages

    return cutting_plan_pages.sheet_svg(sheet, language)
