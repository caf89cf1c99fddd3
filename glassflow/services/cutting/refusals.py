"""Why a cutting plan is not made, released, cut or taken back."""

from collections.abc import Sequence
from datetime import datetime

from glassflow.domain import texts
from glassflow.domain.cutting.stages import UNDO_WINDOW
from glassflow.domain.errors import Conflict, Refusal


class NotInSheets(Conflict):
    """The stock of the material is counted by its area, so it has no sheets to plan."""

    code = "NOT_IN_SHEETS"

    def __init__(self, unit: str) -> None:
        super().__init__(texts.NOT_IN_SHEETS.format(unit=unit))


class NothingToPlan(Conflict):
    """No pane of the material waits for a plan."""

    code = "NOTHING_TO_PLAN"

    def __init__(self) -> None:
        super().__init__(texts.NOTHING_TO_PLAN)


class PanesNotWaiting(Conflict):
    """Panes that were asked for do not wait to be cut from the material."""

    code = "PANES_NOT_WAITING"

    def __init__(self, numbers: Sequence[str]) -> None:
        super().__init__(
            texts.PANES_NOT_WAITING.format(numbers=", ".join(numbers)),
            details={"paneNumbers": list(numbers)},
        )


class PlanStage(Conflict):
    """The plan is in another stage."""

    code = "PLAN_STAGE"

    def __init__(self, number: str, status: str) -> None:
        super().__init__(
            texts.PLAN_STAGE.format(number=number, status=texts.PLAN_STATUSES[status]),
            details={"status": str(status)},
        )


class PlanEmpty(Conflict):
    """The plan has no sheet yet."""

    code = "PLAN_EMPTY"

    def __init__(self) -> None:
        super().__init__(texts.PLAN_EMPTY)


class PlanOutdated(Conflict):
    """Panes or lots have changed since the plan was made, so it has to be planned again."""

    code = "PLAN_OUTDATED"

    def __init__(self, panes: Sequence[str], lots: Sequence[str]) -> None:
        names = ", ".join([*panes, *lots])
        super().__init__(
            texts.PLAN_OUTDATED.format(names=names),
            details={"paneNumbers": list(panes), "inventoryNumbers": list(lots)},
        )


class SheetIsCut(Conflict):
    """The sheet has been cut already."""

    code = "SHEET_CUT"

    def __init__(self, sheet: int, name: str) -> None:
        super().__init__(
            texts.SHEET_CUT.format(sheet=sheet, name=name),
            details={"sheet": sheet, "cutByName": name},
        )


class SheetNotCut(Conflict):
    """The sheet has not been cut, so nothing can be taken back."""

    code = "SHEET_NOT_CUT"

    def __init__(self, sheet: int) -> None:
        super().__init__(texts.SHEET_NOT_CUT.format(sheet=sheet))


class NothingToCut(Conflict):
    """All panes of the sheet have left the plan."""

    code = "NOTHING_TO_CUT"

    def __init__(self, sheet: int) -> None:
        super().__init__(texts.NOTHING_TO_CUT.format(sheet=sheet))


class RemnantUsed(Conflict):
    """A remnant of the sheet is used or reserved, so the cut cannot be taken back."""

    code = "REMNANT_USED"

    def __init__(self, numbers: Sequence[str]) -> None:
        super().__init__(
            texts.REMNANT_USED.format(numbers=", ".join(numbers)),
            details={"inventoryNumbers": list(numbers)},
        )


class PanesNotOnSheet(Conflict):
    """Panes that are said to be broken are not on the sheet, or have left it."""

    code = "PANES_NOT_ON_SHEET"

    def __init__(self, numbers: Sequence[str]) -> None:
        super().__init__(
            texts.PANES_NOT_ON_SHEET.format(numbers=", ".join(numbers)),
            details={"paneNumbers": list(numbers)},
        )


class CutUndoTooLate(Refusal):
    """The time in which a cut could be taken back is over."""

    code = "UNDO_TOO_LATE"

    def __init__(self, until: datetime) -> None:
        super().__init__(
            texts.CUT_UNDO_TOO_LATE.format(
                minutes=int(UNDO_WINDOW.total_seconds() // 60)
            ),
            details={"action": "cut", "undoableUntil": until},
        )
