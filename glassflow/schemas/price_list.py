"""The request body schema of a price list; amounts are in baht."""

from marshmallow import fields

from glassflow.domain.price_lists import MOST_PERCENT
from glassflow.schemas.base import Number, RecordSchema, Text, UTCDateTime
from glassflow.schemas.pricing_settings import GlassPrice, Prices


class PriceListSchema(RecordSchema):
    """The fields that a client writes; `percent` changes all rates that are not its own."""

    name = Text(required=True, minimum=1)
    percent = Number(minimum=-100, maximum=MOST_PERCENT)
    glass_prices = Prices(Prices(fields.Nested(GlassPrice)))
    edge_rates = Prices(Number(minimum=0))
    tempering_rates = Prices(Number(minimum=0))
    process_rates = Prices(Number(minimum=0))
    hole_price_each = Number(minimum=0)
    notch_price = Number(minimum=0)
    valid_from = UTCDateTime()
    valid_to = UTCDateTime()
    notes = Text()
