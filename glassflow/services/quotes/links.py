"""The link of a quote, by which its customer sees the offer and accepts it.

The link has a secret, of which the quote keeps a digest, and the random number from which it
is made again with the setting JWT_SECRET: an e-mail has the same link at each attempt, and a
copy of the store has no link that works. A quote has one link: a new one takes the place of
the earlier one. It expires with the last day of the quote.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from bson import ObjectId

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import quotes, texts
from glassflow.domain.errors import FieldFault, NotFound
from glassflow.domain.quotes import QuoteStatus
from glassflow.host.public_url import host_of, is_local
from glassflow.models.quote import Quote
from glassflow.services import records
from glassflow.services.quotes.refusals import NotOpen

SECRET_BYTES = 24
PAGE = "/floor/offer"


@dataclass(frozen=True, slots=True)
class ServiceAddress:
    """The scheme and host under which customers open the service.

    `is_public`: the settings name it for customers. Otherwise it is what a request said.
    """

    url: str
    is_public: bool

    def remarks(self) -> Iterator[FieldFault]:
        """Yield why customers may not open a link with this address."""
        host = host_of(self.url)
        if is_local(host):
            yield {"field": "url", "message": texts.LINK_LOCAL.format(host=host)}
            return
        if not self.is_public:
            yield {"field": "url", "message": texts.LINK_UNNAMED.format(host=host)}
        if self.url.startswith("http:"):
            yield {"field": "url", "message": texts.LINK_PLAIN.format(host=host)}


@unit_of_work
def make(*, record_id: ObjectId) -> Quote:
    """Give a sent quote a new link.

    Raises `NotFound`, and `NotOpen` for a quote that is not sent.
    """
    quote = records.load(Quote, record_id)
    if quote.status != QuoteStatus.SENT:
        raise NotOpen(quote)
    _renew(quote)
    records.store(quote)
    return quote


def provide(quote: Quote) -> None:
    """Give a quote that is going to be saved a link, unless it has one that `url` returns."""
    if _secret(quote) is None or has_expired(quote):
        _renew(quote)


def url(quote: Quote, service: str) -> str | None:
    """Return the link of a quote, below the address of the service; None if it has none.

    None too for a link that was made with another JWT_SECRET.
    """
    secret = _secret(quote)
    return f"{service}{PAGE}#{quote.pk}.{secret}" if secret else None


@unit_of_work
def revoke(*, record_id: ObjectId) -> Quote:
    """Remove the link of a quote, if it has one. Raises `NotFound`.

    An e-mail that is not sent yet goes without it.
    """
    quote = records.load(Quote, record_id)
    remove(quote)
    records.store(quote)
    return quote


def remove(quote: Quote) -> None:
    """Remove the link of a quote that is going to be saved."""
    quote.has_link, quote.link_expires_at = False, None
    quote.link_nonce = quote.link_digest = None
    if quote.mail and not quote.mail["sentAt"]:
        quote.mail = {**quote.mail, "linkTo": ""}


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


def _renew(quote: Quote) -> None:
    quote.link_nonce = secrets.token_hex(SECRET_BYTES)
    quote.link_digest = _digest(_derived(quote))
    quote.has_link, quote.link_expires_at = True, _end(quote)


def _secret(quote: Quote) -> str | None:
    secret = _derived(quote) if quote.link_nonce else ""
    works = secret and _digest(secret) == quote.link_digest
    return secret if works else None


def _derived(quote: Quote) -> str:
    made = runtime.current().tokens.fingerprint(f"offer/{quote.pk}/{quote.link_nonce}")
    return made[: 2 * SECRET_BYTES]


def _end(quote: Quote) -> datetime:
    """Return when the last day of a quote is over, which every quote has."""
    last = quote.valid_until or clock.now()
    return quotes.end_of_last_day(last, runtime.current().policy.timezone)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _not_found() -> NotFound:
    return NotFound(texts.NOT_FOUND.format(label=Quote.label))
