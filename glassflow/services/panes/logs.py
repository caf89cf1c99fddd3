"""Pane logs: entries are only ever added."""

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
