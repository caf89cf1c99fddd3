"""A quote on paper, read from the store.

A sent quote shows the workshop, the customer and the names of job types as they were when
it was sent (`Quote.parties`); a draft shows them as they are. Each prints in both languages.
"""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.documents.document import Party
from glassflow.documents.pane_drawing import read_cut
from glassflow.documents.quote import PaneDrawing, PaperLine, QuoteOnPaper
from glassflow.domain.aliases import May, Raw
from glassflow.domain.bilingual import ENGLISH, THAI, Language
from glassflow.domain.calendar import in_zone
from glassflow.domain.money import as_decimal
from glassflow.domain.pricing import SIDE_LENGTHS
from glassflow.domain.quotes import QuoteKind, QuoteStatus
from glassflow.models.customer import Customer
from glassflow.models.quote import Quote
from glassflow.models.worker import Worker
from glassflow.models.workshop import Workshop
from glassflow.services import customers, workshop
from glassflow.services.panes import wording
from glassflow.services.quotes import change_words
from glassflow.services.quotes.refusals import require_priced
from glassflow.services.records import restricted_fields


def parties(quote: Quote) -> dict[str, Any]:
    """Return what a quote keeps of other records when it is sent.

    `other` is what its paper in the other language says otherwise. It has no `conditions`
    if the quote has conditions of its own, which are the same text in both languages.
    """
    shop = workshop.settings()
    is_english = quote.language == ENGLISH
    other: dict[str, Any] = {
        "seller": workshop.as_party(shop, is_english=not is_english)
    }
    if quote.conditions in ("", _standard(shop, quote.language)):
        other["conditions"] = _standard(shop, THAI if is_english else ENGLISH)
    customer = Customer.find_one({"_id": quote.customer}) or Customer(name="")
    return {
        "seller": workshop.as_party(shop, is_english=is_english),
        "buyer": customers.as_party(customer),
        "other": other,
        "bank_line": shop.bank_line,
        "has_drawings": shop.quote_drawings,
        "job_types": [
            {"code": code, "name": name}
            for code, name in wording.job_type_names(quote.panes).items()
        ],
    }


def conditions(language: str) -> str:
    """Return the conditions of the workshop in a language, else those in Thai."""
    return _standard(workshop.settings(), language)


def in_its_language(quote: Quote) -> str:
    """Return the conditions of a draft, which follow its language if they are the workshop's.

    A draft has those of the other language where it revises or copies a quote in that one.
    """
    if not quote.conditions:
        return ""
    shop = workshop.settings()
    is_standard = quote.conditions in [_standard(shop, one) for one in Language]
    return _standard(shop, quote.language) if is_standard else quote.conditions


def _standard(shop: Workshop, language: str) -> str:
    english = shop.conditions_english if language == ENGLISH else ""
    return english or shop.conditions


def read(raw: Raw, *, may: May, language: str | None = None) -> QuoteOnPaper:
    """Return the paper of a quote in stored form, in its language unless told otherwise.

    A reader sees the customer by its key, and the delivery address as in the record. Where a
    sent quote has kept nothing of the other language, both papers show the same texts.

    Raises what `require_priced` raises. Costs a query for each of the workshop, the
    customer, the worker who sent it and the job types.
    """
    seen = dict(raw)
    restricted_fields.hide(Quote, [seen], may)
    quote = Quote.from_stored(seen)
    require_priced(quote)
    printed_in = Language(language or quote.language)
    kept = quote.parties or parties(quote)
    other = kept.get("other", {}) if printed_in != quote.language else {}
    price, names = quote.price, _job_types(quote, kept)
    sender = Worker.find_one({"_id": quote.sent_by}) if quote.sent_by else None
    rush = (quote.terms or {}).get("base", {}).get("rushPercent") or 0
    return QuoteOnPaper(
        number=quote.quote_number or str(quote.pk),
        date=_day(quote.sent_at or clock.now()),
        valid_until=_day(quote.valid_until) if quote.valid_until else None,
        seller=Party(**other.get("seller", kept["seller"])),
        buyer=Party(**kept["buyer"]) if may("customers:view") else Party(""),
        delivery_address=quote.delivery_address,
        project=quote.project,
        lines=list(
            _lines(
                quote,
                names,
                printed_in,
                has_drawings=kept.get("has_drawings", False),
            )
        ),
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
        deposit_percent=as_decimal(quote.deposit_percent),
        lead_time=quote.lead_time,
        expected_delivery=_day(quote.expected_delivery_date)
        if quote.expected_delivery_date
        else None,
        remarks=quote.notes,
        conditions=other.get("conditions")
        or quote.conditions
        or conditions(quote.language),
        bank_line=kept["bank_line"],
        logo=workshop.logo(workshop.settings()),
        prepared_by=sender.name if sender else "",
        is_draft=quote.status == QuoteStatus.DRAFT,
        is_confirmation=quote.kind == QuoteKind.CONFIRMATION,
        changes=change_words.changes_of(quote, names, printed_in),
        language=printed_in,
    )


def _day(moment: datetime) -> date:
    return in_zone(moment, runtime.current().policy.timezone).date()


def _job_types(quote: Quote, kept: Raw) -> dict[str, str]:
    """Return the names of job types by code; quotes of before 1.1 have kept none."""
    if "job_types" not in kept:
        return wording.job_type_names(quote.panes)
    return {one["code"]: one["name"] for one in kept["job_types"]}


def _lines(
    quote: Quote,
    names: Mapping[str, str],
    language: Language,
    *,
    has_drawings: bool,
) -> Iterator[PaperLine]:
    for row, priced in zip(quote.panes, quote.price["panes"], strict=True):
        size = row.get("dimensions") or {}
        quantity = row.get("quantity") or 1
        each = Decimal(priced["total"] or 0)
        yield PaperLine(
            description=wording.describe(row, names, language),
            mark=row.get("mark") or "",
            width=size.get("width") or None,
            height=size.get("height") or None,
            quantity=quantity,
            area=Decimal(priced["area"]) if priced["area"] else None,
            unit_price=each,
            amount=each * quantity,
            cut_outs=[*(row.get("holes") or ()), *(row.get("notches") or ())],
            remark=row.get("notes") or "",
            drawing=_drawing(row, language) if has_drawings else None,
        )


def _drawing(row: Raw, language: Language) -> PaneDrawing | None:
    """Return the drawing of a worked pane, None for one that its description tells whole.

    That has both sides, and cut-outs, special corners, or edges that are not all alike.
    """
    size = row.get("dimensions") or {}
    edges = wording.edges(row, language)
    is_alike = not edges or (
        len(edges) == len(SIDE_LENGTHS) and len({*edges.values()}) == 1
    )
    cuts = [
        read_cut(one, is_notch=name == "notches")
        for name in ("holes", "notches")
        for one in row.get(name) or ()
    ]
    is_worked = cuts or row.get("cornerSpec") or not is_alike
    if not (is_worked and size.get("width") and size.get("height")):
        return None
    return PaneDrawing(
        cuts=cuts,
        edges=edges,
        corners=row.get("cornerSpec") or "",
        tolerance=row.get("dimensionTolerance") or "",
        notes=row.get("notes") or "",
    )
