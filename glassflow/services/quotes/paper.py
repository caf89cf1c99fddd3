"""A quote on paper, read from the store.

A sent quote shows the workshop and the customer as they were when it was sent
(`Quote.parties`); a draft shows them as they are.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.documents.document import Party
from glassflow.documents.quote import PaperLine, QuoteOnPaper
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.calendar import in_zone
from glassflow.domain.photos import decode_stored
from glassflow.domain.quotes import QuoteLanguage, QuoteStatus
from glassflow.models.customer import Customer
from glassflow.models.job_type import JobType
from glassflow.models.quote import Quote
from glassflow.models.worker import Worker
from glassflow.services import workshop
from glassflow.services.quotes.refusals import require_priced

Raw = Mapping[str, Any]
May = Callable[[str], bool]


def parties(quote: Quote) -> dict[str, Any]:
    """Return what a quote keeps of the workshop and its customer when it is sent."""
    shop = workshop.settings()
    is_english = quote.language == QuoteLanguage.ENGLISH
    customer = Customer.find_one({"_id": quote.customer}) or Customer(name="")
    return {
        "seller": {
            "name": (is_english and shop.name_english) or shop.name,
            "address": (is_english and shop.address_english) or shop.address,
            "tax_id": shop.tax_id,
            "branch": shop.branch,
            "phone": shop.phone,
            "email": shop.email,
        },
        "buyer": {
            name: customer[name]
            for name in (
                "name",
                "address",
                "tax_id",
                "branch",
                "phone",
                "email",
                "contact",
            )
        },
        "bank_line": shop.bank_line,
    }


def conditions(language: str) -> str:
    """Return the conditions of the workshop in a language, else those in Thai."""
    shop = workshop.settings()
    english = shop.conditions_english if language == QuoteLanguage.ENGLISH else ""
    return english or shop.conditions


def read(raw: Raw, *, may: May) -> QuoteOnPaper:
    """Return the paper of a quote in stored form; a reader sees the customer by its key.

    Raises what `require_priced` raises. Costs a query for each of the workshop, the
    customer, the worker who sent it and the job types.
    """
    quote = Quote._from_son(dict(raw))
    require_priced(quote)
    kept = quote.parties or parties(quote)
    price = quote.price
    logo = decode_stored(shown) if (shown := workshop.settings().logo) else None
    sender = Worker.find_one({"_id": quote.sent_by}) if quote.sent_by else None
    rush = (quote.terms or {}).get("base", {}).get("rushPercent") or 0
    return QuoteOnPaper(
        number=quote.quote_number or str(quote.pk),
        date=_day(quote.sent_at or clock.now()),
        valid_until=_day(quote.valid_until) if quote.valid_until else None,
        seller=Party(**kept["seller"]),
        buyer=Party(**kept["buyer"]) if may("customers:view") else Party(""),
        delivery_address=quote.delivery_address,
        project=quote.project,
        lines=list(_lines(quote)),
        subtotal=Decimal(price["subtotal"]),
        rush_percent=Decimal(str(rush)),
        rush=Decimal(price["rush"]),
        discount_percent=Decimal(str(price["discount"])),
        discount=Decimal(price["discountAmount"]),
        minimum=Decimal(price["minimumCharge"]),
        net=Decimal(price["total"]),
        vat_percent=Decimal(str(price["vatPercent"])),
        vat=Decimal(price["vat"]),
        gross=Decimal(price["totalWithVat"]),
        lead_time=quote.lead_time,
        remarks=quote.notes,
        conditions=quote.conditions or conditions(quote.language),
        bank_line=kept["bank_line"],
        logo=logo.content if logo else None,
        prepared_by=sender.name if sender else "",
        is_draft=quote.status == QuoteStatus.DRAFT,
        language="en" if quote.language == QuoteLanguage.ENGLISH else "th",
    )


def _day(moment: datetime) -> date:
    return in_zone(moment, runtime.current().policy.timezone).date()


def _lines(quote: Quote) -> Iterator[PaperLine]:
    codes = {row["jobType"] for row in quote.panes if row.get("jobType")}
    found = JobType.find_many({"code": {"$in": [*codes]}}) if codes else []
    names = {one.code: one.name for one in found}
    for row, priced in zip(quote.panes, quote.price["panes"], strict=True):
        size = row.get("dimensions") or {}
        quantity = row.get("quantity") or 1
        each = Decimal(priced["total"] or 0)
        yield PaperLine(
            description=_description(row, names, quote.language),
            width=size.get("width") or None,
            height=size.get("height") or None,
            quantity=quantity,
            area=Decimal(priced["area"]) if priced["area"] else None,
            unit_price=each,
            amount=each * quantity,
            cut_outs=[*(row.get("holes") or ()), *(row.get("notches") or ())],
            remark=row.get("notes") or "",
        )


def _description(row: Raw, names: Mapping[str, str], language: str) -> str:
    """Return the glass and the work of a line."""
    parts = [names.get(row.get("jobType") or "", ""), _glass(row, language)]
    parts += [
        _word(texts.PAPER_EDGE, language, edge=_edge(profile, language))
        for profile in dict.fromkeys(
            task.get("edgeProfile") or "" for task in row.get("edgeTasks") or ()
        )
        if profile
    ]
    for name, text in (("holes", texts.PAPER_HOLES), ("notches", texts.PAPER_NOTCHES)):
        if count := len(row.get(name) or ()):
            parts.append(_word(text, language, count=count))
    return ", ".join(filter(None, [*parts, *(row.get("processes") or ())]))


def _glass(row: Raw, language: str) -> str:
    raw = row.get("rawGlass") or {}
    size = row.get("dimensions") or {}
    glass = raw.get("glassType") or row.get("glassType") or row.get("glassTypeLabel")
    thickness = raw.get("thickness") or size.get("thickness")
    words: list[str] = [glass or "", raw.get("color") or ""]
    if thickness:
        words.append(_word(texts.PAPER_THICKNESS, language, mm=f"{thickness:.10g}"))
    if (sheets := raw.get("sheetsPerPane") or 1) > 1:
        words.append(_word(texts.PAPER_SHEETS, language, count=sheets))
    return " ".join(filter(None, words))


def _edge(profile: str, language: str) -> str:
    name, _, size = profile.rpartition("_")
    if size.isdigit() and name in texts.PAPER_SIZED_EDGES:
        return _word(texts.PAPER_SIZED_EDGES[name], language, size=size)
    known = texts.PAPER_EDGES.get(profile)
    return known.in_language(language) if known else profile.replace("_", " ")


def _word(text: Bilingual, language: str, **values: object) -> str:
    return text.format(**values).in_language(language)
