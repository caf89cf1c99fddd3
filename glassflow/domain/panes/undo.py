"""Which scans can be undone: the last one of a pane, for a minute, unless it merged it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from glassflow.domain import texts
from glassflow.domain.errors import Forbidden, Refusal
from glassflow.domain.panes.status import Action, LogAction

UNDO_WINDOW = timedelta(seconds=60)
LAMINATIONS = frozenset(
    {Action.LAMINATE, LogAction.LAMINATE_START, LogAction.LAMINATE_COMPLETE}
)


class NothingToUndo(Refusal):
    """The last change of the pane is no scan; `last_action` is None if it has no log."""

    code = "NOTHING_TO_UNDO"

    def __init__(self, last_action: str | None) -> None:
        super().__init__(texts.NOTHING_TO_UNDO, details={"lastAction": last_action})


class LaminationNotUndoable(Refusal):
    """The pane has been laminated: its sheets are one pane now."""

    code = "LAMINATION_NOT_UNDOABLE"

    def __init__(self) -> None:
        super().__init__(texts.LAMINATION_NOT_UNDOABLE)


class NotOwnScan(Forbidden):
    """Another worker has scanned the pane; `panes:manage` may undo that too."""

    code = "NOT_OWN_SCAN"


class ChangedSinceScan(Refusal):
    """The pane has changed since its last scan."""

    code = "CHANGED_SINCE_SCAN"

    def __init__(self, action: str) -> None:
        super().__init__(texts.CHANGED_SINCE_SCAN, details={"action": str(action)})


class UndoTooLate(Refusal):
    """The time in which the scan could be undone is over."""

    code = "UNDO_TOO_LATE"

    def __init__(self, action: str, until: datetime, window: timedelta) -> None:
        super().__init__(
            texts.UNDO_TOO_LATE.format(seconds=int(window.total_seconds())),
            details={"action": str(action), "undoableUntil": until},
        )


class RemakeBegun(Refusal):
    """Work on the remake that replaced the failed pane has begun, or it is claimed."""

    code = "REMAKE_BEGUN"

    def __init__(self, number: str) -> None:
        super().__init__(
            texts.REMAKE_BEGUN.format(number=number),
            details={"remadePaneNumber": number},
        )


@dataclass(frozen=True, slots=True)
class LastLog:
    """The newest log of a pane.

    `version` is that of the pane after the scan, None for what is no scan. `own` is
    whether the caller made it, or may undo the scans of others.
    """

    action: str
    stored_at: datetime
    version: int | None
    own: bool


def undoable_until(stored_at: datetime) -> datetime:
    """Return until when a scan that was stored at this time can be undone."""
    return stored_at + UNDO_WINDOW


def require_undoable(
    last: LastLog | None,
    version: int | None,
    now: datetime,
    window: timedelta = UNDO_WINDOW,
) -> None:
    """Raise the refusal that applies to undoing the last scan of a pane.

    `version` is the present one of the pane, `window` how long a scan can be undone.
    """
    if last is not None and last.action in LAMINATIONS:
        raise LaminationNotUndoable
    if last is None or last.version is None:
        raise NothingToUndo(last.action if last else None)
    if not last.own:
        raise NotOwnScan
    if last.version != version:
        raise ChangedSinceScan(last.action)
    until = last.stored_at + window
    if now > until:
        raise UndoTooLate(last.action, until, window)
