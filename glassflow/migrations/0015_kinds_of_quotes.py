"""Quotes of earlier releases are told apart from confirmations."""

from typing import Any

from glassflow.domain.quotes import QuoteKind
from glassflow.models.quote import Quote


def up(db: Any) -> None:
    """Name the kind of quotes, which filters of lists compare.

    They keep their versions, and no event is sent: readers have been shown this kind.
    """
    Quote.collection().update_many(
        {"kind": None}, {"$set": {"kind": str(QuoteKind.QUOTE)}}
    )
