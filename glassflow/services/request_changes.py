"""A change of a request after a price was agreed for it: one act, in one transaction.

Panes are added, changed and cancelled together. What that costs is calculated by the terms
of the quote, else by the prices of today (`agreed_prices`), and is kept with the request:
who, when, what, why and the amount. A preview does the same and stores nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

import pymongo
from bson import ObjectId

from glassflow import runtime
from glassflow.core import actor as actors
from glassflow.core.actor import Actor
from glassflow.core.identity import Identity
from glassflow.core.process import deadlines, time_limit
from glassflow.core.process.errors import RolledBack
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.agreed_prices import ChangeKind
from glassflow.domain.aliases import Raw
from glassflow.domain.errors import FieldFault, Invalid
from glassflow.domain.money import as_decimal
from glassflow.domain.panes.status import LaminateRole
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import (
    agreed_prices,
    billing,
    cancelled_guard,
    makeability,
    records,
)
from glassflow.services.orders import requests
from glassflow.services.panes import cancellation, reshape
from glassflow.services.records import references

Values = Mapping[str, Any]

# Begins the placeholder for the number of a new pane in a preview.
UNSTORED = "?"


class Wanted(NamedTuple):
    """A change that is asked for.

    `added` are values of new panes, which `order` takes; `changed` are pairs of ids and the
    new values of these panes. `charges` tells that the cancelled panes are charged
    nevertheless.
    """

    added: Sequence[Values]
    order: ObjectId | None
    cancelled: Sequence[ObjectId]
    changed: Sequence[tuple[Sequence[ObjectId], Values]]
    deadline: datetime | None
    charges: bool
    reason: str

    @classmethod
    def of(cls, values: Values) -> "Wanted":
        """Return the change that a body asks for. Raises `Invalid` for none."""
        wanted = cls(
            added=values.get("add") or (),
            order=values.get("order"),
            cancelled=tuple(dict.fromkeys(values.get("cancel") or ())),
            changed=[
                (one["panes"], one["values"]) for one in values.get("change") or ()
            ],
            deadline=values.get("deadline"),
            charges=bool(values.get("charge")),
            reason=(values.get("reason") or "").strip(),
        )
        if not (wanted.added or wanted.cancelled or wanted.changed or wanted.deadline):
            raise Invalid([{"field": "", "message": texts.NOTHING_TO_CHANGE}])
        return wanted


class Prepared(NamedTuple):
    """A change with what it needs before its transaction: numbers, and judged panes."""

    wanted: Wanted
    inputs: Sequence[Values]
    numbers: Sequence[str]
    entry: str | None
    remarks: Sequence[FieldFault]


class Made(NamedTuple):
    """A changed request, its new panes, and the change as the request keeps it.

    `shown` is what the caller of a preview has read of it.
    """

    request: Request
    panes: Sequence[Pane]
    change: Raw
    shown: Any = None


class _Previewed(RolledBack):
    """Ends the transaction of a preview, which stores nothing."""

    def __init__(self, made: Made) -> None:
        super().__init__()
        self.made = made


def make(*, record_id: ObjectId, values: Values, actor: Identity) -> Made:
    """Change the panes of a request, all of it or nothing; raises what the two parts raise."""
    return apply(record_id, prepare(values), actor)


def prepare(values: Values) -> Prepared:
    """Judge the new panes of a change and draw its numbers, outside any transaction.

    Raises `Invalid` without a reason, for nothing to change, and for more panes than a
    request can have.
    """
    wanted = Wanted.of(values)
    if not wanted.reason:
        raise Invalid([{"field": "reason", "message": texts.REQUIRED}])
    judged = makeability.judge_inputs(wanted.added, "add.{}.")
    inputs = requests.repeated([one.values for one in judged])
    numbers = records.next_numbers(Pane, len(inputs)) if inputs else []
    entry = records.next_numbers(BillingEntry)[0] if wanted.charges else None
    remarks = [fault for one in judged for fault in one.remarks]
    return Prepared(wanted, inputs, numbers, entry, remarks)


def apply(record_id: ObjectId, prepared: Prepared, actor: Identity) -> Made:
    """Make a change in one transaction, which may be that of the caller.

    The remarks of the request say what it costs and what people have to do: labels that
    were printed with other sizes, panes that were begun or whose price is not known. Raises
    `Invalid` for a pane that the request does not have and for one that is named twice,
    `RequestCancelled`, and what adding, changing, cancelling and charging panes raises.
    """
    wanted, inputs, numbers, entry, remarks = prepared
    made = _make(record_id, wanted, inputs, numbers, actor, entry=entry)
    made.request.remarks = [*remarks, *made.request.remarks]
    return made


def preview(
    *,
    record_id: ObjectId,
    values: Values,
    actor: Identity,
    show: Callable[[Request], Any] = lambda request: None,
) -> Made:
    """Return what `make` would do; nothing is stored and no number is taken.

    `show` reads what the caller needs of the changed request, whose new panes have
    placeholders for numbers. Raises what `make` raises, but for a missing reason.
    """
    wanted = Wanted.of(values)
    judged = makeability.judge_inputs(wanted.added, "add.{}.")
    inputs = requests.repeated([one.values for one in judged])
    unstored = [f"{UNSTORED}-{ObjectId()}" for _ in inputs]
    entry = f"{UNSTORED}-{ObjectId()}"
    tried = partial(
        _make, record_id, wanted, inputs, unstored, actor, entry=entry, show=show
    )
    # not in the transaction of a request with an Idempotency-Key, which is committed
    seconds = time_limit.at_most(deadlines.LONG_WORK_TIMEOUT_S)
    return runtime.run_detached(_try, tried, actors.current(), seconds)


def _try(make: Callable[[], Made], actor: Actor, seconds: float) -> Made:
    """Make a change that ends with its preview, and return that."""
    try:
        with actors.acting(actor), pymongo.timeout(seconds):
            make()
    except _Previewed as previewed:
        return previewed.made
    raise AssertionError("a preview ends with its result")


@unit_of_work
def _make(
    record_id: ObjectId,
    wanted: Wanted,
    inputs: Sequence[Values],
    numbers: Sequence[str],
    actor: Identity,
    *,
    entry: str | None = None,
    show: Callable[[Request], Any] | None = None,
) -> Made:
    """Make a change; with `show`, end the transaction with `_Previewed`."""
    asked = records.load(Request, record_id)
    before, order = _agreed(asked), requests.order_of(asked, wanted.order)
    cancelled_guard.require_open(orders=[wanted.order], requests=[record_id])
    panes = _named_panes(record_id, wanted)
    stored = {one.pk: one.stored_form() for one in panes.values()}
    begun = reshape.begun(list(panes.values()))
    changed = [([panes[one] for one in ids], new) for ids, new in wanted.changed]
    differences = reshape.reshape(changed, stored)
    lines = [
        agreed_prices.line(
            ChangeKind.CHANGED,
            one,
            differences.get(one.pk),
            before=stored[one.pk],
        )
        for of_values, _ in changed
        for one in of_values
    ]
    cancelled = [panes[one] for one in wanted.cancelled]
    if cancelled:
        charged = agreed_prices.charged("request", record_id)
        lost = [one for one in cancelled if not charged.has(stored[one.pk])]
        is_charged = _cancel(cancelled, lost, wanted, actor, entry)
        lines += _lines_of_cancelled(cancelled, () if is_charged else lost, stored)
    request = records.load(Request, record_id)
    agreed_prices.set_sum(request)
    made: Sequence[Pane] = ()
    if inputs:
        made, added = requests.append(request, inputs, numbers, order)
        lines += added
    if wanted.deadline and wanted.deadline != request.deadline:
        request.deadline = wanted.deadline
        request.deadline_change_reason = wanted.reason
    change = agreed_prices.note(
        request, lines, before=before, reason=wanted.reason, begun=begun
    )
    records.store(request)
    request.remarks = [
        *agreed_prices.remarks_of(before, _agreed(request)),
        *_remarks(changed, made, differences, begun),
    ]
    if show:
        raise _Previewed(Made(request, made, change, show(request)))
    return Made(request, made, change)


def _named_panes(record_id: ObjectId, wanted: Wanted) -> dict[ObjectId, Pane]:
    """Return the panes that are changed or cancelled, by id. Raises `Invalid`."""
    places = [(f"cancel.{n}", one) for n, one in enumerate(wanted.cancelled)]
    for n, (ids, new) in enumerate(wanted.changed):
        references.require_exist(references.references_in(Pane, new))
        places += [(f"change.{n}.panes.{m}", one) for m, one in enumerate(ids)]
    ids = [one for _, one in places]
    found = {one.pk: one for one in Pane.find_many({"_id": {"$in": ids}})}
    faults: list[FieldFault] = []
    seen: set[ObjectId] = set()
    for place, one in places:
        if one not in found or found[one].request != record_id:
            faults.append({"field": place, "message": texts.PANE_OF_OTHER_REQUEST})
        elif one in seen:
            faults.append({"field": place, "message": texts.PANE_NAMED_TWICE})
        seen.add(one)
    if faults:
        raise Invalid(faults)
    return found


def _cancel(
    panes: Sequence[Pane],
    lost: Sequence[Pane],
    wanted: Wanted,
    actor: Identity,
    entry: str | None,
) -> bool:
    """Cancel panes; return whether the prices of the `lost` ones are charged nevertheless.

    `entry` is the number of the billing entry that charges them.
    """
    cancellation.cancel_alone(panes, actor=actor, reason=wanted.reason)
    priced = [one.pk for one in lost if one.agreed_price]
    if not (wanted.charges and priced):
        return False
    actor.require("pricing:manage")
    assert entry  # drawn where panes are to be charged
    billing.charge_cancelled(entry, priced, wanted.reason)
    return True


def _lines_of_cancelled(
    panes: Sequence[Pane], lost: Sequence[Pane], stored: Mapping[ObjectId, Raw]
) -> list[Raw]:
    gone = {one.pk for one in lost}
    return [
        agreed_prices.line(
            ChangeKind.CANCELLED,
            one,
            -as_decimal(stored[one.pk].get("agreedPrice")) if one.pk in gone else None,
        )
        for one in panes
    ]


def _agreed(request: Request) -> Decimal:
    return as_decimal((request.details or {}).get("estimatedPrice"))


def _remarks(
    changed: Sequence[tuple[Sequence[Pane], Values]],
    made: Sequence[Pane],
    differences: Mapping[ObjectId, Decimal | None],
    begun: Sequence[str],
) -> list[FieldFault]:
    """Say what people have to know or do after a change."""
    panes = [one for of_values, _ in changed for one in of_values]
    printed = [one.pane_number for one in panes if one.labelled_at]
    unknown = [one.pane_number for one in panes if differences.get(one.pk, 0) is None]
    is_priced = any(one.agreed_price is not None for one in made)
    new = [
        one
        for one in made
        if is_priced
        and one.agreed_price is None
        and one.laminate_role != LaminateRole.SHEET
    ]
    said: list[FieldFault] = []
    for field, text, numbers in (
        ("change", texts.LABELS_ARE_OLD, printed),
        ("change", texts.CHANGE_HAS_NO_PRICE, unknown),
        ("change", texts.PANES_ARE_BEGUN, begun),
    ):
        if numbers:
            message = text.format(panes=", ".join(numbers))
            said.append({"field": field, "message": message})
    if new:
        message = texts.ADDED_WITHOUT_PRICE.format(count=len(new))
        said.append({"field": "add", "message": message})
    said.extend(fault for one in panes for fault in one.remarks)
    return said
