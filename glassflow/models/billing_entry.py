"""Billing entries: what customers owe for deliveries."""

from mongoengine import DateTimeField, IntField, ListField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.domain.billing import BillingStatus
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, JSONField, NumberField, Ref


class BillingEntry(Record):
    """What a customer owes for one delivery; amounts are in baht with two decimal places.

    `parts` are `{request, order, net}`: the share of the agreed price of a request, or of an
    order without one. `net` is their sum and the `adjustment`, `gross` has the VAT.
    `unpriced_panes` counts the panes that no price is known of. `invoice_number` is that of
    the accounting program.
    """

    meta = {
        "collection": "billing_entries",
        "indexes": [
            {"fields": ["entry_number"], "unique": True, "sparse": True},
            {"fields": ["delivery"], "unique": True},
            for_lists("customer"),
            for_lists("status"),
            for_lists("invoice_number"),
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
    delivery = Ref("Delivery", required=True)
    delivered_at = DateTimeField(required=True)
    pane_count = IntField(default=0)
    unpriced_panes = IntField(default=0)
    parts = ListField(JSONField())
    adjustment = NumberField(default=0)
    net = NumberField(default=0)
    vat_percent = NumberField(default=0)
    vat = NumberField(default=0)
    gross = NumberField(default=0)
    notes = StringField(default="")
    status = Choice(*BillingStatus, default=BillingStatus.OPEN.value)
    invoice_number = StringField(default="")
    billed_at = DateTimeField()
    billed_by = Ref("Worker")
