"""The rules of lots whose sheets have a size of their own: remnants, and defects of a sheet.

A size is `{width, height}` in mm, both 0 where a lot has none of its own. Defects are
rectangles `{x, y, width, height}` in mm from the left and lower edge of the sheet.
"""

from collections.abc import Iterator, Mapping, Sequence

from glassflow.domain import texts
from glassflow.domain.errors import FieldFault, Refusal
from glassflow.domain.stock import Quantity, StockType

MOST_SIDE = 20_000  # mm
MOST_DEFECTS = 50
TOLERANCE = 1e-6  # mm: sums of decimal fractions are not exact

Rectangle = Mapping[str, float]


class OneSheet(Refusal):
    """The lot is one sheet: its quantity is 0 or 1, and it is moved whole."""

    code = "ONE_SHEET"

    def __init__(self) -> None:
        super().__init__(texts.ONE_SHEET, details={"field": "quantity"})


def has_own_size(dimensions: Rectangle) -> bool:
    """Return whether a lot has a size of its own."""
    return bool(dimensions["width"] and dimensions["height"])


def is_one_sheet(
    stock_type: str, dimensions: Rectangle, defects: Sequence[Rectangle]
) -> bool:
    """Return whether a lot is one sheet: a remnant, or a sheet with defects."""
    is_remnant = stock_type == StockType.REUSE and has_own_size(dimensions)
    return is_remnant or bool(defects)


def require_quantity_of_sheet(quantity: Quantity) -> None:
    """Raise `OneSheet` for a quantity that a lot of one sheet cannot have."""
    if quantity not in (0, 1):
        raise OneSheet


def faults(dimensions: Rectangle, defects: Sequence[Rectangle]) -> Iterator[FieldFault]:
    """Yield what is wrong with the size and the defects of a lot."""
    width, height = dimensions["width"], dimensions["height"]
    if bool(width) != bool(height):
        missing = "height" if width else "width"
        yield {"field": f"dimensions.{missing}", "message": texts.BOTH_SIDES}
    elif defects and not width:
        yield {"field": "defects.0.x", "message": texts.DEFECT_WITHOUT_SIZE}
    else:
        for index, one in enumerate(defects):
            for start, side, most in (("x", "width", width), ("y", "height", height)):
                if one[start] + one[side] > most + TOLERANCE:
                    name = start if one[start] >= most else side
                    field = f"defects.{index}.{name}"
                    yield {"field": field, "message": texts.DEFECT_OUTSIDE}
