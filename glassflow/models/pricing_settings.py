"""Pricing settings: the one price list of the workshop."""

from glassflow.models.base import JSONField, NumberField, Record, Ref


class PricingSettings(Record):
    """The price list, in baht.

    `glass_prices` is {glassType: {thickness: {pricePerSqFt, grindingRate}}}, with a
    number or {rough, polished} for the grinding; `edge_rates` is the price per metre
    of each edge profile; `minimum_area` in ft² is charged for smaller panes too.
    """

    meta = {"collection": "pricing_settings"}
    label = "Pricing settings"

    glass_prices = JSONField(default=dict)
    hole_price_each = NumberField(default=50)
    notch_price = NumberField(default=100)
    minimum_area = NumberField(default=0)
    edge_rates = JSONField(default=dict)
    updated_by = Ref("Worker")
