"""The log of a pane: what was said and done about it; it is only ever added to."""

from typing import Any

from bson import ObjectId

from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog


def entry(
    pane: Pane, action: str, station: ObjectId | None, worker: ObjectId, **more: Any
) -> PaneLog:
    """Make an entry that is not stored yet; `more` are its other members."""
    return PaneLog(
        id=ObjectId(),
        pane=pane.pk,
        order=pane.order,
        material=pane.material,
        worker=worker,
        station=station,
        action=str(action),
        **more,
    )
