"""The rules of cutting glass by thickness: what is trimmed, kept apart, added and kept.

The defaults are those that glass trades publish; a workshop confirms them or sets its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

LEAST_DISTANCE = 15  # mm: what is narrower does not break along a score
DISTANCE_FACTOR = 2  # of the thickness; thicker glass needs more to break


@dataclass(frozen=True, slots=True)
class CuttingRules:
    """The rules for one thickness, in mm.

    `edge_trim` is cut off each edge of a new sheet. `least_distance` is that of parallel
    cuts, None stands for the larger of 15 mm and twice the thickness. `kerf` is what a cut
    itself takes, 0 for glass that is scored and broken. `allowance` is added to a pane for
    each side that is worked. A rest of at least `remnant_short` by `remnant_long` is kept;
    it is scrap `scrap_after_days` days later, None: never. A remnant of which a plan uses
    less than `least_use_percent` of the area is left for another one.
    """

    edge_trim: float = 10
    least_distance: float | None = None
    kerf: float = 0
    allowance: float = 2.5
    remnant_short: float = 300
    remnant_long: float = 600
    scrap_after_days: int | None = 180
    least_use_percent: float = 50

    @classmethod
    def of(
        cls, common: Mapping[str, Any], row: Mapping[str, Any], thickness: float
    ) -> Self:
        """Return the rules in force for a thickness in mm, by the names of the fields.

        `row` has those of this thickness; where it has None, the common ones are in force.
        """
        values: dict[str, Any] = {}
        for one in fields(cls):
            own = row.get(one.name)
            values[one.name] = common.get(one.name) if own is None else own
        if values["least_distance"] is None:
            values["least_distance"] = max(LEAST_DISTANCE, DISTANCE_FACTOR * thickness)
        return cls(**values)
