"""Pane logs: entries are only ever added."""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.domain.panes.status import LogAction
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import records


def pane_log(
    pane: Pane, action: str, station: ObjectId | None, worker: ObjectId, **values: Any
) -> PaneLog:
    """Build a log of a pane, not stored yet; `values` are its other fields."""
    return PaneLog(
        id=ObjectId(),
        pane=pane.pk,
        order=pane.order,
        material=pane.material,
        worker=worker,
        station=station,
        action=str(action),
        **values,
    )


def snapshot(pane: Pane) -> dict[str, Any]:
    """Return the state of a pane that the log of a correction stores."""
    return {
        "currentStation": pane.current_station,
        "currentStatus": pane.current_status,
        "routing": list(pane.routing),
        "routeIndex": pane.route_index,
    }


def correction_log(
    pane: Pane, before: Mapping[str, Any], actor: Identity, reason: str = ""
) -> PaneLog:
    """Build the log of a change that is not a scan; `before` is a snapshot.

    A pane that is put back to where it was arrived there earlier, and does not come now.
    """
    moved = pane.current_station != before["currentStation"]
    came = moved and pane.arrived_at == clock.now()
    return pane_log(
        pane,
        LogAction.CORRECTION,
        pane.current_station or before["currentStation"],
        actor.worker_id,
        reason=reason,
        before=dict(before),
        after=snapshot(pane),
        moved_to=pane.current_station if came else None,
    )


def store(*made: PaneLog) -> None:
    """Store logs; the event is the change of their pane, which the caller stores."""
    records.write(*made)


def announce_log(log: PaneLog, pane: Pane) -> None:
    """Announce the stored log of a scan, or of one that was undone, with its material."""
    detail = {"paneLog": log.stored_form(), "material": pane.material}
    records.announce(log, "pane_scanned", detail=detail)


# What the log of a correction says of the logs that it has undone.
UNDONE = (
    "id", "action", "station", "created_at", "occurred_at", "arrived_at", "started_at",
    "taken_in_at", "moved_to",
)  # fmt: skip


def undone_forms(logs: Sequence[PaneLog]) -> list[dict[str, Any]]:
    """Return the logs of a scan as the correction that undid it has them."""
    names = {name: PaneLog._fields[name].db_field for name in UNDONE}
    return [{names[name]: log[name] for name in UNDONE} for log in logs]
