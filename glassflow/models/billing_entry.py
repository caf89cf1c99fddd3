"""Billing entries: what customers owe for deliveries and for panes that never left; credits."""

from typing import Any

from mongoengine import DateTimeField, IntField, ListField, StringField

from glassflow.domain import billing as rules
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.billing import BillingStatus, ExportState
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, JSONField, NumberField, Ref


class BillingEntry(Record):
    """What a customer owes for a hand-over; amounts are in baht with two decimal places.

    `hand_over` is its number within the delivery. `parts` are `{request, order, net, panes}`:
    what is charged of a request, or of an order without one, and for each pane `{pane, net}`,
    its agreed price; None where no price is known, which `unpriced_panes` counts. `net` is
    the sum of the parts and the `adjustment`, `gross` has the VAT. An entry without a
    delivery charges panes that were cancelled or lost, or what is the price of no pane, for
    a `reason`, on the day `delivered_at`. A credit (`credit_of` is the billed entry) has a reason and negative
    amounts, and counts no panes. `invoice_number` is that of the accounting program.

    `exported` is what the last export for the accounts had: `{at, by, net, invoiceNumber}`,
    None before. `export_state` follows from it: None before, `changed` where the net amount
    differs, or the invoice is another one than the exported one, else `exported`.
    """

    meta = {
        "collection": "billing_entries",
        "indexes": [
            {"fields": ["entry_number"], "unique": True, "sparse": True},
            ("delivery", "id"),
            for_lists("customer"),
            for_lists("status"),
            for_lists("invoice_number"),
            for_lists("credit_of"),
            for_lists("export_state"),
            ("delivered_at", "id"),
            ("billed_at", "id"),
            "parts.request",
            "parts.order",
        ],
    }
    label = Bilingual("Billing entry", th="รายการวางบิล")
    numbered = ("entry_number", "BIL")

    entry_number = StringField()
    customer = Ref("Customer", required=True)
    delivery = Ref("Delivery")
    hand_over = IntField()
    credit_of = Ref("BillingEntry")
    delivered_at = DateTimeField(required=True)
    pane_count = IntField(default=0)
    unpriced_panes = IntField(default=0)
    parts = ListField(JSONField())
    adjustment = NumberField(default=0)
    net = NumberField(default=0)
    vat_percent = NumberField(default=0)
    vat = NumberField(default=0)
    gross = NumberField(default=0)
    reason = StringField(default="")
    notes = StringField(default="")
    status = Choice(*BillingStatus, default=BillingStatus.OPEN.value)
    invoice_number = StringField(default="")
    billed_at = DateTimeField()
    billed_by = Ref("Worker")
    exported: JSONField[dict[str, Any] | None] = JSONField()
    export_state = Choice(*ExportState)

    def derive(self) -> None:
        """Set the derived fields, and the state of the export for the accounts."""
        self.export_state = rules.export_state(
            self.exported, net=self.net, invoice_number=self.invoice_number
        )
        super().derive()
