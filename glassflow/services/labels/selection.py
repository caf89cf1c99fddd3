"""What labels are wanted of: panes, stations, racks, lots, workers or commands, as plain values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bson import ObjectId

from glassflow.domain import texts
from glassflow.domain.aliases import May, Raw
from glassflow.domain.cutting.lots import has_own_size
from glassflow.domain.errors import Forbidden, Invalid, NotFound, Refusal, TooMany
from glassflow.domain.numbering import scanned_text
from glassflow.domain.panes.status import LaminateRole, Status
from glassflow.domain.stock import StockType
from glassflow.labels import cards
from glassflow.labels.template import Template, read_template
from glassflow.models.base import Record
from glassflow.models.inventory import Inventory
from glassflow.models.material import Material
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.rack import Rack
from glassflow.models.request import Request
from glassflow.models.station import Station
from glassflow.models.sticker_template import StickerTemplate
from glassflow.models.worker import Worker
from glassflow.services.auth import badges, grants
from glassflow.services.labels.pane_values import values_of_panes
from glassflow.services.panes.mapping import parse_number

MAX_LABELS = 1000
ALL = "all"
DEFAULT_TEMPLATE = "default"
# The lots of which `all` prints labels: the remnants in stock.
REMNANTS_IN_STOCK = {
    "stockType": str(StockType.REUSE),
    "dimensions.width": {"$gt": 0},
    "quantity": 1,
    "isActive": {"$ne": False},
}
# Of these an order or a request needs no label: the parent of a unit is not a piece of
# glass, the others are no more on their way.
UNLABELLED = (Status.MERGED_INTO, Status.CANCELLED, Status.DEFECTED)


@dataclass(frozen=True, slots=True)
class Source:
    """One thing that gets a label; `pane` is its id where it is a pane."""

    name: str
    values: dict[str, str]
    pane: ObjectId | None = None
    labelled_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """Exactly one of these; ids, numbers of records, or `all`.

    `address` is that of the service, as browsers open it, for the codes of stations.
    """

    panes: Sequence[str] = ()
    requests: Sequence[str] = ()
    orders: Sequence[str] = ()
    stations: Sequence[str] = ()
    racks: Sequence[str] = ()
    lots: Sequence[str] = ()
    workers: Sequence[str] = ()
    commands: Sequence[str] = ()
    template: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Selected:
    """The template and what it is filled in for, in the order of printing."""

    template: Template
    sources: list[Source] = field(default_factory=list)


def select(selection: Selection, *, may: May) -> Selected:
    """Read what labels are wanted of, with at most a query for each kind of record.

    Raises `Invalid` unless one kind is named and for a template that cannot be drawn,
    `NotFound` for unknown records, `Forbidden` without their view keys, and `TooMany`.
    """
    kinds = [kind for kind in _READERS if getattr(selection, kind)]
    if len(kinds) != 1:
        message = texts.LABELS_OF_WHAT.format(kinds=", ".join(_READERS))
        raise Invalid([{"field": "panes", "message": message}])
    selected = _READERS[kinds[0]](selection, may)
    if not selected.sources:
        raise NotFound(texts.LABELS_NONE)
    if len(selected.sources) > MAX_LABELS:
        raise TooMany(maximum=MAX_LABELS)
    return selected


def _of_panes(selection: Selection, may: May) -> Selected:
    _require(may, "panes:view", "sticker_templates:view")
    rows = _panes(selection)
    values = values_of_panes(rows, may)
    sources = [
        Source(row["paneNumber"], of_row, row["_id"], row.get("labelledAt"))
        for row, of_row in zip(rows, values, strict=True)
    ]
    return Selected(_stored_template(selection.template), sources)


def _panes(selection: Selection) -> list[Raw]:
    if selection.panes:
        return panes_by_name(selection.panes)
    query: dict[str, Any] = {
        "currentStatus": {"$nin": [str(one) for one in UNLABELLED]},
        "laminateRole": {"$ne": str(LaminateRole.PARENT)},
    }
    if selection.orders:
        query["order"] = {"$in": _ids_of(Order, selection.orders)}
    else:
        query["request"] = {"$in": _ids_of(Request, selection.requests)}
    return _find(Pane, query, sort="paneNumber")


def panes_by_name(names: Sequence[str]) -> list[Raw]:
    """Return panes by ids and numbers, in the order given, each once.

    Raises `NotFound` for unknown ones.
    """
    wanted = [
        ObjectId(one) if ObjectId.is_valid(one) else parse_number(one) for one in names
    ]
    ids = [one for one in wanted if isinstance(one, ObjectId)]
    numbers = [one for one in wanted if isinstance(one, str)]
    rows = _find(
        Pane, {"$or": [{"_id": {"$in": ids}}, {"paneNumber": {"$in": numbers}}]}
    )
    known = {row[key]: row for row in rows for key in ("_id", "paneNumber")}
    unknown = [str(one) for one in wanted if one not in known]
    if unknown:
        listed = ", ".join(unknown[:20])
        raise NotFound(texts.UNKNOWN_PANES.format(numbers=listed))
    return list({known[one]["_id"]: known[one] for one in wanted}.values())


def _ids_of(model: type[Record], names: Sequence[str]) -> list[ObjectId]:
    """Return the ids of records by ids and numbers; raises `NotFound` for unknown ones."""
    assert model.numbered is not None
    number = model._fields[model.numbered[0]].db_field
    ids = {ObjectId(one) for one in names if ObjectId.is_valid(one)}
    numbers = {scanned_text(n).upper() for n in names if not ObjectId.is_valid(n)}
    query = {"$or": [{"_id": {"$in": [*ids]}}, {number: {"$in": [*numbers]}}]}
    rows = list(model.collection().find(query, {number: 1}))
    known = {row.get(key) for row in rows for key in ("_id", number)}
    if not known >= ids | numbers:
        raise NotFound(texts.NOT_FOUND.format(label=model.label))
    return [row["_id"] for row in rows]


def _of_stations(selection: Selection, may: May) -> Selected:
    _require(may, "stations:view")
    rows = _named(Station, selection.stations, "position")
    base = selection.address.rstrip("/")
    return Selected(
        cards.POSTER,
        [
            Source(
                row["name"],
                {
                    "stationName": row["name"],
                    "qrCode": f"{base}/floor/s/{row['_id']}",
                },
            )
            for row in rows
        ],
    )


def _of_racks(selection: Selection, may: May) -> Selected:
    _require(may, "panes:view")
    rows = _named(Rack, selection.racks, "rackNumber")
    return Selected(
        cards.RACK,
        [
            Source(
                row["rackNumber"],
                {
                    "rackNumber": row["rackNumber"],
                    "rackName": row["name"],
                    "place": row.get("place", ""),
                    "qrCode": Rack.computed["qrCode"](row),
                },
            )
            for row in rows
        ],
    )


def _of_lots(selection: Selection, may: May) -> Selected:
    _require(may, "inventory:view")
    rows = _named(Inventory, selection.lots, "inventoryNumber", REMNANTS_IN_STOCK)
    names = _material_names(rows) if may("materials:view") else {}
    return Selected(
        cards.LOT,
        [
            Source(
                row.get("inventoryNumber", ""),
                {
                    "inventoryNumber": row.get("inventoryNumber", ""),
                    "size": _size(row),
                    "materialName": names.get(row["material"], ""),
                    "location": row["location"],
                    "qrCode": Inventory.computed["qrCode"](row),
                },
            )
            for row in rows
        ],
    )


def _material_names(lots: Sequence[Raw]) -> Mapping[ObjectId, str]:
    query = {"_id": {"$in": list({row["material"] for row in lots})}}
    rows = Material.collection().find(query, {"name": 1})
    return {row["_id"]: row["name"] for row in rows}


def _size(lot: Raw) -> str:
    """Return the own size of a lot as people write it, nothing where it has none."""
    size = lot.get("dimensions")
    if not size or not has_own_size(size):
        return ""
    return f"{size['width']:.10g} × {size['height']:.10g}"


def _of_workers(selection: Selection, may: May) -> Selected:
    """Select badges; who prints somebody's badge could act as that worker.

    Of `all` workers those are left out who have no badge, or more rights than the caller.
    """
    _require(may, "workers:manage")
    rows = _named(Worker, selection.workers, "name")
    active = [row for row in rows if row.get("isActive", True)]
    covered = _covered(active, may)
    if list(selection.workers) == [ALL]:
        active = [row for row in covered if badges.code_of(row)]
    elif len(covered) < len(active):
        raise Forbidden()
    without = [row for row in active if not badges.code_of(row)]
    if without:
        names = ", ".join(row["name"] for row in without[:20])
        raise Refusal(
            texts.BADGE_MISSING.format(names=names),
            code="BADGE_MISSING",
            details={"workers": [str(row["_id"]) for row in without]},
        )
    return Selected(
        cards.BADGE,
        [
            Source(
                row["name"],
                {
                    "workerName": row["name"],
                    "position": row.get("position", ""),
                    "qrCode": badges.code_of(row) or "",
                },
            )
            for row in active
        ],
    )


def _covered(rows: Sequence[Raw], may: May) -> list[Raw]:
    """Return the workers who hold no key that the caller lacks."""
    roles = list(dict.fromkeys(row["role"] for row in rows))
    keys = {one: grants.effective_keys(grants.keys_of(one)) for one in roles}
    return [row for row in rows if all(map(may, keys[row["role"]]))]


def _of_commands(selection: Selection, may: May) -> Selected:
    wanted = list(dict.fromkeys(selection.commands))
    wanted = list(cards.COMMANDS) if wanted == [ALL] else wanted
    unknown = [one for one in wanted if one not in cards.COMMANDS]
    if unknown:
        message = texts.LABEL_COMMANDS.format(commands=", ".join(cards.COMMANDS))
        raise Invalid([{"field": "commands", "message": message}])
    return Selected(
        cards.COMMAND_CARD,
        [Source(one, cards.command_values(one)) for one in wanted],
    )


def _named(
    model: type[Record], wanted: Sequence[str], sort: str, every: Raw | None = None
) -> list[Raw]:
    """Return all records of a model, or those with these ids in the order given.

    `every` is a filter of those that `all` stands for.
    """
    if list(wanted) == [ALL]:
        return _find(model, dict(every or {}), sort=sort)
    unknown = [one for one in wanted if not ObjectId.is_valid(one)]
    ids = [ObjectId(one) for one in wanted if ObjectId.is_valid(one)]
    known = {row["_id"]: row for row in _find(model, {"_id": {"$in": ids}})}
    if unknown or any(one not in known for one in ids):
        raise NotFound(texts.NOT_FOUND.format(label=model.label))
    return [known[one] for one in dict.fromkeys(ids)]


def _find(
    model: type[Record], query: dict[str, Any], *, sort: str = "_id"
) -> list[Raw]:
    """Return records in stored form; one more than may be printed, to notice it."""
    found = model.collection().find({**query, **model.readable})
    return list(found.sort([(sort, 1), ("_id", 1)]).limit(MAX_LABELS + 1))


def _stored_template(text: str) -> Template:
    """Return a template by its id or name; without one the default, else the first."""
    collection = StickerTemplate.collection()
    if text:
        query = {"_id": ObjectId(text)} if ObjectId.is_valid(text) else {"name": text}
        found = collection.find_one(query)
    else:
        found = collection.find_one({"name": DEFAULT_TEMPLATE})
        found = found or collection.find_one({}, sort=[("_id", 1)])
    if found is None and not text:
        raise NotFound(texts.NO_LABEL_TEMPLATE, code="NO_LABEL_TEMPLATE")
    if found is None:
        raise NotFound(texts.NOT_FOUND.format(label=StickerTemplate.label))
    return read_template(
        name=found.get("name", ""),
        width=found["width"],
        height=found["height"],
        elements=found.get("elements") or [],
    )


def _require(may: May, *keys: str) -> None:
    if not all(may(key) for key in keys):
        raise Forbidden()


_READERS: Mapping[str, Callable[[Selection, May], Selected]] = {
    "panes": _of_panes,
    "requests": _of_panes,
    "orders": _of_panes,
    "stations": _of_stations,
    "racks": _of_racks,
    "lots": _of_lots,
    "workers": _of_workers,
    "commands": _of_commands,
}
