"""A pane as its flow sees it, and pane numbers as people and scanners give them."""

from collections.abc import Iterator
from contextlib import contextmanager

from bson import ObjectId

from glassflow.domain import pane_flow
from glassflow.domain.errors import Refusal
from glassflow.domain.numbering import parse_pane_number
from glassflow.domain.scan_refusals import AlreadyTerminal
from glassflow.models.pane import Pane
from glassflow.services import policy


def number_of(text: str) -> str:
    """Read a pane number as people and scanners give it: bare, QR, any letter case."""
    return parse_pane_number(text, policy.current().qr_prefix)


def view(pane: Pane) -> pane_flow.PaneView:
    """Give the part of a pane that its flow depends on."""
    return pane_flow.PaneView(
        status=pane.current_status,
        station=id_text(pane.current_station),
        route=route_of(pane),
        position=pane.route_index,
        laminate_role=pane.laminate_role,
        laminate_station=id_text(pane.laminate_station),
        parent=id_text(pane.parent_pane),
        merged_into=id_text(pane.merged_into),
    )


def route_of(pane: Pane) -> tuple[str, ...]:
    """Give a pane's route as the domain reads it."""
    return tuple(str(step) for step in pane.routing)


def id_text(value: ObjectId | None) -> str | None:
    """Give an id as the domain reads it."""
    return str(value) if value else None


@contextmanager
def naming(pane: Pane) -> Iterator[None]:
    """Name the pane in a refusal that is raised within; a merged one's survivor too."""
    try:
        yield
    except Refusal as refusal:
        refusal.facts["paneNumber"] = pane.pane_number
        if isinstance(refusal, AlreadyTerminal) and pane.merged_into:
            query = {"_id": pane.merged_into}
            survivor = Pane._get_collection().find_one(query) or {}
            refusal.facts["survivorPaneNumber"] = survivor.get("paneNumber")
        raise
