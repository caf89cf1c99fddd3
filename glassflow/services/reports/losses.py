"""Losses: panes that failed a check or were claimed, by who found it, station and reason.

A pane is lost on the day of its check, or of the claim that was approved: when a claim was
decided is not stored. A check that was undone has lost none, nor has a claim after which
the pane stays as it is, finished and not made again.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow.domain.aliases import May, Raw
from glassflow.domain.calendar import Span
from glassflow.domain.claims import ClaimStatus
from glassflow.domain.money import as_decimal, as_text
from glassflow.domain.panes.status import Action, Status
from glassflow.models.claim import Claim
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.models.station import Station
from glassflow.services.records import lookup, restricted_fields
from glassflow.services.reports.period import Period

CHECK = "check"  # the source of a failed check; claims have a `ClaimSource`
OF_PANE = ("currentStatus", "writtenOff", "agreedPrice", "material", "dimensions")
OF_CLAIM = ("source", "pane", "material", "defectStation", "defectCode")


class Cause(NamedTuple):
    """Who found what is wrong with a pane, and at which station it came about."""

    source: str
    station: ObjectId | None
    reason: str


class Loss(NamedTuple):
    """A pane that was lost, in stored form; {} for a claim that names none."""

    cause: Cause
    material: ObjectId | None
    pane: Raw


def read(days: int, may: May) -> dict[str, Any]:
    """Add up what was lost in the last days, by cause; the largest value comes first.

    `may` tells whether the caller holds a key: failed checks are for those who may view
    the logs of panes, claims for those who may view claims. A value is what was agreed for
    the lost panes, whatever their remakes cost; None for who may not read prices. Sheets
    have no price, nor has a claim without a pane. Five queries.
    """
    period = Period.of_last(days)
    losses = find(period.span, may)
    remade = _find_remade([one.pane["_id"] for one in losses if one.pane])
    sees_prices = restricted_fields.may_read("Pane", may)
    causes: dict[Cause, list[Loss]] = defaultdict(list)
    for one in losses:
        causes[one.cause].append(one)
    names = lookup.field_of(Station, "name", [cause.station for cause in causes])
    rows = [
        {
            **cause._asdict(),
            "stationName": names.get(cause.station),
            **_sums(found, remade, sees_prices),
        }
        for cause, found in causes.items()
    ]
    rows.sort(key=_most_first)
    return {
        **period.named(),
        "rows": rows,
        "totals": _sums(losses, remade, sees_prices),
    }


def find(span: Span, may: May) -> list[Loss]:
    """Return what was lost in a time, each pane once, as far as the caller may read it.

    Three queries, each of which reads what the time has by an index.
    """
    checks = _failed(span) if may("pane_logs:view") else {}
    claims = _approved(span) if may("claims:view") else []
    ids = [*checks, *(claim.get("pane") for claim in claims)]
    panes = lookup.by_id(Pane, ids, OF_PANE)
    return [*_lost_by_checks(checks, panes), *_lost_by_claims(claims, panes)]


def last_failures(query: Raw) -> dict[ObjectId, Raw]:
    """Return the logs of failed checks that match, by pane: of a pane the last one.

    An earlier one of the same pane has been undone.
    """
    shown = ("pane", "station", "reason", "occurredAt", "createdAt")
    failed = {**query, "action": str(Action.QC_FAIL)}
    logs = PaneLog.collection().find(failed, dict.fromkeys(shown, 1))
    return {log["pane"]: log for log in sorted(logs, key=_moment_stored)}


def _moment_stored(log: Raw) -> tuple[datetime, ObjectId]:
    return log["createdAt"], log["_id"]


def _failed(span: Span) -> dict[ObjectId, Raw]:
    """Return the last failure of each pane, of those that happened in a time.

    None is stored before it happened, so that the index of what was stored finds all.
    """
    found = last_failures({"createdAt": {"$gte": span.start}})
    return {
        pane: log
        for pane, log in found.items()
        if (log.get("occurredAt") or log["createdAt"]) >= span.start
    }


def _approved(span: Span) -> list[Raw]:
    query = {
        "claimDate": {"$gte": span.start, "$lt": span.end},
        "status": str(ClaimStatus.APPROVED),
    }
    return list(Claim.collection().find(query, dict.fromkeys(OF_CLAIM, 1)))


def _lost_by_checks(
    logs: Mapping[ObjectId, Raw], panes: Mapping[ObjectId, Raw]
) -> Iterator[Loss]:
    for one, log in logs.items():
        pane = panes.get(one)
        if pane is not None and _failed_last(pane):
            cause = Cause(CHECK, log.get("station"), log.get("reason") or "")
            yield Loss(cause, pane.get("material"), pane)


def _failed_last(pane: Raw) -> bool:
    """Return whether a pane that once failed is lost by that, and not by a later claim."""
    is_defected = pane["currentStatus"] == Status.DEFECTED
    return is_defected and not pane.get("writtenOff")


def _lost_by_claims(claims: Iterable[Raw], panes: Mapping[Any, Raw]) -> Iterator[Loss]:
    for claim in claims:
        pane = panes.get(claim.get("pane"), {})
        if not pane or pane.get("writtenOff"):
            cause = Cause(
                claim["source"],
                claim.get("defectStation"),
                claim.get("defectCode") or "",
            )
            yield Loss(cause, pane.get("material") or claim["material"], pane)


def _find_remade(panes: Sequence[ObjectId]) -> set[ObjectId]:
    """Return which panes have a remake; that of a check that was undone names none."""
    query = {"remakeOf": {"$in": panes}}
    rows = Pane.collection().find(query, {"remakeOf": 1, "_id": 0}) if panes else ()
    return {row["remakeOf"] for row in rows}


def _sums(
    losses: Sequence[Loss], remade: set[ObjectId], sees_prices: bool
) -> dict[str, Any]:
    prices = (as_decimal(one.pane.get("agreedPrice")) for one in losses)
    return {
        "panes": len(losses),
        "remade": sum(one.pane.get("_id") in remade for one in losses),
        "value": as_text(sum(prices, Decimal())) if sees_prices else None,
    }


def _most_first(row: Raw) -> tuple[Any, ...]:
    """Sort by value, which who may not read it does not see in the order either."""
    value = Decimal(row["value"] or 0)
    return -value, -row["panes"], row["stationName"] or "", row["reason"], row["source"]
