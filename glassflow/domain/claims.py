"""Claims: which panes can be claimed, and what a decision does to the pane.

A pending claim holds its pane: an unfinished pane leaves its station, and returns there
when the claim is rejected. A decision is final.
"""

from dataclasses import dataclass
from enum import StrEnum

from glassflow.domain import texts
from glassflow.domain.errors import Conflict, Refusal
from glassflow.domain.panes.refusals import AlreadyTerminal, LaminateParent
from glassflow.domain.panes.status import OPEN, LaminateRole, PaneView, Status

# The statuses in which a pane can be claimed.
CLAIMABLE = OPEN | {Status.COMPLETED}


class ClaimStatus(StrEnum):
    """Where a claim is in its life; approved and rejected are final."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"


class ClaimDecision(StrEnum):
    """What becomes of the old piece when a claim is approved."""

    DESTROY = "destroy"
    KEEP = "keep"


class ClaimSource(StrEnum):
    """Who found the defect."""

    CUSTOMER = "customer"
    WORKER = "worker"


class ClaimDecided(Refusal):
    """Approved and rejected are final."""

    code = "CLAIM_DECIDED"

    def __init__(self, status: str) -> None:
        super().__init__(
            texts.CLAIM_DECIDED.format(status=texts.STATUSES[status]),
            details={"status": status},
        )


class ReporterFixed(Refusal):
    """The reporter decides whose claim it is, and so who may approve it."""

    code = "REPORTER_FIXED"

    def __init__(self) -> None:
        super().__init__(texts.REPORTER_FIXED)


class AlreadyClaimed(Conflict):
    """A pane has at most one open claim."""

    code = "OPEN_CLAIM"

    def __init__(self) -> None:
        super().__init__(texts.OPEN_CLAIM)


class PaneReplaced(Refusal):
    """A remake has replaced the pane, so nothing is left to claim."""

    code = "PANE_REPLACED"

    def __init__(self) -> None:
        super().__init__(texts.PANE_REPLACED)


class ClaimedBefore(Refusal):
    """An earlier claim of the pane was approved, which happens once."""

    code = "CLAIMED_BEFORE"

    def __init__(self) -> None:
        super().__init__(texts.CLAIMED_BEFORE)


@dataclass(frozen=True, slots=True)
class ApprovalOutcome:
    """What an approved claim does to its pane.

    `remade` says whether a remake is made; `written_off` that the order no longer counts
    the pane.
    """

    status: str
    remade: bool
    written_off: bool


def refuse_unclaimable(
    view: PaneView, *, held: bool, replaced: bool, approved_before: bool
) -> None:
    """Raise the refusal if a pane cannot be claimed.

    `AlreadyClaimed` while another claim holds it, `LaminateParent` for a
    unit that is not laminated yet, `AlreadyTerminal` for a terminal pane,
    `PaneReplaced` for one that has a remake, `ClaimedBefore` after an approved claim.
    """
    if held:
        raise AlreadyClaimed
    if view.status not in CLAIMABLE:
        raise AlreadyTerminal(view.status)
    if view.laminate_role == LaminateRole.PARENT:
        raise LaminateParent
    if replaced:
        raise PaneReplaced
    if approved_before:
        raise ClaimedBefore


class SheetNeedsRemake(Refusal):
    """Without a remake of its sheet, a laminated unit could never be completed."""

    code = "SHEET_NEEDS_REMAKE"

    def __init__(self) -> None:
        super().__init__(texts.SHEET_NEEDS_REMAKE)


def decide_approval(
    was: str, *, decision: str | None, remake: bool, role: str
) -> ApprovalOutcome:
    """Return the outcome for a claimed pane of a laminate role, whose status was `was`.

    A destroyed piece is scrapped. A kept one keeps its state: finished and, without a
    remake, delivered as it is; or unfinished, and then set aside. Raises
    `SheetNeedsRemake`.
    """
    if role == LaminateRole.SHEET and not remake:
        raise SheetNeedsRemake
    finished = was == Status.COMPLETED
    if decision == ClaimDecision.DESTROY:
        return ApprovalOutcome(Status.DEFECTED, remake, written_off=True)
    status = Status.COMPLETED if finished else Status.CLAIMED
    return ApprovalOutcome(status, remake, written_off=remake or not finished)
