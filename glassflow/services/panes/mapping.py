"""Panes as the domain sees them, and panes by the numbers that people and scanners give."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.domain import texts
from glassflow.domain.errors import NotFound, Refusal
from glassflow.domain.numbering import parse_pane_number
from glassflow.domain.panes.refusals import AlreadyTerminal
from glassflow.domain.panes.status import PaneView
from glassflow.models.pane import Pane


def parse_number(text: str) -> str:
    """Return the stored form of a pane number or QR payload, in any letter case."""
    return parse_pane_number(text, runtime.current().policy.qr_prefix)


def read_by_path(model: type[Pane], text: str) -> dict[str, Any]:
    """Read the stored form of a pane by its id or its number; raises `NotFound`."""
    is_id = ObjectId.is_valid(text)
    query = {"_id": ObjectId(text)} if is_id else {"paneNumber": parse_number(text)}
    found = model.collection().find_one(query)
    if found is None:
        raise NotFound(texts.PANE_NOT_FOUND)
    return found


def pane_view(pane: Pane) -> PaneView:
    """Return the part of a pane that its flow depends on."""
    return PaneView(
        status=pane.current_status,
        station=id_or_none(pane.current_station),
        route=route_of(pane),
        route_index=pane.route_index,
        laminate_role=pane.laminate_role,
        laminate_station=id_or_none(pane.laminate_station),
        parent=id_or_none(pane.parent_pane),
        merged_into=id_or_none(pane.merged_into),
        number=pane.pane_number,
        merged=pane.laminate_merged_at is not None,
    )


# Where a pane is: what is kept of it while a claim or a cancellation takes it away.
PLACE = ("status", "station", "arrivedAt")


def place_of(pane: Pane) -> dict[str, Any]:
    """Return where a pane is, by the names in `PLACE`."""
    place = (pane.current_status, pane.current_station, pane.arrived_at)
    return dict(zip(PLACE, place, strict=True))


def route_of(pane: Pane) -> tuple[str, ...]:
    """Return the route of a pane as texts of station ids."""
    return tuple(str(step) for step in pane.routing)


def id_or_none(value: ObjectId | None) -> str | None:
    """Return the text of an id, or None."""
    return str(value) if value else None


@contextmanager
def naming_pane(pane: Pane) -> Iterator[None]:
    """Add the pane's number to the details of a refusal that is raised inside.

    For a merged pane also the number of the survivor.
    """
    try:
        yield
    except Refusal as refusal:
        refusal.details["paneNumber"] = pane.pane_number
        if isinstance(refusal, AlreadyTerminal) and pane.merged_into:
            query = {"_id": pane.merged_into}
            survivor = Pane.collection().find_one(query) or {}
            refusal.details["survivorPaneNumber"] = survivor.get("paneNumber")
        raise
