"""A quote as its customer sees it by the link: what its paper shows, and its state."""

from typing import Any

from glassflow import runtime
from glassflow.documents.quote import PaperChange, PaperLine, QuoteOnPaper
from glassflow.domain.calendar import local_date
from glassflow.domain.money import as_text
from glassflow.domain.quotes import CustomerNoteKind
from glassflow.models.quote import Quote
from glassflow.services.quotes import paper


def on_paper(quote: Quote, language: str | None = None) -> QuoteOnPaper:
    """Return the paper of a quote for its customer, who is named on it.

    It is in the language of the quote unless told otherwise.
    """
    return paper.read(quote.stored_form(), may=lambda key: True, language=language)


def wire_form(quote: Quote, language: str | None = None) -> dict[str, Any]:
    """Return what the customer sees: amounts in baht as text, lengths in mm, days ISO 8601.

    It is in the language of the quote unless told otherwise.
    """
    shown = on_paper(quote, language)
    zone = runtime.current().policy.timezone
    answered = quote.answered_at
    return {
        "number": shown.number,
        "kind": quote.kind,
        "status": quote.status,
        "answeredOn": local_date(answered, zone) if answered else None,
        "date": shown.date.isoformat(),
        "validUntil": shown.valid_until.isoformat() if shown.valid_until else None,
        "language": shown.language,
        "seller": shown.seller.name,
        "buyer": shown.buyer.name,
        "preparedBy": shown.prepared_by,
        "lines": lines(shown),
        "changes": [_change(one) for one in shown.changes],
        "subtotal": as_text(shown.subtotal),
        "rush": as_text(shown.rush),
        "discountPercent": float(shown.discount_percent),
        "discount": as_text(shown.discount),
        "minimum": as_text(shown.minimum),
        "net": as_text(shown.net),
        "vatPercent": float(shown.vat_percent),
        "vat": as_text(shown.vat),
        "gross": as_text(shown.gross),
        "depositPercent": float(shown.deposit_percent),
        "deposit": as_text(shown.deposit),
        "leadTime": shown.lead_time,
        "expectedDelivery": shown.expected_delivery.isoformat()
        if shown.expected_delivery
        else None,
        "notes": shown.remarks,
        "conditions": shown.conditions,
        "changesAsked": [
            {
                "on": local_date(one["at"], zone),
                "name": one["name"],
                "text": one["text"],
            }
            for one in quote.customer_notes
            if one["kind"] == CustomerNoteKind.CHANGE
        ],
    }


def _change(change: PaperChange) -> dict[str, Any]:
    return {
        "on": change.day.isoformat(),
        "reason": change.reason,
        "difference": as_text(change.difference),
        "waits": change.waits,
        "lines": [
            {"words": words, "difference": as_text(difference)}
            for words, difference in change.lines
        ],
    }


def lines(shown: QuoteOnPaper) -> list[dict[str, Any]]:
    """Return the lines of a paper: amounts in baht as text, lengths in mm."""
    return [_line(one) for one in shown.lines]


def _line(line: PaperLine) -> dict[str, Any]:
    return {
        "description": line.description,
        "mark": line.mark,
        "remark": line.remark,
        "width": line.width,
        "height": line.height,
        "quantity": line.quantity,
        "unitPrice": as_text(line.unit_price),
        "amount": as_text(line.amount),
    }
