"""Defects: what is wrong with a piece of glass, in claims and in scans."""

from enum import StrEnum


class DefectCode(StrEnum):
    """What is wrong with a piece of glass; `qc_fail` takes one of these too."""

    BROKEN = "broken"
    CHIPPED = "chipped"
    DIMENSION_WRONG = "dimension_wrong"
    SCRATCH = "scratch"
    STAIN = "stain"
    OTHER = "other"
