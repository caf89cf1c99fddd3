"""Materials: kinds of stock, their units and reorder points."""

from mongoengine import BooleanField, IntField, StringField

from glassflow.models.base import NumberField, ObjectField, Record


class Material(Record):
    """A kind of glass or of other stock.

    `spec_details` has texts for thickness, color, glassType, width, length, sqft and
    dimensionUnit. Below `reorder_point`, over all its active lots, it is low.
    `stock_turn` counts the changes of its lots, so that two at once take turns.
    """

    meta = {"collection": "materials", "indexes": ["name", "code"]}
    label = "Material"
    hidden = ("stockTurn",)

    name = StringField(required=True)
    unit = StringField(required=True)
    reorder_point = NumberField(required=True)
    code = StringField()
    brand = StringField()
    spec_details = ObjectField(default=dict)
    is_active = BooleanField(default=True)

    stock_turn = IntField()
