"""Why a scan or a correction of a pane is refused, named for what happened.

Screens match some of these words, so a message is part of the contract.
"""

from collections.abc import Mapping

from glassflow.domain.errors import Refusal


class WrongStation(Refusal):
    """The pane stands at another station than the scan says."""

    code = "WRONG_STATION"

    def __init__(self, present: str, given: str, names: Mapping[str, str]) -> None:
        super().__init__(
            f"กระจกอยู่ที่สถานี {present} ไม่ใช่ {given}",
            facts={
                "currentStation": {"_id": present, "name": names.get(present, "")},
                "givenStation": {"_id": given, "name": names.get(given, "")},
            },
        )


class StationUnknown(Refusal):
    """No station was given, and the pane stands nowhere."""

    code = "STATION_UNKNOWN"

    def __init__(self) -> None:
        super().__init__("กระจกยังไม่อยู่ที่สถานีใด กรุณาระบุสถานี")


class NotCompletedYet(Refusal):
    """The work at this station is not finished, so the pane cannot leave it."""

    code = "NOT_COMPLETED_YET"

    def __init__(self, status: str) -> None:
        super().__init__(
            "กระจกยังทำงานที่สถานีนี้ไม่เสร็จสิ้น กรุณาสแกนเสร็จสิ้นก่อน",
            facts={"status": str(status)},
        )


class AwaitingScanOut(Refusal):
    """The work here is done; there is nothing to take in or to start again."""

    code = "AWAITING_SCAN_OUT"

    def __init__(self, status: str) -> None:
        super().__init__(
            "กระจกทำงานที่สถานีนี้แล้ว กำลังรอสแกนออก",
            facts={"status": str(status)},
        )


class AlreadyTerminal(Refusal):
    """The pane has left the flow. Who survives a merged one, the service adds."""

    def __init__(self, status: str) -> None:
        merged = status == "merged_into"
        told = "merged into another pane" if merged else status
        super().__init__(
            f"Pane is already {told}",
            code="MERGED_INTO" if merged else f"ALREADY_{status.upper()}",
            facts={"status": str(status)},
        )


class LaminateParent(Refusal):
    """The dormant parent of a laminate group is scanned by its sheets only."""

    code = "LAMINATE_PARENT"

    def __init__(self) -> None:
        super().__init__("กระจกลามิเนตหลักยังไม่ถูกประกบ กรุณาสแกนที่แผ่นย่อย")


class UnmergedSheet(Refusal):
    """A sheet leaves its lamination station only as part of a laminated pane."""

    code = "UNMERGED_SHEET"

    def __init__(self) -> None:
        super().__init__("แผ่นกระจกยังไม่ถูกประกบ ต้องลามิเนตก่อนสแกนออก")


class WorkCancelled(Refusal):
    """The order or the request of the pane is cancelled."""

    code = "WORK_CANCELLED"

    def __init__(self) -> None:
        super().__init__("The order or request of this pane is cancelled")


class StationInMaintenance(Refusal):
    """The station takes no panes in while it is in maintenance."""

    code = "STATION_IN_MAINTENANCE"

    def __init__(self, station: str, names: Mapping[str, str]) -> None:
        name = names.get(station, "")
        super().__init__(
            f"สถานี {name or station} อยู่ระหว่างซ่อมบำรุง",
            facts={"station": {"_id": station, "name": name}},
        )


class ReasonRequired(Refusal):
    """A failed check must say what is wrong with the pane."""

    code = "REASON_REQUIRED"

    def __init__(self) -> None:
        super().__init__("qc_fail needs a reason")


class StationNotOnRoute(Refusal):
    """A routed pane can only stand at a station of its route."""

    code = "STATION_NOT_ON_ROUTE"

    def __init__(self, station: str) -> None:
        super().__init__(
            f"Station {station} is not on the route of the pane",
            facts={"station": station},
        )


class StationNeeded(Refusal):
    """A pane in work, or one with a route, has to stand somewhere."""

    code = "STATION_NEEDED"

    def __init__(self, status: str) -> None:
        super().__init__(
            f"A pane that is {status} needs a currentStation",
            facts={"status": str(status)},
        )


class CorrectionRefused(Refusal):
    """What is asked for cannot be put right on the pane alone."""

    code = "CORRECTION_REFUSED"
