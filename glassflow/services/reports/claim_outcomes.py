"""What each decision on a pending claim would do, before it is taken. Nothing is written.

The rules are those that the decision itself runs; a test compares each outcome with what
the decision then does. What others change in between, the decision finds changed.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from bson import ObjectId

from glassflow.domain.claims import ClaimDecision, ClaimStatus, SheetNeedsRemake
from glassflow.domain.errors import Refusal
from glassflow.domain.orders import CountedPane, Figures, OrderStatus
from glassflow.domain.panes.refusals import (
    CorrectionRefused,
    NoLaminationStation,
    StationGone,
    StationNotOnRoute,
    WorkCancelled,
)
from glassflow.domain.panes.remake import RemakeKind
from glassflow.domain.panes.status import LaminateRole, Status
from glassflow.models.claim import Claim
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import order_figures, records
from glassflow.services.cancelled_guard import CANCELLED, RequestCancelled
from glassflow.services.claims import pane_hold
from glassflow.services.panes import remakes
from glassflow.services.panes.mapping import id_or_none
from glassflow.services.panes.remakes import RemakePlan

APPROVALS = tuple(
    (str(decision), remake) for decision in ClaimDecision for remake in (True, False)
)
#: What an approval is refused for.
REFUSED = (
    CorrectionRefused,
    NoLaminationStation,
    RequestCancelled,
    SheetNeedsRemake,
    StationGone,
    StationNotOnRoute,
    WorkCancelled,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one decision does; `decision` and `remake` are None for a rejection.

    `pane` is its status and station afterwards, None without a pane. `lost_price` is what
    was agreed for a pane that nothing replaces, in baht, and is not charged any more. A
    decision that would be refused has `refusal` and nothing else.
    """

    status: str
    decision: str | None = None
    remake: bool | None = None
    refusal: Refusal | None = None
    pane: CountedPane | None = None
    plan: RemakePlan | None = None
    figures: Figures | None = None
    lost_price: float | None = None


@dataclass(frozen=True, slots=True)
class _Case:
    """A pending claim with what its decision depends on."""

    claim: Claim
    order: Order
    pane: Pane | None
    panes: Sequence[CountedPane]
    routing: Sequence[ObjectId] | None

    def figures(self, after: CountedPane | None, new: Sequence[CountedPane]) -> Figures:
        """Return the figures of the order once the claimed pane has changed."""
        panes = list(self.panes)
        if self.pane is not None and after is not None:
            panes.remove(order_figures.counted(self.pane))
            panes += [after, *new]
        made = order_figures.figures_of(self.order, panes)
        reopens = order_figures.reopens(self.order.status, made)
        if reopens and _is_any_cancelled([self.order.request]):
            return replace(made, status=str(OrderStatus.CANCELLED))
        return made


def outcomes(
    claim_id: ObjectId,
    *,
    remake_station: ObjectId | None = None,
    routing: Sequence[ObjectId] | None = None,
) -> tuple[Figures, list[Outcome]]:
    """Return the present figures of the claim's order, and the outcome of each decision.

    A remake starts at `remake_station`, else at the claim's own, else at the first step,
    of `routing` if that is given. A claim that is decided has no outcomes. Raises `NotFound`.
    """
    claim = records.load(Claim, claim_id)
    claim.remake_station = remake_station or claim.remake_station
    order = records.load(Order, claim.order)
    pane = records.load(Pane, claim.pane) if claim.pane else None
    panes = order_figures.counted_panes([order.pk]).get(order.pk, ())
    case = _Case(claim, order, pane, panes, routing)
    now = order_figures.figures_of(order, panes)
    if claim.status != ClaimStatus.PENDING:
        return now, []
    return now, [_rejection(case), *(_approval(case, *one) for one in APPROVALS)]


def _rejection(case: _Case) -> Outcome:
    after = None
    if case.pane is not None:
        after = order_figures.counted(case.pane)
        held = pane_hold.held_by(case.pane, case.claim)
        if held is not None:
            station = id_or_none(held["station"])
            after = replace(after, status=held["status"], station=station)
    figures = case.figures(after, [])
    return Outcome(str(ClaimStatus.REJECTED), pane=after, figures=figures)


def _approval(case: _Case, decision: str, remake: bool) -> Outcome:
    made = Outcome(str(ClaimStatus.APPROVED), decision, remake)
    case.claim.decision, case.claim.remake = decision, remake
    if case.pane is None:
        return replace(made, figures=case.figures(None, []))
    try:
        return _approved(made, case, case.pane)
    except REFUSED as refusal:
        return replace(made, refusal=refusal)


def _approved(made: Outcome, case: _Case, pane: Pane) -> Outcome:
    """Return the outcome of an approval; raises what the approval raises."""
    result = pane_hold.approval_outcome(pane, case.claim, order=case.order)
    after = order_figures.counted(pane)
    if result is None:
        return replace(made, pane=after, figures=case.figures(after, []))
    after = replace(
        after,
        status=str(result.status),
        written_off=result.written_off,
        remade=result.remade,
    )
    if not result.remade:
        is_lost = result.written_off and not pane.delivered_at
        lost = pane.agreed_price if is_lost else None
        figures = case.figures(after, [])
        return replace(made, pane=after, figures=figures, lost_price=lost)
    _require_open_requests(case.order, pane)
    plan = remakes.plan(pane, id_or_none(case.claim.remake_station), case.routing)
    figures = case.figures(after, _counted_remake(plan))
    return replace(made, pane=after, plan=plan, figures=figures)


def _require_open_requests(order: Order, pane: Pane) -> None:
    """Raise `RequestCancelled` as the approval does, without writing the requests."""
    if _is_any_cancelled({order.request, pane.request}):
        raise RequestCancelled


def _is_any_cancelled(requests: Collection[ObjectId | None]) -> bool:
    ids = [one for one in requests if one is not None]
    query = {"_id": {"$in": ids}, "status": CANCELLED[Request]}
    return Request.collection().find_one(query, {"_id": 1}) is not None


def _counted_remake(plan: RemakePlan) -> list[CountedPane]:
    """Return how an order counts the pieces of a remake."""
    role = LaminateRole.SINGLE if plan.kind is RemakeKind.PANE else LaminateRole.SHEET
    piece = CountedPane(str(Status.PENDING), plan.station, str(role))
    pieces = [piece] * plan.pieces
    if plan.kind is not RemakeKind.UNIT:
        return pieces
    return [CountedPane(str(Status.PENDING), None, str(LaminateRole.PARENT)), *pieces]
