"""The stages of a cutting plan, and why a pane is not, or not any more, in one.

`proposed → released → cutting → done | cancelled`. A proposed plan reserves nothing and is
planned again as often as somebody wants; a released one reserves its sheets and its panes
until they are cut.
"""

from datetime import timedelta
from enum import StrEnum

MOST_PANES = 500  # of a plan, as of a batch scan
UNDO_WINDOW = timedelta(hours=1)  # of the cut of a sheet
LEAST_SECONDS, MOST_SECONDS, USUAL_SECONDS = 5, 60, 30  # of a search
# Units in which glass is counted by its area: such a quantity has no sheets.
AREA_UNITS = frozenset(
    {
        *("m2", "m²", "sqm", "sq.m", "sq.m.", "ft2", "ft²", "sqft", "sq.ft", "sq.ft."),
        *("ตร.ม.", "ตร.ม", "ตรม", "ตรม.", "ตารางเมตร"),
        *("ตร.ฟ.", "ตร.ฟ", "ตร.ฟุต", "ตารางฟุต"),
    }
)


class PlanStatus(StrEnum):
    """The stage of a cutting plan; `done` and `cancelled` are final."""

    PROPOSED = "proposed"
    RELEASED = "released"
    CUTTING = "cutting"
    DONE = "done"
    CANCELLED = "cancelled"


RESERVING = frozenset({PlanStatus.RELEASED, PlanStatus.CUTTING})


class SearchStatus(StrEnum):
    """The state of the search for a better plan."""

    WAITING = "waiting"
    RUNNING = "running"
    ENDED = "ended"
    FAILED = "failed"


RUNNING_SEARCHES = frozenset({SearchStatus.WAITING, SearchStatus.RUNNING})


class LeftOut(StrEnum):
    """Why a pane that was asked for is not in a plan, or has left it.

    The first three are those of `pieces.Unplanned`. No sheet in stock is large enough for a
    pane that is `too_large`; for one with `no_glass` none is left.
    """

    NO_MATERIAL = "no_material"
    NO_SIZE = "no_size"
    UNKNOWN_SIDE = "unknown_side"
    TOO_LARGE = "too_large"
    NO_GLASS = "no_glass"
    DELETED = "deleted"
    CANCELLED = "cancelled"
    REPLACED = "replaced"
    MOVED_ON = "moved_on"
    CHANGED = "changed"
    OTHER_PLAN = "other_plan"


class PaneOnSheet(StrEnum):
    """The state of a pane on a sheet of a plan."""

    PLANNED = "planned"
    CUT = "cut"
    BROKEN = "broken"
    LEFT = "left"
