"""Quotes by e-mail: what a request asks for is stored in the quote, and sent from there.

`jobs.mail` sends it. A mail is claimed before it is sent, by its next attempt: whoever
finds it claimed leaves it alone until then.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.access import rate_limits
from glassflow.core.identity import Identity
from glassflow.core.process import clock, deadlines
from glassflow.core.store import retry_queue
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.documents.dates import written
from glassflow.domain import mail as rules
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.calendar import in_zone
from glassflow.domain.errors import FieldFault, Invalid
from glassflow.domain.quotes import QuoteKind, QuoteStatus
from glassflow.host.mail_settings import is_address, is_sender, read_sender
from glassflow.models.customer import Customer
from glassflow.models.quote import Quote
from glassflow.services import records, workshop
from glassflow.services.quotes import links
from glassflow.services.quotes.links import ServiceAddress
from glassflow.services.quotes.refusals import NoMail, NotOpen, TooManyMails

Values = Mapping[str, Any]
DUE = "mail.nextAttemptAt"


def sender() -> str:
    """Return the sender of e-mails; empty if the workshop has no address either."""
    return runtime.current().policy.mail.sender or workshop.email()


def reply_to(sender: str) -> str:
    """Return the address of the workshop; empty if it has none, or has that of the sender."""
    email = workshop.email()
    if not is_sender(email):
        return ""
    address = read_sender(email).addr_spec
    is_sent_from = address.casefold() == read_sender(sender).addr_spec.casefold()
    return "" if is_sent_from else address


def is_on() -> bool:
    """Return whether the service has a mail server, and a sender that is an address."""
    return runtime.current().policy.mail.server is not None and is_sender(sender())


def customer_addresses(quote: Quote, reader: Identity) -> list[str] | None:
    """Return the e-mail addresses of the customer, of whom one is stored at most.

    None for a reader who may not see customers.
    """
    if not reader.may("customers:view"):
        return None
    customer = Customer.find_one({"_id": quote.customer})
    address = customer.email if customer else ""
    return [address] if is_address(address) else []


def link_target(service: ServiceAddress) -> str:
    """Return the address of the service in the links of e-mails; empty: they have none."""
    return service.url if service.is_public and workshop.mail_has_link() else ""


def link_remarks(service: ServiceAddress) -> list[FieldFault]:
    """Return why e-mails have no link, or one that customers may not open."""
    return [*service.remarks()] if workshop.mail_has_link() else []


def link_text(quote: Quote, service: ServiceAddress) -> str:
    """Return what stands below the text of a mail, with an ellipsis for the secret."""
    target = link_target(service)
    return target and _link_text(quote, f"{target}{links.PAGE}#…")


def text_of(quote: Quote) -> str:
    """Return the text of a mail that was asked for, with the link of the quote.

    Without it if it was revoked meanwhile.
    """
    target = quote.mail.get("linkTo")
    url = links.url(quote, target) if target else None
    parts = [quote.mail["message"], *([_link_text(quote, url)] if url else [])]
    return "\n\n".join(parts)


def _link_text(quote: Quote, url: str) -> str:
    is_confirmation = quote.kind == QuoteKind.CONFIRMATION
    text = texts.MAIL_CONFIRMATION_LINK if is_confirmation else texts.MAIL_LINK
    return _worded(text, quote.language, url=url)


def draft(quote: Quote, addresses: Sequence[str]) -> dict[str, Any]:
    """Return `to`, `subject` and `message` of a mail that does not say otherwise.

    `to` is `addresses`.
    """
    language, number = quote.language, quote.quote_number or str(quote.pk)
    facts = {"number": number, "workshop": _workshop_name(quote)}
    end, validity = quote.valid_until, ""
    if end:
        day = in_zone(end, runtime.current().policy.timezone).date()
        validity = _worded(texts.MAIL_VALIDITY, language, day=written(day, language))
    subject = _worded(texts.MAIL_SUBJECT, language, **facts)
    message = _worded(texts.MAIL_MESSAGE, language, **facts, validity=validity)
    if quote.kind == QuoteKind.CONFIRMATION:
        subject = _worded(texts.MAIL_CONFIRMATION_SUBJECT, language, **facts)
        message = _worded(texts.MAIL_CONFIRMATION, language, **facts)
    return {
        "to": [*addresses],
        "subject": " ".join(subject.split()),
        "message": message,
    }


@unit_of_work
def ask(
    *, record_id: ObjectId, values: Values, actor: Identity, service: ServiceAddress
) -> Quote:
    """Store that a quote is to be mailed; it takes the place of the mail before.

    `values` may have `to`, `subject` and `message`. The link of the quote goes along if
    `service` is public and the workshop wants it; a quote without a link gets one. The
    `remarks` of the quote are about the link, and name the recipients that are not the
    customer's, for an actor who may see customers. Raises `NotFound`, `NoMail`, `NotOpen`
    for a quote that does not wait for an answer, `Invalid` without a recipient, and
    `TooManyMails`.
    """
    if not is_on():
        raise NoMail
    quote = records.load(Quote, record_id)
    if quote.status != QuoteStatus.SENT:
        raise NotOpen(quote)
    addresses = customer_addresses(quote, actor)
    wanted = draft(quote, addresses or ())
    wanted |= {name: value for name, value in values.items() if value}
    if not wanted["to"]:
        raise Invalid([{"field": "to", "message": texts.NO_RECIPIENT}])
    _count(actor.worker_id)
    target = link_target(service)
    if target:
        links.provide(quote)
    now = clock.now()
    quote.mail = {
        **wanted,
        "linkTo": target,
        "askedAt": now,
        "attempts": 0,
        "nextAttemptAt": now,
        "sentAt": None,
        "error": "",
    }
    records.store(quote)
    quote.remarks = link_remarks(service)
    if addresses is not None:
        quote.remarks += _remarks(wanted["to"], addresses)
    return quote


def _count(worker_id: ObjectId) -> None:
    """Count a mail of a worker in the open unit of work; raises `TooManyMails`."""
    key = f"mails/{worker_id}"
    retry_queue.writing(rate_limits.COLLECTION, key)
    asked = rate_limits.count(key, rules.PERIOD)
    if asked.attempts > rules.MAX_ASKED:
        raise TooManyMails(asked.until)


def _remarks(to: Sequence[str], addresses: Sequence[str]) -> list[FieldFault]:
    """Return a remark for each recipient that is not one of the addresses.

    Servers need not tell upper from lower case, so they are the same here.
    """
    known = {one.casefold() for one in addresses}
    return [
        {"field": f"to.{n}", "message": texts.NOT_OF_CUSTOMER.format(address=one)}
        for n, one in enumerate(to)
        if one.casefold() not in known
    ]


def claim_next() -> Quote | None:
    """Claim a mail that is due, and return its quote; None if there is none to be sent.

    A mail of a quote that does not wait for an answer any more ends here, and so does one
    whose last attempt was interrupted.
    """
    collection = Quote.collection()
    while found := collection.find_one(_due(), {"_id": 1}, sort=[(DUE, 1)]):
        if claimed := _claim(found["_id"]):
            return claimed
    return None


@unit_of_work
def _claim(record_id: ObjectId) -> Quote | None:
    quote = Quote.find_one({"_id": record_id, **_due()})
    if quote is None:  # another process was first
        return None
    attempts, fault = quote.mail["attempts"] + 1, None
    if quote.status != QuoteStatus.SENT:
        fault = texts.MAIL_NOT_OPEN
    elif attempts > rules.MAX_ATTEMPTS:
        fault = texts.MAIL_INTERRUPTED
    if fault:
        _change(quote, nextAttemptAt=None, error=str(fault))
        return None
    end = clock.now() + timedelta(seconds=deadlines.MAIL_CLAIM_S)
    _change(quote, attempts=attempts, nextAttemptAt=end)
    return quote


@unit_of_work
def settle(claimed: Quote, *, fault: str, is_sent: bool, is_final: bool) -> None:
    """Store what came of the attempt for which a quote was claimed.

    Nothing is stored if the mail was replaced meanwhile, or claimed again. A mail that was
    sent to some of its recipients only is sent, and has a `fault`.
    """
    quote = Quote.find_one({"_id": claimed.pk})
    if quote is None or _attempt(quote) != _attempt(claimed):
        return
    now = clock.now()
    pause = None if is_sent or is_final else rules.pause_after(quote.mail["attempts"])
    _change(
        quote,
        nextAttemptAt=now + pause if pause else None,
        sentAt=now if is_sent else None,
        error=fault,
    )


def _attempt(quote: Quote) -> Sequence[Any]:
    mail = quote.mail or {}
    return mail.get("askedAt"), mail.get("attempts")


def _change(quote: Quote, **members: Any) -> None:
    quote.mail = {**quote.mail, **members}
    records.store(quote)


def _due() -> dict[str, dict[str, datetime]]:
    return {DUE: {"$lte": clock.now()}}


def _workshop_name(quote: Quote) -> str:
    kept = (quote.parties or {}).get("seller") or {}
    return kept.get("name") or workshop.settings().name


def _worded(text: Bilingual, language: str, **facts: str) -> str:
    return text.format(**facts).in_language(language)
