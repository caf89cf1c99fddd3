"""Remakes: which piece is made anew when one fails, and which fields it is made from."""

from enum import StrEnum

from glassflow.domain.pane_state import PaneView

# What a remake is made like. Its place, times, number and withdrawal are its own.
COPIED = (
    "request",
    "order",
    "material",
    "routing",
    "custom_routing",
    "dimensions",
    "job_type",
    "raw_glass",
    "glass_type",
    "glass_type_label",
    "holes",
    "notches",
    "corner_spec",
    "dimension_tolerance",
    "processes",
    "notes",
)


class Kind(StrEnum):
    """A plain pane, a sheet in the place of another, or a whole laminated unit."""

    PANE = "pane"
    SHEET = "sheet"
    UNIT = "unit"


def kind_of(view: PaneView, *, merged: bool) -> Kind:
    """Tell what replaces a pane; `merged` says that it came out of a lamination."""
    if view.laminate_role == "sheet":
        return Kind.SHEET
    return Kind.UNIT if merged else Kind.PANE
