"""Timelines: the events of a material or of a pane, oldest first."""

from collections.abc import Callable
from typing import Any

from bson import ObjectId

from glassflow.models.base import Record
from glassflow.models.material_log import MaterialLog
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services.panes import mapping

MAX_EVENTS = 1000  # events of one kind

Row = dict[str, Any]
# Turns stored documents of a model into what the caller reads.
Show = Callable[[type[Record], list[Row]], list[Row]]


def of_material(material: ObjectId, *, show: Show) -> list[Row]:
    """Return the events of a material: its ledger entries and its panes' logs."""
    return _merged({"material": material}, {"material": material}, show)


def of_pane(number: str, *, show: Show) -> list[Row]:
    """Return the events of a pane: its logs, and the ledger entries that name it.

    Raises `NotFound`.
    """
    return of_pane_id(mapping.read_by_path(Pane, number)["_id"], show=show)


def of_pane_id(pane: ObjectId, *, show: Show) -> list[Row]:
    """Return the events of a pane, also of a deleted one: those that are still stored."""
    return _merged({"pane": pane}, {"panes": pane}, show)


def _merged(pane_events: Row, material_events: Row, show: Show) -> list[Row]:
    rows = [
        *_rows("pane", "pane_log", PaneLog, pane_events, show),
        *_rows("material", "material_log", MaterialLog, material_events, show),
    ]
    return sorted(rows, key=lambda row: (row["createdAt"], row["_id"]))


def _rows(
    kind: str, log_type: str, model: type[Record], query: Row, show: Show
) -> list[Row]:
    """Read the last events of one kind, each with both names of its kind."""
    readable = {**query, **model.readable}
    found = model.collection().find(readable).sort([("createdAt", -1)])
    shown = show(model, list(found.limit(MAX_EVENTS)))
    return [{"type": kind, "logType": log_type, **row} for row in shown]
