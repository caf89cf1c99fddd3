"""The link of a quote, by which its customer sees the offer and accepts it.

The link has a random secret, of which the quote keeps a digest only. A quote has one link:
a new one takes the place of the earlier one. It expires with the last day of the quote.
"""

import hashlib
import hmac
import secrets
from datetime import datetime

from bson import ObjectId

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import quotes, texts
from glassflow.domain.errors import NotFound
from glassflow.domain.quotes import QuoteStatus
from glassflow.models.quote import Quote
from glassflow.services import records
from glassflow.services.quotes.refusals import NotOpen

SECRET_BYTES = 24


def make(*, record_id: ObjectId) -> tuple[Quote, str]:
    """Give a sent quote a new link; return the quote and the secret, stored nowhere.

    Raises `NotFound`, and `NotOpen` for a quote that is not sent.
    """
    secret = secrets.token_urlsafe(SECRET_BYTES)
    return _make(record_id, _digest(secret)), secret


@unit_of_work
def _make(record_id: ObjectId, digest: str) -> Quote:
    quote = records.load(Quote, record_id)
    if quote.status != QuoteStatus.SENT:
        raise NotOpen(quote)
    quote.has_link, quote.link_digest = True, digest
    quote.link_expires_at = _end(quote)
    quote.save()
    return quote


@unit_of_work
def revoke(*, record_id: ObjectId) -> Quote:
    """Remove the link of a quote, if it has one. Raises `NotFound`."""
    quote = records.load(Quote, record_id)
    quote.has_link, quote.link_digest, quote.link_expires_at = False, None, None
    quote.save()
    return quote


def find(record_id: ObjectId, secret: str) -> Quote:
    """Return the quote whose link has this secret, also where the link has expired.

    Raises `NotFound`, with the same message whether the quote is unknown, has no link, or
    has a link with another secret.
    """
    quote = Quote.find_one({"_id": record_id})
    digest = (quote.link_digest if quote else None) or ""
    if quote is None or not hmac.compare_digest(digest, _digest(secret)):
        raise _not_found()
    return quote


def read(record_id: ObjectId, secret: str) -> Quote:
    """Return the quote whose link has this secret; raises as `find`, also once it expired."""
    quote = find(record_id, secret)
    if has_expired(quote):
        raise _not_found()
    return quote


def has_expired(quote: Quote) -> bool:
    """Return whether the link of a quote has expired, after the last day of the quote."""
    end = quote.link_expires_at
    return end is None or end <= clock.now()


def _end(quote: Quote) -> datetime:
    """Return when the last day of a quote is over, which every quote has."""
    last = quote.valid_until or clock.now()
    return quotes.end_of_last_day(last, runtime.current().policy.timezone)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _not_found() -> NotFound:
    return NotFound(texts.NOT_FOUND.format(label=Quote.label))
