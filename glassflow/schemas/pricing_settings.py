"""The request body schema of the price list; amounts are in baht."""

from typing import Any

from marshmallow import RAISE, ValidationError, fields

from glassflow.domain import texts
from glassflow.schemas.base import (
    EmbeddedSchema,
    Number,
    RecordSchema,
    StrictBoolean,
    Text,
)


class Prices(fields.Dict):
    """An object with free keys, each with a value of the field `inner`."""

    def __init__(self, inner: fields.Field[Any], **options: Any):
        keys = Text(minimum=1, maximum=100, validate=storable)
        super().__init__(keys=keys, values=inner, **options)

    def _deserialize(self, *args: Any, **kwargs: Any) -> Any:
        kwargs.pop("partial", None)  # a PUT replaces the whole table
        try:
            return super()._deserialize(*args, **kwargs)  # type: ignore[no-untyped-call]
        except ValidationError as error:
            raise ValidationError(_plain(error.messages)) from None


def storable(name: str) -> None:
    """Raise `ValidationError` for a key that MongoDB reads as an operator."""
    if name.startswith("$"):
        raise ValidationError(texts.NO_DOLLAR)


def _plain(messages: Any) -> Any:
    """Drop the level that says whether a fault is in the key or in its value."""
    if not isinstance(messages, dict):
        return messages
    return {key: at.get("key") or at.get("value") for key, at in messages.items()}


class GrindingRates(EmbeddedSchema):
    """Grinding by finish."""

    class Meta:
        unknown = RAISE

    rough = Number(required=True, minimum=0)
    polished = Number(required=True, minimum=0)


class GrindingRate(fields.Field[Any]):
    """One rate for all finishes, or one for each."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, dict):
            return GrindingRates().load(value)
        return Number(minimum=0).deserialize(value)


class GlassPrice(EmbeddedSchema):
    """The price of one thickness of one glass type, per ft²."""

    class Meta:
        unknown = RAISE

    price_per_sq_ft = Number(required=True, minimum=0)
    grinding_rate = GrindingRate()


class PricingSettingsSchema(RecordSchema):
    """The fields that a client writes; fields that are left out keep their values."""

    server_owned = frozenset({"updatedBy"})

    glass_prices = Prices(Prices(fields.Nested(GlassPrice)))
    hole_price_each = Number(minimum=0)
    notch_price = Number(minimum=0)
    minimum_area = Number(minimum=0)
    edge_rates = Prices(Number(minimum=0))
    is_example = StrictBoolean()
