"""Why a quote is not changed, sent, mailed, answered, revised or printed."""

import math
from collections.abc import Mapping
from datetime import datetime, timedelta

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.domain import mail, texts
from glassflow.domain.bilingual import listed
from glassflow.domain.calendar import in_zone
from glassflow.domain.errors import Conflict, Invalid, Refusal, TooManyAttempts
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


class TooManyMails(TooManyAttempts):
    """The worker has asked for as many mails as are allowed, until the end of a period."""

    code = "TOO_MANY_MAILS"

    def __init__(self, until: datetime) -> None:
        zone = runtime.current().policy.timezone
        resumes = in_zone(until + timedelta(minutes=1, milliseconds=-1), zone)
        message = texts.TOO_MANY_MAILS.format(
            maximum=mail.MAX_ASKED, time=f"{resumes:%H:%M}"
        )
        wait_s = (until - clock.now()).total_seconds()
        super().__init__(message, retry_after=max(1, math.ceil(wait_s)))


class NotPriced(Refusal):
    """Panes of the quote have no price: `missing` is why, by their rows from 1."""

    code = "NOT_PRICED"

    def __init__(self, missing: Mapping[int, str]) -> None:
        rows: dict[str, list[int]] = {}
        for row, reason in missing.items():
            rows.setdefault(reason, []).append(row)
        named = listed(
            texts.UNPRICED_ROWS.format(
                rows=", ".join(map(str, of_reason)), reason=texts.PRICE_LACKS[reason]
            )
            for reason, of_reason in rows.items()
        )
        details = {
            "rows": [*missing],
            "missing": {str(row): reason for row, reason in missing.items()},
        }
        super().__init__(texts.UNPRICED.format(rows=named), details=details)


def require_priced(quote: Quote) -> None:
    """Raise `Invalid` for a quote without panes, and `NotPriced` for panes without a price."""
    if not quote.panes:
        raise Invalid([{"field": "panes", "message": texts.NO_PANES}])
    prices = enumerate(quote.price["panes"], 1)
    if missing := {row: one["missing"] for row, one in prices if one["missing"]}:
        raise NotPriced(missing)
