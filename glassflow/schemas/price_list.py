"""The request body schema of a price list; amounts are in baht."""

from marshmallow import fields

from glassflow.domain.price_lists import MOST_PERCENT
from glassflow.schemas.base import Number, RecordSchema, Text, UTCDateTime
from glassflow.schemas.pricing_settings import Baht, GlassPrice, Prices


class PriceListSchema(RecordSchema):
    """The fields that a client writes; `percent` changes all rates that are not its own."""

    name = Text(required=True, minimum=1)
    percent = Number(minimum=-100, maximum=MOST_PERCENT)
    glass_prices = Prices(Prices(fields.Nested(GlassPrice)))
    edge_rates = Prices(Baht())
    tempering_rates = Prices(Baht())
    process_rates = Prices(Baht())
    hole_price_each = Baht()
    notch_price = Baht()
    valid_from = UTCDateTime()
    valid_to = UTCDateTime()
    notes = Text()
