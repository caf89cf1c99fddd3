"""Claims: which panes can be claimed, and what a decision makes of a pane.

A pending claim holds its pane: an unfinished one is off the floor, and goes back to
where it was when the claim is rejected. A decision is final.
"""

from dataclasses import dataclass

from glassflow.domain.errors import Conflict, Refusal
from glassflow.domain.pane_state import OPEN, PaneView, Status
from glassflow.domain.scan_refusals import AlreadyTerminal, LaminateParent

PENDING, APPROVED, REJECTED = "pending", "approved", "rejected"
DESTROY, KEEP = "destroy", "keep"


class ClaimDecided(Refusal):
    """Approved and rejected are final."""

    code = "CLAIM_DECIDED"

    def __init__(self, status: str) -> None:
        super().__init__(f"The claim is already {status}", facts={"status": status})


class AlreadyClaimed(Conflict):
    """One open claim a pane."""

    code = "OPEN_CLAIM"

    def __init__(self) -> None:
        super().__init__("The pane has an open claim already")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an approved claim makes of its pane.

    `written_off` says that its order no longer waits for it nor counts it.
    """

    status: str
    remade: bool
    written_off: bool


def refuse_unclaimable(view: PaneView, *, held: bool) -> None:
    """Raise why a pane cannot be claimed.

    `AlreadyClaimed` while another claim holds it, `LaminateParent` for a unit that is
    still in its sheets, `AlreadyTerminal` for a piece that is gone or was replaced.
    """
    if held:
        raise AlreadyClaimed
    if view.status not in OPEN | {Status.COMPLETED}:
        raise AlreadyTerminal(view.status)
    if view.laminate_role == "parent":
        raise LaminateParent


class SheetNeedsRemake(Refusal):
    """Without its sheet a laminated unit would wait for ever."""

    code = "SHEET_NEEDS_REMAKE"

    def __init__(self) -> None:
        super().__init__("A claimed sheet has to be made again, or its claim rejected")


def approved(was: str, *, decision: str | None, remake: bool, role: str) -> Verdict:
    """Decide what becomes of a claimed pane of a laminate role, whose status was `was`.

    A destroyed piece is scrapped. A kept one stays what it is: finished and, without a
    remake, delivered as it is; or unfinished, and then set aside for good. Raises
    `SheetNeedsRemake`.
    """
    if role == "sheet" and not remake:
        raise SheetNeedsRemake
    finished = was == Status.COMPLETED
    if decision == DESTROY:
        return Verdict(Status.DEFECTED, remake, written_off=True)
    status = Status.COMPLETED if finished else Status.CLAIMED
    return Verdict(status, remake, written_off=remake or not finished)
