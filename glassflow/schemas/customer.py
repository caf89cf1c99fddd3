"""The request body schema of a customer."""

from marshmallow import ValidationError, fields

from glassflow.domain import texts
from glassflow.host.mail_settings import EMAIL
from glassflow.schemas.base import (
    EmbeddedSchema,
    Number,
    RecordSchema,
    Reference,
    StrictBoolean,
    Text,
)
from glassflow.schemas.embedded import ReplacedList
from glassflow.schemas.library_messages import Length

MOST_MERGED = 50  # customers at once


def require_email(text: str) -> None:
    """Raise `ValidationError` for a text that is neither empty nor an e-mail address."""
    if text and not EMAIL.fullmatch(text):
        raise ValidationError(texts.NOT_AN_EMAIL)


class DeliveryAddress(EmbeddedSchema):
    """An address that panes are delivered to, its name, and whom to call there."""

    name = Text()
    address = Text(required=True, minimum=1)
    contact = Text()
    phone = Text()


class CustomerSchema(RecordSchema):
    """The fields that a client writes; `discount` is a percentage, 0 to 100 inclusive.

    The service checks `taxId` and `branch` by the country, which may be stored already.
    """

    server_owned = frozenset({"shortName"})

    name = Text(required=True, minimum=1)
    address = Text()
    contact = Text()
    phone = Text()
    email = Text(validate=require_email)
    tax_id = Text()
    branch = Text()
    country = Text()
    delivery_addresses = ReplacedList(fields.Nested(DeliveryAddress))
    pays_cash = StrictBoolean()
    discount = Number(minimum=0, maximum=100)
    price_list = Reference()
    notes = Text()


class MergeSchema(RecordSchema):
    """The customers that are merged into another one."""

    customers = fields.List(
        Reference(), required=True, validate=Length(min=1, max=MOST_MERGED)
    )
