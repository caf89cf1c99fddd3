"""Corrections: a pane's state changed by people's word and not by a scan, and logged."""

from collections.abc import Mapping, Sequence
from typing import Any

from glassflow.core import outbox
from glassflow.domain import pane_flow
from glassflow.domain.scan_refusals import CorrectionRefused
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import pane_logs, records, references
from glassflow.services.identity import Identity
from glassflow.services.pane_views import id_text
from glassflow.services.representation import stored


def asked(values: Mapping[str, Any]) -> pane_flow.Correction:
    """Read from a pane's new values what is to be put right."""
    route = values.get("routing")
    return pane_flow.Correction(
        status=values.get("current_status"),
        station=id_text(values.get("current_station")),
        station_given="current_station" in values,
        route=tuple(str(step) for step in route or ()) if "routing" in values else None,
    )


def refuse_revival(pane: Pane, placement: pane_flow.Placement) -> None:
    """Refuse to bring back a piece that a remake or a decided claim has replaced.

    Raises `CorrectionRefused`: it would be counted twice.
    """
    if placement.status == pane.current_status:
        return
    replaced = pane.written_off or (
        pane.current_status == pane_flow.Status.DEFECTED
        and Pane._get_collection().find_one({"remakeOf": pane.pk}, {"_id": 1})
    )
    if replaced:
        raise CorrectionRefused(
            "The pane has been replaced or written off",
            facts={"status": pane.current_status},
        )


def check_way(pane: Pane) -> None:
    """Refuse to bring a pane back to a route over stations that have gone meanwhile."""
    route = tuple(pane.routing)
    if route:
        references.check([references.Mention("routing", "Station", route)])


def cancel_all(found: Sequence[Pane], *, actor: Identity, reason: str) -> None:
    """Take unfinished panes off the floor for good; their orders are the caller's."""
    logs = []
    for pane in found:
        before, left = state(pane), id_text(pane.current_station)
        pane.current_status = str(pane_flow.Status.CANCELLED)
        pane.current_station = None
        pane.held_from = None  # a claim that is decided later finds nothing to free
        pane.stamp()
        stations = [left] if left else []
        outbox.record("Pane", stored(pane), "updated", stations=stations)
        logs.append(log_of(pane, before, actor, reason=reason))
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


def log_of(
    pane: Pane, before: Mapping[str, Any], actor: Identity, reason: str = ""
) -> PaneLog:
    """Make the log of a change that was no scan, with the state before and after."""
    station = pane.current_station or before["currentStation"]
    states = {"before": dict(before), "after": state(pane)}
    return pane_logs.entry(
        pane, "correction", station, actor.worker_id, reason=reason, **states
    )
