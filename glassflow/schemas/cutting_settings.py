"""The request body schema of the rules of cutting."""

from marshmallow import fields

from glassflow.domain.cutting.lots import MOST_SIDE
from glassflow.schemas.base import EmbeddedSchema, Integer, Number, RecordSchema
from glassflow.schemas.embedded import ReplacedList
from glassflow.schemas.library_messages import Length

MOST_LENGTH = 1000  # mm
MOST_DAYS = 3650
MOST_ROWS = 30


class CommonRules(EmbeddedSchema):
    """The rules for all glass, in mm.

    Null restores the default. Null for `leastDistance` is the larger of 15 mm and twice the
    thickness, and for `scrapAfterDays` never.
    """

    edge_trim = Number(minimum=0, maximum=MOST_LENGTH)
    least_distance = Number(minimum=0, maximum=MOST_LENGTH)
    kerf = Number(minimum=0, maximum=MOST_LENGTH)
    allowance = Number(minimum=0, maximum=MOST_LENGTH)
    remnant_short = Number(above=0, maximum=MOST_SIDE)
    remnant_long = Number(above=0, maximum=MOST_SIDE)
    scrap_after_days = Integer(minimum=1, maximum=MOST_DAYS)
    least_use_percent = Number(minimum=0, maximum=100)


class RulesOfThickness(CommonRules):
    """The rules for one thickness in mm; null stands for the common rule."""

    thickness = Number(required=True, above=0, maximum=MOST_LENGTH)


class CuttingSettingsSchema(RecordSchema):
    """The fields that a client writes; common rules that are left out keep their values."""

    server_owned = frozenset({"updatedBy"})

    common = fields.Nested(CommonRules)
    by_thickness = ReplacedList(
        fields.Nested(RulesOfThickness), validate=Length(max=MOST_ROWS)
    )
