"""Scans of one pane and of many: decided, applied and stored in one transaction.

Of two scans of one pane at the same time one gets a write conflict; it is repeated with
what the other has stored, and may be refused for it. `EFFECTS` has what a scan does, in
the order of the pane table: the functions that store are here, those that announce in
`services.scanning.effects`. They take the scans of one action together, so that a batch
needs as few round trips to the store as a single scan.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import timedelta

from bson import ObjectId

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.process import clock, metrics
from glassflow.core.process.json import encode
from glassflow.core.process.metrics import Outcome
from glassflow.core.store import locks
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain.errors import Refusal
from glassflow.domain.notifications import NotificationType
from glassflow.domain.panes.status import Action, Effect, Status
from glassflow.domain.panes.table import effects_of
from glassflow.domain.stock import LedgerReferenceType
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import attachments, order_figures, pictures, records
from glassflow.services.panes import remakes
from glassflow.services.panes.logs import announce_log
from glassflow.services.panes.mapping import id_or_none, parse_number
from glassflow.services.records import references
from glassflow.services.scanning import effects
from glassflow.services.scanning.context import (
    Scan,
    ScanContext,
    load_all_with_orders,
    load_with_order,
)
from glassflow.services.scanning.decision import (
    AppliedScan,
    ScanResult,
    apply,
    decide,
)
from glassflow.services.scanning.laminate import laminate, replay_result

DUPLICATE = "duplicate"  # the outcome in the metrics
NO_CODE = "none"


def scan(*, number: str, scan: Scan, actor: Identity) -> ScanResult:
    """Scan one pane by its number or QR payload.

    A duplicate of the pane's last scan returns the result of that scan. Raises
    `Forbidden`, `NotFound`, `UnknownReference` for a station or the operator,
    `UnknownAttachment` for a photo, and the refusals of `domain.panes.refusals`.
    """
    scan.authorize(actor)
    remake_numbers = records.next_numbers(Pane) if _is_remade(scan) else []
    number = parse_number(number)
    with counted(scan.action) as outcome:
        result = _scan_one(number, scan, actor, remake_numbers)
        if result.is_duplicate:
            outcome.name = DUPLICATE
    return result


@unit_of_work
def _scan_one(
    number: str, scan: Scan, actor: Identity, remake_numbers: Sequence[str]
) -> ScanResult:
    pane, orders = load_with_order(number)
    if previous := _previous_result(pane, scan, actor):
        return previous
    scan.authorize_at(actor, [pane])
    context = ScanContext.load([pane], orders, scan, actor, remake_numbers)
    if scan.action == Action.LAMINATE:
        applied = laminate(pane, context)
    else:
        applied = apply(pane, decide(pane, context), context)
    _set_last_scan(pane, scan, actor, applied.result)
    _run_effects([applied], context)
    return applied.result


def batch_scan(
    *,
    numbers: Sequence[str],
    scan: Scan,
    actor: Identity,
    before: Callable[[Sequence[Pane]], None] | None = None,
) -> list[ScanResult]:
    """Scan many panes with one action, all or none; repeated numbers count once.

    `before` is called with the panes inside the unit of work, before they are scanned.
    Raises `Forbidden`, `Refusal` with all unknown numbers, and the refusals of a single
    scan with the number of the first refused pane in their details.
    """
    scan.authorize(actor)
    distinct = distinct_numbers(numbers)
    count = len(distinct)
    remake_numbers = records.next_numbers(Pane, count) if _is_remade(scan) else []
    with counted(scan.action, count):
        return scan_all(distinct, scan, actor, remake_numbers, before)


def distinct_numbers(numbers: Sequence[str]) -> list[str]:
    """Return pane numbers or QR payloads as pane numbers, each once, in their order."""
    return list(dict.fromkeys(parse_number(number) for number in numbers))


@unit_of_work
def scan_all(
    numbers: Sequence[str],
    scan: Scan,
    actor: Identity,
    remake_numbers: Sequence[str] = (),
    before: Callable[[Sequence[Pane]], None] | None = None,
) -> list[ScanResult]:
    """Scan panes as `batch_scan` does, with numbers for remakes that are drawn already."""
    panes, orders = load_all_with_orders(numbers)
    scan.authorize_at(actor, panes)
    if before:
        before(panes)
    context = ScanContext.load(panes, orders, scan, actor, remake_numbers)
    applied = [apply(pane, decide(pane, context), context) for pane in panes]
    _run_effects(applied, context)
    return [one.result for one in applied]


@contextmanager
def counted(action: Action | str, panes: int = 1) -> Iterator[Outcome]:
    """Count the scan of so many panes in the metrics; a refusal by its code too."""
    with metrics.counted(metrics.scans, str(action)) as outcome:
        outcome.amount = panes
        try:
            yield outcome
        except Refusal as refusal:
            code = refusal.code or NO_CODE
            metrics.scan_refusals.labels(str(action), code).inc(panes)
            raise


# Duplicates: a double tap, or a client that repeats a request. Within a few seconds
# (setting SCAN_REPEAT_SECONDS) a repeated scan returns the result of the first one and logs
# nothing, as long as the pane has not changed since.


def _previous_result(pane: Pane, scan: Scan, actor: Identity) -> ScanResult | None:
    """Return the result of the pane's last scan if this scan is a duplicate of it."""
    last = pane.last_scan
    if not last or last.get("fingerprint") != _fingerprint(scan, actor):
        return None
    repeat_s = runtime.current().policy.scan_repeat_seconds
    expires_at = last["at"] + timedelta(seconds=repeat_s)
    if last["version"] != pane.version or clock.now() > expires_at:
        return None
    log = PaneLog.find_one({"_id": last["log"]})
    if log is None:
        return None
    if scan.action == Action.LAMINATE:
        result = replay_result(pane, log)
    else:
        remade = Pane.find_one({"remakeOf": pane.pk}) if _is_remade(scan) else None
        result = ScanResult(pane, log, last.get("nextStation"), remade)
    result.is_duplicate = True
    return result


