"""Price lists: how the prices of some customers differ from those of the workshop."""

from mongoengine import DateTimeField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record
from glassflow.models.fields import JSONField, NumberField


class PriceList(Record):
    """A price list: a change of all prices in percent, and rates of its own, in baht.

    `domain.price_lists` has the rules. Own rates have the shapes of those of
    `PricingSettings`; an empty table and None are none. It is valid from `valid_from` to
    `valid_to` (UTC), and without an end where one is None.
    """

    meta = {"collection": "price_lists", "indexes": ["name"]}
    label = Bilingual("Price list", th="รายการราคา")

    name = StringField(required=True)
    percent = NumberField(default=0)
    glass_prices = JSONField(default=dict)
    edge_rates = JSONField(default=dict)
    tempering_rates = JSONField(default=dict)
    process_rates = JSONField(default=dict)
    hole_price_each = NumberField()
    notch_price = NumberField()
    valid_from = DateTimeField()
    valid_to = DateTimeField()
    notes = StringField(default="")
