"""Remakes: what kind of piece replaces one that failed, and which fields it copies."""

from enum import StrEnum

from glassflow.domain.panes.status import LaminateRole, PaneView

# The fields of a pane that its remake copies. A test holds that every field of the
# model is either here or in NOT_COPIED.
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
    "mark",
    "corner_spec",
    "dimension_tolerance",
    "processes",
    "notes",
    "makeability",
    "override_reason",
)

NOT_COPIED = (
    # The remake is a record of its own.
    "id",
    "created_at",
    "updated_at",
    "version",
    "search_text",
    "search_digits",
    "listed",
    "pane_number",
    "qr_code",
    # The reference from the remake to the failed pane.
    "remake_of",
    # The remake of a pane that is charged is free, see `services.panes.remakes`.
    "agreed_price",
    # The remake needs a label of its own.
    "labelled_at",
    # `services.panes.remakes` copies the tasks with their status reset.
    "edge_tasks",
    # The remake starts at the first step of its route, or at a given station.
    "current_status",
    "current_station",
    "arrived_at",
    "work_started_at",
    "route_index",
    "started_at",
    "completed_at",
    "delivered_at",
    # The material of the remake is issued separately, from any lot.
    "withdrawal",
    "inventory",
    "is_withdrawn",
    # The kind of remake decides these: a pane, a sheet of the unit or a new unit.
    "laminate_role",
    "parent_pane",
    "child_panes",
    "sheet_label",
    "laminate_station",
    "merged_into",
    "laminate_merged_at",
    # It is made anew: it stands on no rack yet, and no cutting plan has it.
    "rack",
    "cutting_plan",
    # The failed pane's scans, claims and cancellation do not concern the remake.
    "last_scan",
    "held_from",
    "written_off",
    "remade",
    "cancelled_from",
)


class RemakeKind(StrEnum):
    """A plain pane, a sheet that replaces a sheet, or a whole laminated unit."""

    PANE = "pane"
    SHEET = "sheet"
    UNIT = "unit"


def kind_of(view: PaneView) -> RemakeKind:
    """Return what replaces a pane: a survivor of a lamination needs a new unit."""
    if view.laminate_role == LaminateRole.SHEET:
        return RemakeKind.SHEET
    return RemakeKind.UNIT if view.merged else RemakeKind.PANE
