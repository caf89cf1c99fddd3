"""Pricing settings: the price list of the workshop, one document."""

from mongoengine import BooleanField

from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record
from glassflow.models.fields import JSONField, NumberField, Ref


class PricingSettings(Record):
    """The price list, in baht.

    `glass_prices` is {glassType: {thickness: {pricePerSqFt, grindingRate}}}, with a
    number or {rough, polished} for the grinding; `edge_rates` is the price per metre
    of each edge profile; `minimum_area` in ft² is the area charged for smaller panes.
    `is_example`: it is the seeded list, which nobody has saved as the workshop's own.
    """

    meta = {"collection": "pricing_settings"}
    label = Bilingual("Pricing settings", th="ราคา")

    glass_prices = JSONField(default=dict)
    hole_price_each = NumberField(default=50)
    notch_price = NumberField(default=100)
    minimum_area = NumberField(default=0)
    edge_rates = JSONField(default=dict)
    is_example = BooleanField(default=False)
    updated_by = Ref("Worker")
