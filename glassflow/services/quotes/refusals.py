"""Why a quote is not changed, sent, answered, revised or printed."""

from collections.abc import Sequence

from glassflow.domain import texts
from glassflow.domain.errors import Conflict, Invalid, Refusal
from glassflow.models.quote import Quote


class NotDraft(Conflict):
    """The quote is no draft any more, so it stays as it is."""

    code = "QUOTE_NOT_DRAFT"

    def __init__(self, quote: Quote) -> None:
        super().__init__(texts.QUOTE_NOT_DRAFT, details={"status": quote.status})


class NotOpen(Conflict):
    """The quote has been answered, or was never sent, or a revision has replaced it."""

    code = "QUOTE_NOT_OPEN"

    def __init__(self, quote: Quote) -> None:
        super().__init__(
            texts.QUOTE_NOT_OPEN.format(number=quote.quote_number),
            details={"status": quote.status},
        )


class NotRevisable(Conflict):
    """The quote is a draft, accepted, or has a later revision."""

    code = "QUOTE_NOT_REVISABLE"

    def __init__(self, quote: Quote) -> None:
        super().__init__(
            texts.QUOTE_NOT_REVISABLE.format(number=quote.quote_number),
            details={"status": quote.status},
        )


class Expired(Conflict):
    """The last day of the quote is over: accepting it needs `pricing:manage`."""

    code = "QUOTE_EXPIRED"

    def __init__(self, quote: Quote) -> None:
        super().__init__(texts.QUOTE_EXPIRED.format(number=quote.quote_number))


class NoMail(Conflict):
    """The service sends no e-mail: it has no server, or no usable sender."""

    code = "NO_MAIL"

    def __init__(self) -> None:
        super().__init__(texts.NO_MAIL)


class NotPriced(Refusal):
    """Panes of the quote have no price; `rows` counts them from 1."""

    code = "NOT_PRICED"

    def __init__(self, rows: Sequence[int]) -> None:
        named = ", ".join(map(str, rows))
        super().__init__(texts.UNPRICED.format(rows=named), details={"rows": [*rows]})


def require_priced(quote: Quote) -> None:
    """Raise `Invalid` for a quote without panes, and `NotPriced` for panes without a price."""
    if not quote.panes:
        raise Invalid([{"field": "panes", "message": texts.NO_PANES}])
    prices = enumerate(quote.price["panes"], 1)
    if rows := [row for row, one in prices if one["total"] is None]:
        raise NotPriced(rows)
