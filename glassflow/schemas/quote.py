"""The request body schemas of a quote: its fields, its price, and its answers."""

from marshmallow import ValidationError, fields

from glassflow.domain import texts
from glassflow.domain.bilingual import Language
from glassflow.domain.money import MOST_OF_ROW
from glassflow.host.mail_settings import has_encoded_word, is_address, is_one_line
from glassflow.schemas.base import (
    Choice,
    Number,
    RecordSchema,
    Reference,
    StrictBoolean,
    Text,
    UTCDateTime,
)
from glassflow.schemas.embedded import ReplacedList
from glassflow.schemas.library_messages import Length
from glassflow.schemas.request import RequestPane


def _require_address(text: str) -> None:
    if not is_address(text):
        raise ValidationError(texts.NOT_AN_EMAIL)


def _require_subject(text: str) -> None:
    if not is_one_line(text):
        raise ValidationError(texts.NOT_ONE_LINE)
    if has_encoded_word(text):
        raise ValidationError(texts.ENCODED_WORD)


class QuotePane(RequestPane):
    """Equal panes of a quote; an agreed `unitPrice` in baht takes the place of its price."""

    unit_price = Number(minimum=0, maximum=MOST_OF_ROW)


class QuoteSchema(RecordSchema):
    """The fields that a client writes, as long as the quote is a draft."""

    server_owned = frozenset(
        {
            "kind",
            "quoteNumber",
            "revision",
            "revises",
            "price",
            "amount",
            "pricedAt",
            "status",
            "sentAt",
            "sentBy",
            "overrideReason",
            "overriddenBy",
            "answeredAt",
            "answeredBy",
            "acceptedName",
            "declinedName",
            "rejectReason",
            "customerNotes",
            "request",
            "order",
            "hasLink",
            "linkExpiresAt",
            "mail",
            "changes",
            "waits",
        }
    )

    customer = Reference(required=True)
    project = Text(maximum=200)
    reference_id = Text(maximum=200)
    panes = ReplacedList(fields.Nested(QuotePane))
    is_rush = StrictBoolean()
    discount_percent = Number(minimum=0, maximum=100)
    deposit_percent = Number(minimum=0, maximum=100)
    valid_until = UTCDateTime()
    deadline = UTCDateTime()
    expected_delivery_date = UTCDateTime()
    delivery_address = Text()
    lead_time = Text(maximum=200)
    notes = Text()
    conditions = Text()
    language = Choice(*Language)


class QuoteChangeSchema(QuoteSchema):
    """A change of a draft; with `currentPrices` it is priced by the prices of today."""

    current_prices = StrictBoolean()


class ConfirmationSchema(RecordSchema):
    """A request that its customer is to confirm as it stands."""

    request = Reference(required=True)
    language = Choice(*Language)
    notes = Text()


class QuotePriceSchema(RecordSchema):
    """Panes to be priced as a quote would be; `quote` by the prices that it has."""

    customer = Reference()
    quote = Reference()
    is_rush = StrictBoolean()
    discount_percent = Number(minimum=0, maximum=100)
    panes = ReplacedList(fields.Nested(QuotePane), required=True)


class SendSchema(RecordSchema):
    """Why panes that cannot be made are offered nevertheless."""

    override_reason = Text(maximum=500)


class OrderOfQuote(RecordSchema):
    """The order that the acceptance of a quote creates of all its panes."""

    material = Reference(required=True)
    stations = fields.List(Reference())
    priority = Number()
    notes = Text()
    assigned_to = Reference()
    override_reason = Text(maximum=500)


class AcceptSchema(RecordSchema):
    """What the customer said when they accepted, and the order that is created at once."""

    reference_id = Text(maximum=200)
    deadline = UTCDateTime()
    order = fields.Nested(OrderOfQuote)


class OfferAcceptSchema(RecordSchema):
    """What customers say when they accept by their link."""

    name = Text(required=True, minimum=1, maximum=100)
    note = Text(maximum=500)
    reference_id = Text(maximum=200)


class OfferDeclineSchema(RecordSchema):
    """What customers say when they decline by their link."""

    name = Text(required=True, minimum=1, maximum=100)
    note = Text(maximum=500)


class OfferChangeSchema(RecordSchema):
    """What customers would like to have changed."""

    name = Text(required=True, minimum=1, maximum=100)
    text = Text(required=True, minimum=1, maximum=500)


class MailSchema(RecordSchema):
    """The e-mail with a quote; what is left out is as the service words it."""

    to = fields.List(
        Text(minimum=1, maximum=254, validate=_require_address),
        validate=Length(min=1, max=5),
    )
    subject = Text(minimum=1, maximum=200, validate=_require_subject)
    message = Text(minimum=1, maximum=5000)


class RejectSchema(RecordSchema):
    """Why the customer has rejected the quote."""

    reason = Text(maximum=500)
