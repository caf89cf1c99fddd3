"""References read as records: what `populate` asks for, one query a collection."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bson import ObjectId
from mongoengine import ListField

from glassflow.models import BY_NAME
from glassflow.models.base import Record, Ref
from glassflow.services.representation import shape

Row = dict[str, Any]
Plan = Mapping[str, Any]  # reference path -> the plan inside the expanded record


class Target(NamedTuple):
    """What a reference points at, and which fields of it are shown (None: all)."""

    model: str
    fields: tuple[str, ...] | None = None


# Nobody sees more of a worker than this, whoever refers to them.
PERSON = ("_id", "name", "username", "position")
WORKER = Target("Worker", PERSON)
STATION = Target("Station", ("_id", "name"))

# The usual references of each record, in the order in which they are shown.
USUAL: Mapping[str, Mapping[str, Target]] = {
    "Worker": {"role": Target("Role")},
    "Request": {
        "customer": Target("Customer"),
        "assignedTo": WORKER,
        "cancelledBy": WORKER,
    },
    "Order": {
        "request": Target("Request"),
        "customer": Target("Customer"),
        "material": Target("Material"),
        "claim": Target("Claim"),
        "withdrawal": Target("Withdrawal"),
        "assignedTo": WORKER,
        "stations": STATION,
        "stationHistory.station": STATION,
    },
    "Pane": {
        "order": Target(
            "Order", ("_id", "orderNumber", "priority", "customer", "material")
        ),
        "request": Target("Request", ("_id", "requestNumber", "deadline")),
        "withdrawal": Target("Withdrawal"),
        "remakeOf": Target("Pane"),
        "material": Target("Material", ("_id", "name")),
        "currentStation": STATION,
        "routing": STATION,
        "laminateStation": STATION,
        "parentPane": Target("Pane", ("_id", "paneNumber", "laminateRole")),
        "childPanes": Target(
            "Pane",
            (
                "_id",
                "paneNumber",
                "sheetLabel",
                "currentStatus",
                "currentStation",
                "laminateRole",
            ),
        ),
        "mergedInto": Target(
            "Pane", ("_id", "paneNumber", "currentStatus", "laminateRole")
        ),
    },
    "Inventory": {"material": Target("Material")},
    "MaterialLog": {
        "material": Target("Material"),
        "order": Target("Order"),
        "panes": Target("Pane"),
        "worker": WORKER,
        "parentLog": Target("MaterialLog"),
    },
    "Claim": {
        "order": Target("Order"),
        "material": Target("Material"),
        "pane": Target("Pane"),
        "reportedBy": WORKER,
        "approvedBy": WORKER,
        "remadePane": Target("Pane"),
        "defectStation": STATION,
    },
    "Withdrawal": {
        "order": Target("Order"),
        "panes": Target("Pane"),
        "withdrawnBy": WORKER,
        "material": Target("Material"),
        "approvedBy": WORKER,
        "inventory": Target("Inventory"),
    },
    "Station": {"templateId": Target("StationTemplate")},
    "Notification": {"recipient": WORKER},
    "PaneLog": {
        "pane": Target("Pane", ("_id", "paneNumber", "glassTypeLabel")),
        "station": STATION,
    },
    "ProductionLog": {
        "pane": Target("Pane"),
        "order": Target("Order"),
        "operator": WORKER,
        "station": STATION,
    },
}


def expand(model: type[Record], rows: Sequence[Row], populate: str) -> Sequence[Row]:
    """Expand references of shaped rows in place, and give the rows back.

    `populate` is `true` (the usual references), `false`, or a comma list of reference
    fields, at most one dotted level deeper (`order.request`). Unknown names are
    ignored. A reference to a record that is gone becomes null, or leaves its list.
    """
    plan = _plan(model, populate)
    if plan and rows:
        _expand(model, rows, plan)
    return rows


def _plan(model: type[Record], populate: str) -> dict[str, dict[str, Any]]:
    if populate == "false":
        return {}
    if populate == "true":
        return {path: {} for path in USUAL.get(model.__name__, {})}
    plan: dict[str, dict[str, Any]] = {}
    for name in (part.strip() for part in populate.split(",")):
        path, deeper = _split(model, name)
        if path:
            inner = plan.setdefault(path, {})
            if deeper:
                inner[deeper] = {}
    return plan


def _split(model: type[Record], name: str) -> tuple[str, str]:
    """Split a populate name into a reference path of the model and what is deeper."""
    if target(model, name):
        return name, ""
    head, _, rest = name.partition(".")
    found = target(model, head)
    if found and rest and target(BY_NAME[found.model], rest):
        return head, rest
    return "", ""


def target(model: type[Record], path: str) -> Target | None:
    """Tell what a reference field of a model points at; None if it is no reference."""
    usual = USUAL.get(model.__name__, {}).get(path)
    if usual:
        return usual
    for field in model._fields.values():
        if field.db_field == path and path not in model.hidden:
            inner = field.field if isinstance(field, ListField) else field
            if isinstance(inner, Ref):
                return WORKER if inner.target == "Worker" else Target(inner.target)
    return None


def _expand(model: type[Record], rows: Sequence[Row], plan: Plan) -> None:
    targets = {path: target(model, path) for path in plan}
    wanted: dict[str, set[ObjectId]] = defaultdict(set)
    for path, found in targets.items():
        if found:
            wanted[found.model].update(_ids(rows, path.split(".")))
    fetched = {name: _fetch(BY_NAME[name], ids) for name, ids in wanted.items()}
    for path, found in targets.items():
        if not found:
            continue
        other = BY_NAME[found.model]
        shown = {
            key: _cut(shape(other, raw), found.fields)
            for key, raw in fetched[found.model].items()
        }
        if plan[path]:
            _expand(other, list(shown.values()), plan[path])
        _fill(rows, path.split("."), shown)


def _fetch(model: type[Record], ids: set[ObjectId]) -> dict[ObjectId, Row]:
    if not ids:
        return {}
    found = model._get_collection().find({"_id": {"$in": list(ids)}})
    return {raw["_id"]: raw for raw in found}


def _cut(row: Row, fields: tuple[str, ...] | None) -> Row:
    return row if fields is None else {k: row[k] for k in fields if k in row}


def _ids(rows: Sequence[Row], path: Sequence[str]) -> Iterator[ObjectId]:
    for row in rows:
        value = row.get(path[0])
        if len(path) > 1:
            yield from _ids(value or (), path[1:])
        elif isinstance(value, list):
            yield from (item for item in value if isinstance(item, ObjectId))
        elif isinstance(value, ObjectId):
            yield value


def _fill(
    rows: Sequence[Row], path: Sequence[str], shown: Mapping[ObjectId, Row]
) -> None:
    for row in rows:
        value = row.get(path[0])
        if len(path) > 1:
            _fill(value or (), path[1:], shown)
        elif isinstance(value, list):
            row[path[0]] = [shown[item] for item in value if item in shown]
        elif isinstance(value, ObjectId):
            row[path[0]] = shown.get(value)
