"""Timelines: the events of a material or of a pane, oldest first."""

from collections.abc import Callable
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow.domain import texts
from glassflow.domain.errors import FieldFault
from glassflow.models.base import Record
from glassflow.models.material_log import MaterialLog
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import archives
from glassflow.services.panes import mapping

MAX_EVENTS = 1000  # events of one kind

Row = dict[str, Any]
# Turns stored documents of a model into what the caller reads.
Show = Callable[[type[Record], list[Row]], list[Row]]


class Timeline(NamedTuple):
    """Events, oldest first; a remark names the archive files that cannot be read."""

    rows: list[Row]
    remarks: list[FieldFault]


def of_material(material: ObjectId, *, show: Show) -> list[Row]:
    """Return the events of a material: its ledger entries and its panes' logs.

    Of each the last `MAX_EVENTS` that the store has.
    """
    return _in_order(
        [
            *_of_panes(_stored(PaneLog, {"material": material}), show),
            *_of_materials({"material": material}, show),
        ]
    )


def of_pane(number: str, *, show: Show) -> Timeline:
    """Return the events of a pane: its logs, and the ledger entries that name it.

    Raises `NotFound`.
    """
    return of_pane_id(mapping.read_by_path(Pane, number)["_id"], show=show)


def of_pane_id(pane: ObjectId, *, show: Show) -> Timeline:
    """Return the events of a pane, also of a deleted one: those that are still kept."""
    archived = archives.of_pane(pane)
    logs = [*archived.rows, *_stored(PaneLog, {"pane": pane})]
    once = list({row["_id"]: row for row in logs}.values())
    rows = [*_of_panes(once, show), *_of_materials({"panes": pane}, show)]
    return Timeline(_in_order(rows), _remarks(archived.missing))


def _remarks(missing: list[str]) -> list[FieldFault]:
    message = texts.ARCHIVES_MISSING.format(files=", ".join(missing))
    return [{"field": "timeline", "message": message}] if missing else []


def _stored(model: type[Record], query: Row) -> list[Row]:
    readable = {**query, **model.readable}
    found = model.collection().find(readable).sort([("createdAt", -1)])
    return list(found.limit(MAX_EVENTS))


def _of_panes(logs: list[Row], show: Show) -> list[Row]:
    return [
        {"type": "pane", "logType": "pane_log", **row} for row in show(PaneLog, logs)
    ]


def _of_materials(query: Row, show: Show) -> list[Row]:
    shown = show(MaterialLog, _stored(MaterialLog, query))
    return [{"type": "material", "logType": "material_log", **row} for row in shown]


def _in_order(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (row["createdAt"], row["_id"]))
