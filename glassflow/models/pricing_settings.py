"""Pricing settings: the prices of the workshop, one document."""

from mongoengine import BooleanField, ListField

from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record
from glassflow.models.fields import JSONField, NumberField, ObjectField, Ref


class PricingSettings(Record):
    """The prices of the workshop, in baht; a `PriceList` changes them for some customers.

    `glass_prices` is {glassType: {thickness: {pricePerSqFt, grindingRate}}}, with a
    number or {rough, polished} for the grinding; `edge_rates` is the price per metre
    of each edge profile. `tempering_rates` is {thickness: price per ft²},
    `lamination_rates` {perSheet, perFilm} and `process_rates` {process: price} per ft², too.
    `oversize` is [{fromSqFt, percent}] on the glass, `quantity_breaks` [{fromQuantity,
    percent}] on all of equal panes. `minimum_area` (ft²), `minimum_edge` (m) and
    `minimum_charge` are the least that is charged, `side_step_inch` and `area_step` (ft²)
    the steps of what is charged, 0 for none. domain/pricing.py has the calculation.
    `is_example`: they are the seeded ones, which nobody has saved as the workshop's own.
    """

    meta = {"collection": "pricing_settings"}
    label = Bilingual("Pricing settings", th="ราคา")

    glass_prices = JSONField(default=dict)
    hole_price_each = NumberField(default=50)
    notch_price = NumberField(default=100)
    minimum_area = NumberField(default=0)
    edge_rates = JSONField(default=dict)
    tempering_rates = JSONField(default=dict)
    lamination_rates = ObjectField(shape=lambda: {"perSheet": 0, "perFilm": 0})
    process_rates = JSONField(default=dict)
    oversize = ListField(JSONField())
    quantity_breaks = ListField(JSONField())
    minimum_edge = NumberField(default=0)
    minimum_charge = NumberField(default=0)
    side_step_inch = NumberField(default=0)
    area_step = NumberField(default=0)
    rush_percent = NumberField(default=0)
    vat_percent = NumberField(default=7)
    is_example = BooleanField(default=False)
    updated_by = Ref("Worker")
