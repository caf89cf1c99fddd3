"""What the log of a scan stores so that the scan can be undone."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from glassflow.core.identity import Identity
from glassflow.domain.orders import OrderStatus
from glassflow.domain.panes import undo
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog

# The fields of a pane that a scan may change, but for `last_scan`.
FIELDS = (
    "current_status",
    "current_station",
    "arrived_at",
    "route_index",
    "started_at",
    "completed_at",
    "material",
)


def collect(pane: Pane, order: Order | None, actor: Identity) -> dict[str, Any]:
    """Return what undoing a scan needs; call it before the scan changes the pane."""
    return {
        "version": pane.version + 1,
        "by": actor.worker_id,
        "startsOrder": order is not None and order.status == OrderStatus.PENDING,
        "pane": {Pane._fields[name].db_field: pane[name] for name in FIELDS},
    }


def restore(pane: Pane, data: Mapping[str, Any]) -> None:
    """Set the fields of a pane to their values before the scan."""
    for name in FIELDS:
        pane[name] = data["pane"].get(Pane._fields[name].db_field)


def last_log(log: PaneLog | None, actor: Identity) -> undo.LastLog | None:
    """Return the newest log of a pane as the rules of undoing need it."""
    if log is None:
        return None
    data = log.undo or {}
    own = actor.worker_id in (data.get("by"), log.worker)
    return undo.LastLog(
        action=log.action,
        stored_at=log.created_at,
        version=data.get("version"),
        own=own or actor.may("panes:manage"),
    )


def undoable_until(log: PaneLog) -> datetime | None:
    """Return until when the scan of a log can be undone; None for a lamination."""
    return undo.undoable_until(log.created_at) if log.undo else None
