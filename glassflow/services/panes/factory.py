"""Build panes that are not stored yet: single panes, and units with their sheets."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.domain.numbering import qr_payload, sheet_label
from glassflow.domain.panes import lamination, route
from glassflow.domain.panes.remake import COPIED
from glassflow.domain.panes.status import LaminateRole, Status
from glassflow.models.pane import Pane
from glassflow.models.station import Station
from glassflow.services import records
from glassflow.services.panes.mapping import id_or_none, route_of

# The fields that a sheet copies from its parent.
COPIED_TO_SHEETS = (*COPIED, "edge_tasks")


def build(
    values: Mapping[str, Any],
    number: str,
    laminating: frozenset[str],
    *,
    in_request: bool = False,
) -> list[Pane]:
    """Build a pane from its values in wire form: one pane, or a parent and its sheets.

    `laminating` are the stations that laminate, see `lamination_stations`. An explicit
    empty route in a request (`in_request`) means that there is no work. Raises
    `StationNotOnRoute`, and `NoLaminationStation` for several sheets.
    """
    field_of: Mapping[str, str] = Pane._reverse_db_field_map
    own = {field_of[name]: value for name, value in values.items()}
    station = id_or_none(own.pop("current_station", None))
    pane = with_number(records.new(Pane, own), number)
    set_area(pane)
    if needs_sheets(pane):
        return [pane, *split(pane, laminating, station=station)]
    set_placement(
        pane,
        route.initial(
            route_of(pane),
            station,
            explicit_empty=in_request and values.get("routing") == [],
        ),
    )
    return [pane]


def with_number(pane: Pane, number: str) -> Pane:
    """Set the id, the number and the QR payload of a new pane."""
    pane.pk = ObjectId()
    pane.pane_number = number
    pane.qr_code = qr_payload(number, runtime.current().policy.qr_prefix)
    return pane


def sheets_of(pane: Pane) -> int:
    """Return the number of sheets that a pane is made of."""
    return int((pane.raw_glass or {}).get("sheetsPerPane") or 1)


def needs_sheets(pane: Pane) -> bool:
    """Return whether a single pane has to become a unit: several sheets and a route."""
    merged = pane.laminate_merged_at is not None
    single = pane.laminate_role == LaminateRole.SINGLE and not merged
    return single and bool(pane.routing) and sheets_of(pane) > 1


def lamination_stations(routes: Iterable[Sequence[ObjectId]]) -> frozenset[str]:
    """Read which stations of these routes laminate."""
    ids = list({step for steps in routes for step in steps})
    if not ids:
        return frozenset()
    query = {"_id": {"$in": ids}}
    found = Station.collection().find(query, {"isLaminateStation": 1})
    return frozenset(str(row["_id"]) for row in found if row.get("isLaminateStation"))


def lamination_stations_of(bodies: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Read which stations laminate on the routes of new panes of several sheets."""
    return lamination_stations(
        values.get("routing") or ()
        for values in bodies
        if ((values.get("rawGlass") or {}).get("sheetsPerPane") or 1) > 1
    )


def split(
    parent: Pane, laminating: frozenset[str], *, station: str | None = None
) -> list[Pane]:
    """Turn a pane into a dormant parent, and return its new sheets.

    The sheets start at `station`, else at the first step of their route. Raises
    `NoLaminationStation` and `StationNotOnRoute`.
    """
    parts = lamination.split_route(route_of(parent), laminating)
    placement = route.initial(parts.sheets, station)
    parent.laminate_role = str(LaminateRole.PARENT)
    parent.laminate_station = ObjectId(parts.station)
    sheets = []
    for index in range(sheets_of(parent)):
        sheet = _sheet_of(parent, sheet_label(index))
        sheet.routing = [ObjectId(step) for step in parts.sheets]
        set_placement(sheet, placement)
        sheets.append(sheet)
    parent.child_panes = [sheet.pk for sheet in sheets]
    parent.routing = [ObjectId(step) for step in parts.after]
    set_placement(parent, route.Placement(Status.PENDING, None, 0))
    return sheets


def _sheet_of(parent: Pane, label: str) -> Pane:
    """Build a sheet of a unit, without its route and place."""
    copy = Pane(**copy_fields(parent, COPIED_TO_SHEETS))
    sheet = with_number(copy, f"{parent.pane_number}-{label}")
    sheet.laminate_role = str(LaminateRole.SHEET)
    sheet.laminate_station = parent.laminate_station
    sheet.parent_pane = parent.pk
    sheet.sheet_label = label
    return sheet


def copy_fields(pane: Pane, names: Iterable[str]) -> dict[str, Any]:
    """Return the values of a pane's fields, by field name, for a new pane."""
    values = pane.to_mongo()
    fields = {name: Pane._fields[name].db_field for name in names}
    return {name: values[key] for name, key in fields.items() if key in values}


def set_placement(
    pane: Pane, placement: route.Placement, *, arrived_at: datetime | None = None
) -> None:
    """Set the status and the place of a pane, and its completion time.

    `arrived_at` is when it came to its station, if that is not now.
    """
    pane.current_status = str(placement.status)
    station = ObjectId(placement.station) if placement.station else None
    pane.move_to(station, arrived_at=arrived_at)
    pane.route_index = placement.route_index
    completed = placement.status == Status.COMPLETED
    pane.completed_at = (pane.completed_at or clock.now()) if completed else None


def set_area(pane: Pane) -> None:
    """Set the area in mm², width times height, in the dimensions of a pane."""
    sides = dict(pane.dimensions or {})
    had_area = sides.pop("area", None) is not None
    width, height = sides.get("width"), sides.get("height")
    if width is not None and height is not None:
        pane.dimensions = {**sides, "area": width * height}
    elif had_area:  # a side has been removed
        pane.dimensions = sides
