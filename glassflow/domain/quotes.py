"""Quotes: what a customer is offered, from the draft to the answer.

A draft may change. Once sent, a quote stays as it is: a change is a new revision, a draft
with the panes and prices of the quote, which is superseded when the revision is sent. A
quote is valid through the day of `validUntil` in the time zone of the workshop. A sent one
that was not answered by then expires. One answer is final: it is accepted or rejected once.
"""

import re
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from glassflow.domain import calendar
from glassflow.domain.aliases import Raw


class QuoteStatus(StrEnum):
    """Where a quote is."""

    DRAFT = "draft"
    SENT = "sent"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"


class QuoteKind(StrEnum):
    """What a quote is for."""

    QUOTE = "quote"  # panes that a customer may order
    CONFIRMATION = "confirmation"  # a request as it stands, which the customer confirms


class CustomerNoteKind(StrEnum):
    """What a customer did by the link of a quote, besides accepting or declining it."""

    CHANGE = "change"  # they want it changed
    NOTE = "note"  # they confirmed, and wrote this
    FAILED = "failed"  # they accepted it, and the service refused


class LeftOut(StrEnum):
    """What the panes of an accepted quote do without, because it was deleted."""

    STATION = "station"
    MATERIAL = "material"
    ROUTE = "route"  # of a pane that needs a lamination, and has none any more

    @classmethod
    def of(cls, kind: str) -> "LeftOut":
        """Return what a record of this kind is to a pane."""
        return cls(kind.lower())


MOST_CUSTOMER_NOTES = 20  # that a quote keeps, the last ones

# An accepted quote has become a request: another offer is another quote.
REVISABLE = frozenset(
    {
        QuoteStatus.SENT,
        QuoteStatus.REJECTED,
        QuoteStatus.EXPIRED,
        QuoteStatus.SUPERSEDED,
    }
)
# Those that wait for an answer, also where it comes late.
OPEN = frozenset({QuoteStatus.SENT, QuoteStatus.EXPIRED})

_REVISION = re.compile(r"-R\d+$")


def revision_number(number: str, revision: int) -> str:
    """Return the number of a later revision: ``QUO-0001-R2``, whichever `number` is of."""
    return f"{_REVISION.sub('', number)}-R{revision}"


def quantity(row: Raw) -> int:
    """Return how many equal panes a row of a quote is for."""
    return int(row.get("quantity") or 1)


def end_of_last_day(valid_until: datetime, zone: ZoneInfo) -> datetime:
    """Return when the last day of a quote is over; moments are naive UTC."""
    return calendar.day_start(valid_until, zone, 1)


def has_expired(valid_until: datetime, now: datetime, zone: ZoneInfo) -> bool:
    """Return whether the last day of a quote is over; moments are naive UTC."""
    return valid_until < calendar.day_start(now, zone)
