"""Who may change which fields of a claim.

A decision needs `claims:approve` and somebody else's claim. A claim belongs to the worker
who created it and to the one whom it names as its reporter, so neither can approve it.
"""

from collections.abc import Collection, Mapping
from typing import Any

from glassflow.core.identity import Identity
from glassflow.domain.claims import ClaimDecided, ClaimStatus, ReporterFixed
from glassflow.domain.errors import Forbidden
from glassflow.domain.permissions import EVERYTHING
from glassflow.models.claim import Claim

DECISION_FIELDS = frozenset({"status", "decision", "remake", "remake_station"})
# These do not change any more once the claim is decided.
FINAL_FIELDS = DECISION_FIELDS | {"pane", "material"}


def require_creation(values: Mapping[str, Any], actor: Identity) -> None:
    """Raise `Forbidden` for a claim that the actor may not create like this.

    Naming another worker as the reporter needs `claims:manage`, deciding the claim at
    once needs `*`.
    """
    names_another = values["reported_by"] != actor.worker_id
    if names_another and not actor.may("claims:manage"):
        raise Forbidden()
    if decides(values) and not actor.may(EVERYTHING):
        raise Forbidden()


def decides(values: Mapping[str, Any]) -> bool:
    """Return whether the values of a new claim contain a decision."""
    return any(
        values.get(name) not in (None, Claim._fields[name].default)
        for name in DECISION_FIELDS
    )


def require_change(claim: Claim, changed: Collection[str], actor: Identity) -> None:
    """Raise `Forbidden` unless the actor may change these fields of a claim.

    Fields of the decision need `claims:approve` and no other key; the other fields need
    `claims:manage`, or being the reporter. Raises `ReporterFixed` for a new reporter.
    """
    decision = DECISION_FIELDS.intersection(changed)
    if decision and not _may_decide(claim, actor):
        raise Forbidden()
    edits = len(decision) < len(changed)
    reported = actor.worker_id == claim.reported_by
    if edits and not reported and not actor.may("claims:manage"):
        raise Forbidden()
    if "reported_by" in changed:
        raise ReporterFixed


def _may_decide(claim: Claim, actor: Identity) -> bool:
    own = actor.worker_id in (claim.created_by, claim.reported_by)
    return actor.may(EVERYTHING) or (not own and actor.may("claims:approve"))


def refuse_decided(
    claim: Claim, given: Collection[str], changed: Collection[str], actor: Identity
) -> None:
    """Raise `ClaimDecided` for a change of a decided claim that its decision forbids.

    A second decision is refused even if it repeats the first; a whole record that is
    sent back as it was read is not a decision.
    """
    if claim.status == ClaimStatus.PENDING:
        return
    repeated = "status" in given and DECISION_FIELDS.issuperset(given)
    decides_again = repeated and actor.may("claims:approve")
    if decides_again or FINAL_FIELDS.intersection(changed):
        raise ClaimDecided(claim.status)
