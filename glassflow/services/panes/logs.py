"""Pane logs: entries are only ever added."""

from collections.abc import Sequence
from typing import Any

from bson import ObjectId

from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog


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


# What the log of a correction says of the logs that it has undone.
UNDONE = (
    "id", "action", "station", "created_at", "occurred_at", "arrived_at", "moved_to",
)  # fmt: skip


def undone_forms(logs: Sequence[PaneLog]) -> list[dict[str, Any]]:
    """Return the logs of a scan as the correction that undid it has them."""
    names = {name: PaneLog._fields[name].db_field for name in UNDONE}
    return [{names[name]: log[name] for name in UNDONE} for log in logs]
