"""Panes: made, corrected and taken off the floor. Scans are in `services.scanning`."""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core import clock, outbox
from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain import pane_flow
from glassflow.domain.errors import NotBuiltYet, NotFound
from glassflow.domain.numbering import parse_pane_number, qr_payload
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import deletion, order_progress, policy, records, references
from glassflow.services.identity import Identity
from glassflow.services.representation import stored

# What a correction is about; other fields of a pane change without a log.
CORRECTED = ("current_station", "current_status", "routing")


def number_of(text: str) -> str:
    """Read a pane number as people and scanners give it: bare, QR, any letter case."""
    return parse_pane_number(text, policy.current().qr_prefix)


def view(pane: Pane) -> pane_flow.PaneView:
    """Give the part of a pane that its flow depends on."""
    return pane_flow.PaneView(
        status=pane.current_status,
        station=_text(pane.current_station),
        route=tuple(str(step) for step in pane.routing),
        position=pane.route_index,
        laminate_role=pane.laminate_role,
        laminate_station=_text(pane.laminate_station),
        parent=_text(pane.parent_pane),
        merged_into=_text(pane.merged_into),
    )


def _text(value: ObjectId | None) -> str | None:
    return str(value) if value else None


def find(model: type[Pane], text: str) -> dict[str, Any]:
    """Read a pane by its id or its number; raises `NotFound`."""
    by_id = ObjectId.is_valid(text)
    query = {"_id": ObjectId(text)} if by_id else {"paneNumber": number_of(text)}
    found: dict[str, Any] | None = model._get_collection().find_one(query)
    if found is None:
        raise NotFound("Pane not found")
    return found


def draft(values: Mapping[str, Any], number: str, *, in_request: bool = False) -> Pane:
    """Make a pane that is not stored yet, standing where its route begins.

    An explicit empty route inside a request means that nothing is to be done.
    """
    routing = values.get("routing")
    _refuse_laminated(routing, values.get("raw_glass"))
    pane = records.new(Pane, values)
    placement = pane_flow.initial(
        [str(step) for step in routing or ()],
        _text(values.get("current_station")),
        explicit_empty=in_request and routing == [],
    )
    pane.pk = ObjectId()
    pane.pane_number = number
    pane.qr_code = qr_payload(number, policy.current().qr_prefix)
    _place(pane, placement)
    _measure(pane)
    return pane


def _refuse_laminated(routing: Any, raw_glass: Mapping[str, Any] | None) -> None:
    """Several sheets with a route make a laminate group, which is not built yet."""
    if routing and ((raw_glass or {}).get("sheetsPerPane") or 1) > 1:
        raise NotBuiltYet("Laminated panes are not available yet")


def _place(pane: Pane, placement: pane_flow.Placement) -> None:
    pane.current_status = str(placement.status)
    pane.current_station = ObjectId(placement.station) if placement.station else None
    pane.route_index = placement.position
    done = placement.status == pane_flow.Status.COMPLETED
    pane.completed_at = (pane.completed_at or clock.now()) if done else None


def _measure(pane: Pane) -> None:
    """Keep the area, width × height in mm², with the dimensions it follows from."""
    sides = dict(pane.dimensions or {})
    had_area = sides.pop("area", None) is not None
    width, height = sides.get("width"), sides.get("height")
    if width is not None and height is not None:
        pane.dimensions = {**sides, "area": width * height}
    elif had_area:  # a side was taken away
        pane.dimensions = sides


def create(*, model: type[Pane], values: Mapping[str, Any], actor: Identity) -> Pane:
    """Make a pane. Raises `UnknownReference`, `Refusal` for a station off its route."""
    return _create(values, records.next_numbers(Pane)[0])


@unit_of_work
def _create(values: Mapping[str, Any], number: str) -> Pane:
    references.check(references.mentions(Pane, values))
    pane = draft(values, number)
    pane.save()
    if pane.order:
        recount_order(pane.order)
    return pane


@unit_of_work
def update(
    *,
    model: type[Pane],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Pane:
    """Change a pane; a corrected station, status or route is logged with both states.

    Raises `Refusal` for a correction that contradicts the route or the flow.
    """
    pane = records.get(Pane, record_id)
    references.check(references.mentions(Pane, values))
    before, seen = state(pane), view(pane)
    order_before = pane.order
    placement = pane_flow.correct(seen, _correction(values))
    records.assign(pane, {k: v for k, v in values.items() if k not in CORRECTED})
    if "routing" in values:
        pane.routing = values["routing"] or []
    _refuse_laminated(pane.routing, pane.raw_glass)
    _place(pane, placement)
    _measure(pane)
    pane.save()
    left = [seen.station] if seen.station else []
    outbox.record("Pane", stored(pane), "updated", stations=left)
    if state(pane) != before:
        records.insert_all([correction(pane, before, actor)], announce=False)
    for order_id in {order_before, pane.order} - {None}:
        recount_order(order_id)
    return pane


def _correction(values: Mapping[str, Any]) -> pane_flow.Correction:
    route = values.get("routing")
    return pane_flow.Correction(
        status=values.get("current_status"),
        station=_text(values.get("current_station")),
        station_given="current_station" in values,
        route=tuple(str(step) for step in route or ()) if "routing" in values else None,
    )


@unit_of_work
def delete(*, model: type[Pane], ids: Sequence[ObjectId], actor: Identity) -> int:
    """Delete panes, all or none; their orders are counted anew. Raises `NotFound`."""
    order_ids = {records.get(Pane, one).order for one in ids} - {None}
    count = deletion.delete(model=Pane, ids=ids, actor=actor)
    for order_id in order_ids:
        recount_order(order_id)
    return count


def cancel_all(found: Sequence[Pane], *, actor: Identity, reason: str) -> None:
    """Take unfinished panes off the floor for good; their orders are the caller's."""
    logs = []
    for pane in found:
        before, left = state(pane), _text(pane.current_station)
        pane.current_status = str(pane_flow.Status.CANCELLED)
        pane.current_station = None
        pane.stamp()
        stations = [left] if left else []
        outbox.record("Pane", stored(pane), "updated", stations=stations)
        logs.append(correction(pane, before, actor, reason=reason))
    records.replace_all(found)
    records.insert_all(logs, announce=False)


def state(pane: Pane) -> dict[str, Any]:
    """Give what a correction is about, as its log keeps it."""
    return {
        "currentStation": pane.current_station,
        "currentStatus": pane.current_status,
        "routing": list(pane.routing),
        "routeIndex": pane.route_index,
    }


def correction(
    pane: Pane, before: Mapping[str, Any], actor: Identity, reason: str = ""
) -> PaneLog:
    """Make the log of a change that was no scan, with the state before and after."""
    return PaneLog(
        id=ObjectId(),
        pane=pane.pk,
        order=pane.order,
        material=pane.material,
        worker=actor.worker_id,
        station=pane.current_station or before["currentStation"],
        action="correction",
        reason=reason,
        before=dict(before),
        after=state(pane),
    )


def recount_order(order_id: ObjectId) -> None:
    """Bring an order's figures up to date with its panes."""
    order = records.get(Order, order_id)
    order_progress.recount(order)
    order.save()
