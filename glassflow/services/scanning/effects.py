"""The announcements of scans: what the pane table names besides what is stored.

`services.scanning.scan` has the table of all effects, and runs them.
"""

from collections.abc import Sequence

from glassflow.domain.panes.status import Action, LaminateRole, Status
from glassflow.services.notices import announcements
from glassflow.services.scanning import laminate
from glassflow.services.scanning.context import ScanContext
from glassflow.services.scanning.decision import AppliedScan


def announce_arrival(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Announce panes that have a next step to its station and their order's worker."""
    for one in scans:
        station, order = one.outcome.arrived_at, context.order_of(one.pane)
        if station:
            announcements.pane_arrived(
                one.pane,
                left=one.outcome.left,
                station=station,
                station_name=context.station_name(station),
                assigned_to=order.assigned_to if order else None,
            )


def announce_completion(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Notify the workers assigned to the orders of panes that are completed now."""
    for one in scans:
        order = context.order_of(one.pane)
        if one.outcome.completed:
            announcements.pane_completed(
                one.pane, assigned_to=order.assigned_to if order else None
            )


def announce_sheets(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Announce to lamination stations whether all sheets of a unit are present."""
    action = context.scan.action
    laminate.announce_sheets([one.pane for one in scans if _is_sheet(one, action)])


def _is_sheet(one: AppliedScan, action: Action) -> bool:
    """Return whether a sheet has been scanned in at its lamination station."""
    pane = one.pane
    scanned_in = action == Action.SCAN_IN or one.before.status == Status.PENDING
    at_lamination = pane.current_station == pane.laminate_station
    return pane.laminate_role == LaminateRole.SHEET and at_lamination and scanned_in


def announce_lamination(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Announce laminated panes to the station where they have been laminated."""
    for one in scans:
        merged = one.result.merged
        if merged is not None:
            announcements.laminated(
                one.pane.stored_form(),
                station=str(one.result.log.station),
                retired=merged.retired,
                sheets=merged.sheets,
            )
