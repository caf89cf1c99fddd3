"""Why a scan, a lamination or a correction of a pane is refused.

Screens compare some of the texts, so the message of a refusal is part of the API.
"""

from collections.abc import Mapping, Sequence

from glassflow.domain import texts
from glassflow.domain.errors import Conflict, Refusal
from glassflow.domain.panes.status import Status


class WrongStation(Refusal):
    """The pane is at another station than the scan names."""

    code = "WRONG_STATION"

    def __init__(self, present: str, given: str, names: Mapping[str, str]) -> None:
        super().__init__(
            texts.WRONG_STATION.format(present=present, given=given),
            details={
                "currentStation": {"_id": present, "name": names.get(present, "")},
                "givenStation": {"_id": given, "name": names.get(given, "")},
            },
        )


class StationUnknown(Refusal):
    """The scan names no station, and the pane is at none."""

    code = "STATION_UNKNOWN"

    def __init__(self) -> None:
        super().__init__(texts.STATION_UNKNOWN)


class NotCompletedYet(Refusal):
    """The work at this station is not completed, so the pane cannot leave it."""

    code = "NOT_COMPLETED_YET"

    def __init__(self, status: str) -> None:
        super().__init__(texts.NOT_COMPLETED_YET, details={"status": str(status)})


class AwaitingScanOut(Refusal):
    """The work at this station is completed; it cannot be started again."""

    code = "AWAITING_SCAN_OUT"

    def __init__(self, status: str) -> None:
        super().__init__(texts.AWAITING_SCAN_OUT, details={"status": str(status)})


class AlreadyTerminal(Refusal):
    """The status of the pane is terminal.

    For a merged pane the service adds the number of the survivor to the details.
    """

    def __init__(self, status: str) -> None:
        merged = status == Status.MERGED_INTO
        state = texts.MERGED_INTO_ANOTHER if merged else texts.STATUSES[status]
        super().__init__(
            texts.PANE_ALREADY.format(status=state),
            code="MERGED_INTO" if merged else f"ALREADY_{status.upper()}",
            details={"status": str(status)},
        )


class LaminateParent(Refusal):
    """The dormant parent of a laminated unit takes no scan but `laminate`."""

    code = "LAMINATE_PARENT"

    def __init__(self) -> None:
        super().__init__(texts.LAMINATE_PARENT)


class UnitBegun(Refusal):
    """A laminated pane is cancelled with its sheets only while none of them is begun."""

    code = "UNIT_BEGUN"

    def __init__(self, numbers: Sequence[str]) -> None:
        super().__init__(
            texts.UNIT_BEGUN.format(panes=", ".join(numbers)),
            details={"panes": list(numbers)},
        )


class PanesClosed(Conflict):
    """Panes that are finished, lost or cancelled do not change any more."""

    code = "PANES_CLOSED"

    def __init__(self, numbers: Sequence[str]) -> None:
        super().__init__(
            texts.PANES_CLOSED.format(panes=", ".join(numbers)),
            details={"panes": list(numbers)},
        )


class UnmergedSheet(Refusal):
    """A sheet leaves its lamination station only as part of a laminated pane."""

    code = "UNMERGED_SHEET"

    def __init__(self) -> None:
        super().__init__(texts.UNMERGED_SHEET)


class WorkCancelled(Refusal):
    """The order or the request of the pane is cancelled."""

    code = "WORK_CANCELLED"

    def __init__(self) -> None:
        super().__init__(texts.WORK_CANCELLED)


class StationInMaintenance(Refusal):
    """No pane can be scanned in at a station in maintenance."""

    code = "STATION_IN_MAINTENANCE"

    def __init__(self, station: str, names: Mapping[str, str]) -> None:
        name = names.get(station, "")
        super().__init__(
            texts.STATION_IN_MAINTENANCE.format(station=name or station),
            details={"station": {"_id": station, "name": name}},
        )


class ReasonRequired(Refusal):
    """A `qc_fail` scan needs a reason."""

    code = "REASON_REQUIRED"

    def __init__(self) -> None:
        super().__init__(texts.REASON_REQUIRED)


class StationNotOnRoute(Refusal):
    """A pane with a route can only be at a station of the route."""

    code = "STATION_NOT_ON_ROUTE"

    def __init__(self, station: str) -> None:
        super().__init__(
            texts.STATION_NOT_ON_ROUTE.format(station=station),
            details={"station": station},
        )


class StationGone(Refusal):
    """Stations of the route no longer exist; `names` are their last names by id."""

    code = "STATION_GONE"

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__(
            texts.STATION_GONE.format(stations=", ".join(names.values())),
            details={"stations": [{"_id": k, "name": v} for k, v in names.items()]},
        )


class StationNeeded(Refusal):
    """A pane that is in work or has a route needs a station."""

    code = "STATION_NEEDED"

    def __init__(self, status: str) -> None:
        super().__init__(
            texts.STATION_NEEDED.format(status=texts.STATUSES[status]),
            details={"status": str(status)},
        )


class CorrectionRefused(Refusal):
    """The correction contradicts the lamination, claim or remake of the pane."""

    code = "CORRECTION_REFUSED"


class NoLaminationStation(Refusal):
    """The route of a pane of several sheets has no lamination station."""

    code = "NO_LAMINATION_STATION"

    def __init__(self) -> None:
        super().__init__(texts.NO_LAMINATION_STATION)


class SheetsMissing(Refusal):
    """Not all sheets of the unit are scanned in at the lamination station."""

    code = "SHEETS_MISSING"

    def __init__(self, present: Sequence[str], total: int) -> None:
        super().__init__(
            texts.SHEETS_MISSING.format(present=len(present), total=total),
            details={
                "sheetsPresent": len(present),
                "sheetsTotal": total,
                "present": list(present),
            },
        )


class SurvivorRequired(Refusal):
    """A `laminate` scan of the parent has to name the sheet that survives."""

    code = "SURVIVOR_REQUIRED"

    def __init__(self) -> None:
        super().__init__(texts.SURVIVOR_REQUIRED)


class NotASheet(Refusal):
    """The named survivor is not one of the sheets that are merged."""

    code = "NOT_A_SHEET"

    def __init__(self, number: str) -> None:
        super().__init__(
            texts.NOT_A_SHEET.format(number=number),
            details={"laminateSurvivorPaneNumber": number},
        )


class NotLaminated(Refusal):
    """The pane does not belong to a unit that is still to be laminated.

    `survivor` is the number of a pane that is the survivor of a lamination itself.
    """

    code = "NOT_LAMINATED"

    def __init__(self, *, survivor: str | None = None) -> None:
        super().__init__(
            texts.ALREADY_LAMINATED if survivor else texts.NOT_LAMINATED,
            code="ALREADY_LAMINATED" if survivor else None,
            details={"survivorPaneNumber": survivor} if survivor else None,
        )


class RemakeDelivered(Conflict):
    """The hand-over of a pane is not undone once its remake was handed over too."""

    code = "REMAKE_DELIVERED"

    def __init__(self, number: str, remake: str) -> None:
        super().__init__(
            texts.REMAKE_DELIVERED.format(number=number, remake=remake),
            details={"paneNumber": number, "remake": remake},
        )
