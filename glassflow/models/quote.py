"""Quotes: what customers are offered, with its prices."""

from mongoengine import BooleanField, DateTimeField, IntField, ListField, StringField

from glassflow.domain.bilingual import THAI, Bilingual, Language
from glassflow.domain.quotes import QuoteKind, QuoteStatus
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, JSONField, NumberField, ObjectField, Ref


class Quote(Record):
    """A revision of an offer to a customer; `domain.quotes` has the rules.

    `panes` are the values of panes of a request, by their names on the wire, with
    `quantity`, an agreed `unitPrice` in baht, if any, and `makeability`, their findings.
    `price` is what `services.pricing.PricedPanes` is on the wire, `amount` its total
    before VAT in baht, for lists. `terms` are what it was priced by (`pricing.Terms`),
    read at `priced_at`; `parties` are the workshop, the customer and the names of job
    types as they were when it was sent (`services.quotes.paper`). `revises` is the revision before. `discount_percent` is None for
    that of the customer. `deposit_percent` of its total with VAT is to be paid in advance. `override_reason` is why panes that cannot be made were offered.
    `request` and `order` are what its acceptance has created. `accepted_name` is the name that
    the customer gave when they accepted by the link (`services.quotes.links`), of whose
    secret `link_digest` is the SHA-256; `link_nonce` is the random number of the secret.
    `declined_name` is the name of who declined by the link.
    `customer_notes` are what else the customer did by the link: `domain.quotes` has the kinds.
    A confirmation (`kind`) shows `request` as it stands: `changes` are those of the request,
    and the last of them waits for the customer (`waits`) if there is a `pending_change`, a
    body of `services.request_changes`. `basis` is what the request had when it was made.
    `mail` is the last e-mail with the quote that was asked for (`services.quotes.mail`).
    """

    meta = {
        "collection": "quotes",
        "indexes": [
            {"fields": ["quote_number"], "unique": True, "sparse": True},
            for_lists("customer"),
            for_lists("status"),
            ("valid_until", "id"),
            "revises",
            "request",
            "order",
            {"fields": ["mail.nextAttemptAt"], "sparse": True},
            # the answers of the last months (`reports.quote_sums`)
            ("status", "answered_at"),
            ("status", "valid_until"),
        ],
    }
    label = Bilingual("Quote", th="ใบเสนอราคา")
    hidden = (
        "terms", "parties", "linkDigest", "linkNonce", "pendingChange", "basis",
    )  # fmt: skip
    secret = ("linkDigest", "linkNonce")
    numbered = ("quote_number", "QUO")

    kind = Choice(*QuoteKind, default=QuoteKind.QUOTE.value)
    quote_number = StringField()
    revision = IntField(default=1)
    revises = Ref("Quote")
    customer = Ref("Customer", required=True)
    project = StringField(default="")
    reference_id = StringField()
    panes = ListField(JSONField())
    is_rush = BooleanField(default=False)
    discount_percent = NumberField()
    deposit_percent = NumberField(default=0)
    price = JSONField(default=dict)
    amount = NumberField(default=0)
    terms = JSONField()
    priced_at = DateTimeField()
    valid_until = DateTimeField()
    deadline = DateTimeField()
    expected_delivery_date = DateTimeField()
    delivery_address = StringField(default="")
    lead_time = StringField(default="")
    notes = StringField(default="")
    conditions = StringField(default="")
    language = Choice(*Language, default=THAI.value)
    status = Choice(*QuoteStatus, default=QuoteStatus.DRAFT.value)
    parties = JSONField()
    sent_at = DateTimeField()
    sent_by = Ref("Worker")
    override_reason = StringField(default="")
    overridden_by = Ref("Worker")
    answered_at = DateTimeField()
    answered_by = Ref("Worker")
    accepted_name = StringField(default="")
    declined_name = StringField(default="")
    reject_reason = StringField(default="")
    customer_notes = ListField(
        ObjectField(shape=lambda: {"kind": "", "at": None, "name": "", "text": ""})
    )
    request = Ref("Request")
    order = Ref("Order")
    changes = ListField(JSONField())
    pending_change = JSONField()
    basis = JSONField()
    waits = BooleanField(default=False)
    has_link = BooleanField(default=False)
    link_digest = StringField()
    link_nonce = StringField()
    link_expires_at = DateTimeField()
    mail = JSONField()
