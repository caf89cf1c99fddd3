"""What is cut for a pane: its finished size, and an allowance for each side that is worked."""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from glassflow.domain.aliases import Raw
from glassflow.domain.cutting.plan import Piece, tenths
from glassflow.domain.cutting.rules import CuttingRules
from glassflow.domain.pricing import SIDE_LENGTHS

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def thickness_of(material: Raw, panes: Iterable[Raw]) -> float:
    """Return the thickness of the glass in mm: that of the material's specification.

    Where that names none, the largest of the panes: a unit of two sheets has both.
    """
    text = (material.get("specDetails") or {}).get("thickness") or ""
    found = _NUMBER.search(text)
    if found:
        return float(found[0])
    sides = ("rawGlass", "dimensions")
    known = [
        (pane.get(one) or {}).get("thickness") or 0 for pane in panes for one in sides
    ]
    return max(known, default=0)


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
