"""What has happened to a material or to a pane, oldest first."""

from typing import Any

from bson import ObjectId

from glassflow.models.material_log import MaterialLog
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import panes
from glassflow.services.representation import shape

LONGEST = 1000  # events of one kind


def of_material(material: ObjectId) -> list[dict[str, Any]]:
    """Merge the events of a material: its own, and those of the panes made of it."""
    return _merged({"material": material}, {"material": material})


def of_pane(number: str) -> list[dict[str, Any]]:
    """Merge the events of a pane: its scans, and what it took from the stock.

    Raises `NotFound`.
    """
    pane = panes.find(Pane, number)
    return _merged({"pane": pane["_id"]}, {"panes": pane["_id"]})


def _merged(
    pane_events: dict[str, Any], material_events: dict[str, Any]
) -> list[dict[str, Any]]:
    rows = []
    for kind, model, query in (
        ("pane", PaneLog, pane_events),
        ("material", MaterialLog, material_events),
    ):
        found = model._get_collection().find(query).sort([("createdAt", -1)])
        rows += [{"type": kind, **shape(model, raw)} for raw in found.limit(LONGEST)]
    return sorted(rows, key=lambda row: (row["createdAt"], row["_id"]))
