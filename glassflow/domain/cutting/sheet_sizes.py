"""The size of a stock sheet, read from the texts of a material's specification."""

import re

MM_PER_INCH, MM_PER_FOOT = 25.4, 304.8
# Units as people write them, without the dots of abbreviations -> mm.
UNITS = {
    **dict.fromkeys(("", "mm", "มม", "มิลลิเมตร"), 1.0),
    **dict.fromkeys(("cm", "ซม", "เซนติเมตร"), 10.0),
    **dict.fromkeys(("m", "ม", "เมตร"), 1000.0),
    **dict.fromkeys(("in", "inch", "inches", '"', "″", "”", "นิ้ว"), MM_PER_INCH),
    **dict.fromkeys(("ft", "foot", "feet", "'", "′", "’", "ฟุต"), MM_PER_FOOT),
}
# What is smaller is no sheet, and neither is a roll of film.
LEAST_SIDE, MOST_SIDE = 100, 20_000  # mm
_LENGTH = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s*(\D*)")


def read_sheet_size(width: str, length: str, unit: str) -> dict[str, float] | None:
    """Return `{width, height}` in mm, to a tenth; None where a side cannot be read.

    A unit in a text counts more than `unit`; without any, lengths are in mm.
    """
    across, along = _read_length(width, unit), _read_length(length, unit)
    if across is None or along is None:
        return None
    return {"width": across, "height": along}


def _read_length(text: str, unit: str) -> float | None:
    found = _LENGTH.fullmatch(text.strip())
    factor = UNITS.get(_plain(found[3]) or _plain(unit)) if found else None
    if found is None or factor is None:
        return None
    number = float(found[1].replace(",", "") + (found[2] or ""))
    side = round(number * factor, 1)
    if not LEAST_SIDE <= side <= MOST_SIDE:
        return None
    return int(side) if side == int(side) else side


def _plain(unit: str) -> str:
    return unit.replace(".", "").strip().lower()
