"""Materials: kinds of stock, their units and reorder points."""

from mongoengine import BooleanField, ListField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record
from glassflow.models.fields import NumberField, ObjectField


class Material(Record):
    """A kind of glass or of other stock.

    `spec_details` are texts as the supplier writes them. Below `reorder_point`, over all its active lots, it is low.
    `sheet_sizes` are the stock sheets as they are bought, in mm. Panes of patterned glass are
    not turned: the pattern runs along the height of the sheet. Of coated glass the coated
    side is up on the cutting table, so shapes are not mirrored.
    """

    meta = {"collection": "materials", "indexes": ["name", "code"]}
    label = Bilingual("Material", th="วัสดุ")

    name = StringField(required=True)
    unit = StringField(required=True)
    reorder_point = NumberField(required=True)
    code = StringField(default="")
    brand = StringField(default="")
    spec_details = ObjectField(
        shape=lambda: {
            "thickness": "",
            "color": "",
            "glassType": "",
            "width": "",
            "length": "",
            "sqft": "",
            "dimensionUnit": "",
        }
    )
    sheet_sizes = ListField(ObjectField(shape=lambda: {"width": 0, "height": 0}))
    is_patterned = BooleanField(default=False)
    is_coated = BooleanField(default=False)
    is_active = BooleanField(default=True)
