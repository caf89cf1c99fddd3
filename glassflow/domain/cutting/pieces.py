"""What is cut for a pane: its finished size, and an allowance for each side that is worked."""

from enum import StrEnum
from typing import Any

from glassflow.domain.aliases import Raw
from glassflow.domain.cutting.plan import Piece, tenths
from glassflow.domain.cutting.rules import CuttingRules
from glassflow.domain.pricing import SIDE_LENGTHS


class Unplanned(StrEnum):
    """Why a pane cannot be in a cutting plan."""

    NO_MATERIAL = "no_material"
    NO_SIZE = "no_size"
    UNKNOWN_SIDE = "unknown_side"


def piece_of(pane: Raw, material: Raw | None, rules: CuttingRules) -> Piece | Unplanned:
    """Return what is cut for a pane in wire form, or why that is not known.

    A work on the top or bottom edge adds to the height, one on the left or right edge to
    the width. Of a laminated unit each sheet is such a pane. Patterned glass is not turned:
    the pattern runs along the height of the pane and of the sheet.
    """
    if material is None:
        return Unplanned.NO_MATERIAL
    sides: dict[str, Any] = dict(pane.get("dimensions") or {})
    if not sides.get("width") or not sides.get("height"):
        return Unplanned.NO_SIZE
    worked = {
        (task.get("side") or "").lower()
        for task in pane.get("edgeTasks") or ()
        if task.get("edgeProfile")
    }
    for side in worked:
        lengthened = {"width": "height", "height": "width"}.get(
            SIDE_LENGTHS.get(side, "")
        )
        if lengthened is None:
            return Unplanned.UNKNOWN_SIDE
        sides[lengthened] += rules.allowance
    may_turn = not material.get("isPatterned")
    return Piece(tenths(sides["width"]), tenths(sides["height"]), may_turn)
