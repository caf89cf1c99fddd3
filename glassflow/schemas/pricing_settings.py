"""The request body schema of the prices of the workshop; amounts are in baht."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from marshmallow import RAISE, ValidationError, fields

from glassflow.domain import texts
from glassflow.domain.money import MOST_OF_ROW
from glassflow.schemas.base import (
    EmbeddedSchema,
    Integer,
    Number,
    RecordSchema,
    StrictBoolean,
    Text,
)
from glassflow.schemas.embedded import ReplacedList


class Baht(Number):
    """An amount in baht, from 0 to the most that a row of paper has."""

    def __init__(self, **options: Any):
        super().__init__(minimum=0, maximum=MOST_OF_ROW, **options)


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

    rough = Baht(required=True)
    polished = Baht(required=True)


class GrindingRate(fields.Field[Any]):
    """One rate for all finishes, or one for each."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, dict):
            return GrindingRates().load(value)
        return Baht().deserialize(value)


class GlassPrice(EmbeddedSchema):
    """The price of one thickness of one glass type, per ft²."""

    class Meta:
        unknown = RAISE

    price_per_sq_ft = Baht(required=True)
    grinding_rate = GrindingRate()


class LaminationRates(EmbeddedSchema):
    """Lamination per ft²: for each sheet, and for each film between two sheets."""

    class Meta:
        unknown = RAISE

    per_sheet = Baht()
    per_film = Baht()


class Oversize(EmbeddedSchema):
    """What large panes cost more: a percentage of their glass, from an area in ft² on."""

    class Meta:
        unknown = RAISE

    from_sq_ft = Number(required=True, minimum=0)
    percent = Number(required=True, minimum=0, maximum=1000)


class QuantityBreak(EmbeddedSchema):
    """How many equal panes change their price by a percentage; -5 is 5 % less."""

    class Meta:
        unknown = RAISE

    from_quantity = Integer(required=True, minimum=1)
    percent = Number(required=True, minimum=-100, maximum=1000)


def distinct(name: str) -> Callable[[Sequence[Mapping[str, Any]]], None]:
    """Return a validation: no two rows have the same value of the member `name`."""

    def check(rows: Sequence[Mapping[str, Any]]) -> None:
        if len({row[name] for row in rows}) < len(rows):
            raise ValidationError(texts.VALUE_TWICE)

    return check


class PricingSettingsSchema(RecordSchema):
    """The fields that a client writes; fields that are left out keep their values."""

    server_owned = frozenset({"updatedBy"})

    glass_prices = Prices(Prices(fields.Nested(GlassPrice)))
    hole_price_each = Baht()
    notch_price = Baht()
    minimum_area = Number(minimum=0)
    edge_rates = Prices(Baht())
    tempering_rates = Prices(Baht())
    lamination_rates = fields.Nested(LaminationRates)
    process_rates = Prices(Baht())
    oversize = ReplacedList(fields.Nested(Oversize), validate=distinct("fromSqFt"))
    quantity_breaks = ReplacedList(
        fields.Nested(QuantityBreak), validate=distinct("fromQuantity")
    )
    minimum_edge = Number(minimum=0)
    minimum_charge = Baht()
    side_step_inch = Number(minimum=0, maximum=12)
    area_step = Number(minimum=0, maximum=10)
    rush_percent = Number(minimum=0, maximum=1000)
    vat_percent = Number(minimum=0, maximum=100)
    is_example = StrictBoolean()