def _set_last_scan(pane: Pane, scan: Scan, actor: Identity, result: ScanResult) -> None:
    """Set the pane's last scan, before the pane is stored with its next version."""
    pane.last_scan = {
        "fingerprint": _fingerprint(scan, actor),
        "at": clock.now(),
        "version": pane.next_version,
        "log": result.log.pk,
        "nextStation": result.next_station,
    }


def _fingerprint(scan: Scan, actor: Identity) -> str:
    """Return a hash of the content of a scan and the worker who sent it.

    When it happened is left out: the two taps of a double tap differ in that.
    """
    content = encode([actor.worker_id, asdict(replace(scan, occurred_at=None))])
    return hashlib.sha256(content).hexdigest()[:32]


def _is_remade(scan: Scan) -> bool:
    return Effect.REMAKE in effects_of(scan.action)


def _run_effects(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Do all that follows from applied scans of one action, in the table's order."""
    for effect in effects_of(context.scan.action):
        EFFECTS[effect](scans, context)


def fill_material(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Set the material of panes without one, and of their logs, to the order's."""
    for one in scans:
        order = context.order_of(one.pane)
        if order is None:
            continue
        documents: list[Pane | PaneLog] = [*one.panes, *one.logs]
        for document in documents:
            if document.material is None:
                document.material = order.material


def store_and_log(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Store the panes and their logs, and announce each scan with its pane and its log.

    Raises `UnknownAttachment` for the photos of a failed check.
    """
    # scans of the orders that this one does not write need not wait any longer
    locks.reserve(Order, _changed_orders(scans, context).keys())
    _require_stations(scans)
    records.write(*(pane for one in scans for pane in one.panes))
    _attach_photos(scans, context)
    records.write(*(log for one in scans for log in one.logs))
    for one in scans:
        _announce(one)


def _require_stations(scans: Sequence[AppliedScan]) -> None:
    """Refuse to place a pane at a deleted station; the cached one may be older.

    Before the panes are stored. A station on the route of an open pane is deleted only
    with a change of the pane, which conflicts with the scan.
    """
    places = {
        place
        for one in scans
        if (place := one.pane.current_station)
        and place not in one.pane.routing
        and str(place) != one.before.station
    }
    if places:
        station = references.Reference("station", "Station", tuple(places))
        references.require_exist([station])


def _attach_photos(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Let the log of a failed check have the photos that were uploaded for it."""
    used = attachments.use(context.scan.photos, context.actor)
    for one in scans if used else ():
        stored = [pictures.stored_form(n, picture) for n, picture in enumerate(used)]
        one.result.log.photos = stored


def _announce(one: AppliedScan) -> None:
    log, left = one.result.log, one.outcome.left
    failed = one.outcome.status == Status.DEFECTED
    action = "qc_failed" if failed else "scanned"
    stations = [left] if left else []
    records.announce(one.pane, action, stations=stations)
    announce_log(log, one.pane)
    for pane in one.retired:
        records.announce(pane, "updated", stations=[str(log.station)])


def remake(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Replace panes that failed their check."""
    replaced = []
    for one, number in zip(scans, context.remake_numbers, strict=True):
        reason = remakes.RemakeReason(
            kind=LedgerReferenceType.QC_REMAKE,
            id=one.pane.pk,
            notice=NotificationType.QC_REMAKE,
            worker=context.worker,
            left=one.outcome.left,
        )
        order = context.order_of(one.pane)
        replaced.append(remakes.Replaced(one.pane, number, order, reason))
    station = id_or_none(context.scan.remake_station)
    made = remakes.make(replaced, station=station)
    for one, remade in zip(scans, made, strict=True):
        one.result.remade = remade


def recount_order(scans: Sequence[AppliedScan], context: ScanContext) -> None:
    """Count the figures of each order again that the scans may have changed, once."""
    orders = list(_changed_orders(scans, context).values())
    order_figures.recount_all(orders)
    order_figures.store(*orders)


def _changed_orders(
    scans: Sequence[AppliedScan], context: ScanContext
) -> dict[ObjectId, Order]:
    """Return the orders whose figures or status the scans may change, by id."""
    changed: dict[ObjectId, Order] = {}
    for one in scans:
        order = context.order_of(one.pane)
        if order is not None and one.changes(order):
            changed[order.pk] = order
    return changed


EFFECTS: Mapping[Effect, Callable[[Sequence[AppliedScan], ScanContext], None]] = {
    Effect.FILL_MATERIAL: fill_material,
    Effect.STORE_AND_LOG: store_and_log,
    Effect.REMAKE: remake,
    Effect.RECOUNT_ORDER: recount_order,
    Effect.ANNOUNCE_ARRIVAL: effects.announce_arrival,
    Effect.ANNOUNCE_COMPLETION: effects.announce_completion,
    Effect.ANNOUNCE_SHEETS: effects.announce_sheets,
    Effect.ANNOUNCE_LAMINATION: effects.announce_lamination,
}
