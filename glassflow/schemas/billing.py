"""The request body schemas of billing: corrections of an entry, and its invoice."""

from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from glassflow.domain import texts
from glassflow.domain.money import MOST_OF_PAPER
from glassflow.schemas.base import (
    Choice,
    EmbeddedSchema,
    Number,
    RecordSchema,
    Reference,
    Text,
    UTCDateTime,
)
from glassflow.schemas.library_messages import Length
from glassflow.schemas.paper import PaperQuery

MAX_ENTRIES = 1000
ACCOUNTS_ROWS = ("parts", "panes")  # a row for each part of an entry, or for each pane
FORMATS = ("xlsx", "csv")


class SalesQuery(RecordSchema):
    """The query parameters of sales: how many months, and of which customer only."""

    months = Choice("1", "3", "12", "24", load_default="12")
    customer = Reference()


class BillingEntrySchema(RecordSchema):
    """The fields that a client writes, as long as the entry is not billed."""

    server_owned = frozenset(
        {
            "entryNumber",
            "customer",
            "delivery",
            "handOver",
            "creditOf",
            "deliveredAt",
            "paneCount",
            "unpricedPanes",
            "reason",
            "parts",
            "net",
            "vatPercent",
            "vat",
            "gross",
            "status",
            "invoiceNumber",
            "billedAt",
            "billedBy",
            "exported",
            "exportState",
        }
    )

    adjustment = Number(minimum=-MOST_OF_PAPER, maximum=MOST_OF_PAPER)
    notes = Text()


class EntriesSchema(RecordSchema):
    """Billing entries, by their ids."""

    ids = fields.List(
        Reference(), required=True, validate=Length(min=1, max=MAX_ENTRIES)
    )


class ChargeSchema(RecordSchema):
    """What no delivery charges: lost panes by their ids, or what waits of a request."""

    panes = fields.List(Reference(), validate=Length(min=1, max=MAX_ENTRIES))
    request = Reference()
    reason = Text(required=True, minimum=1, maximum=500)

    @validates_schema
    def _charge_one_kind(self, data: dict[str, Any], **_: Any) -> None:
        if bool(data.get("panes")) == bool(data.get("request")):
            raise ValidationError(texts.CHARGE_ONE_KIND, "panes")


class CreditedPane(EmbeddedSchema):
    """A pane of a billed entry, and what is credited of it, in baht before VAT."""

    pane = Reference(required=True)
    net = Number(required=True, minimum=0, maximum=MOST_OF_PAPER)


class CreditSchema(RecordSchema):
    """What is credited of a billed entry: of its panes, and an `amount` for no pane."""

    panes = fields.List(fields.Nested(CreditedPane), validate=Length(max=MAX_ENTRIES))
    amount = Number(minimum=0, maximum=MOST_OF_PAPER)
    reason = Text(required=True, minimum=1, maximum=500)


class AccountsQuery(PaperQuery):
    """Which entries are exported for the accounts, how, and in which language.

    Those of an invoice or of some days, else those that were not exported yet; of one
    customer. A day is that of the invoice, or of the delivery where an entry has none.
    """

    since = UTCDateTime(data_key="from")
    until = UTCDateTime(data_key="to")
    invoice_number = Text(minimum=1, maximum=100)
    customer = Reference()
    rows = Choice(*ACCOUNTS_ROWS, load_default=ACCOUNTS_ROWS[0])


class AccountsSchema(AccountsQuery):
    """An export for the accounts that is noted on its entries, in a format."""

    format = Choice(*FORMATS, load_default=FORMATS[0])


class BillSchema(EntriesSchema):
    """The invoice that the accounting program has made for billing entries."""

    invoice_number = Text(required=True, minimum=1, maximum=100)
