"""What orders and deliveries take over from the quotes that their requests were made of."""

from collections.abc import Iterable
from typing import Any

from bson import ObjectId

from glassflow.domain.quotes import QuoteKind, QuoteStatus
from glassflow.models.quote import Quote

# The least priority that stations show as urgent.
RUSH_PRIORITY = 1


def priority_of(request: ObjectId | None) -> int:
    """Return the priority of an order of a request: `RUSH_PRIORITY` if its quote was urgent, else 0."""
    if request is None:
        return 0
    query = {**_accepted([request]), "isRush": True}
    return RUSH_PRIORITY if Quote.find_one(query) else 0


def language_of(requests: Iterable[ObjectId]) -> str | None:
    """Return the language of the quotes of requests; None without a quote, or for several."""
    rows = Quote.collection().find(_accepted([*requests]), {"language": 1})
    found = {str(row["language"]) for row in rows}
    return found.pop() if len(found) == 1 else None


def _accepted(requests: list[ObjectId]) -> dict[str, Any]:
    return {
        "request": {"$in": requests},
        "kind": str(QuoteKind.QUOTE),
        "status": str(QuoteStatus.ACCEPTED),
    }
