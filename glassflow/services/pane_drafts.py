"""Panes that are about to be made: single ones, and laminated units with their sheets."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core import clock
from glassflow.domain import lamination, pane_flow
from glassflow.domain.numbering import qr_payload, sheet_label
from glassflow.domain.remake import COPIED
from glassflow.models.pane import Pane
from glassflow.models.station import Station
from glassflow.services import policy, records
from glassflow.services.pane_views import id_text, route_of

# What a sheet has from its unit, besides what a remake has from what it replaces.
SHARED = (*COPIED, "edge_tasks")


def draft(
    values: Mapping[str, Any],
    number: str,
    laminating: frozenset[str],
    *,
    in_request: bool = False,
) -> list[Pane]:
    """Make what a pane's values ask for, not stored yet: a pane, or parent and sheets.

    `laminating` are the stations that laminate, see `laminating_stations`. An explicit
    empty route inside a request means that nothing is to be done. Raises `Refusal` for
    a place off the route, and for several sheets without a lamination station.
    """
    pane = named(records.new(Pane, values), number)
    station = id_text(values.get("current_station"))
    measure(pane)
    if asks_for_sheets(pane):
        return [pane, *split(pane, laminating, station=station)]
    place(
        pane,
        pane_flow.initial(
            route_of(pane),
            station,
            explicit_empty=in_request and values.get("routing") == [],
        ),
    )
    return [pane]


def named(pane: Pane, number: str) -> Pane:
    """Give a new pane its id, its number and the text of its QR code."""
    pane.pk = ObjectId()
    pane.pane_number = number
    pane.qr_code = qr_payload(number, policy.current().qr_prefix)
    return pane


def sheets_of(pane: Pane) -> int:
    """Tell of how many sheets a pane is made."""
    return int((pane.raw_glass or {}).get("sheetsPerPane") or 1)


def asks_for_sheets(pane: Pane) -> bool:
    """Whether a single pane has to become a unit: several sheets, and a way to go."""
    merged = pane.laminate_merged_at is not None
    single = pane.laminate_role == "single" and not merged
    return single and bool(pane.routing) and sheets_of(pane) > 1


def laminating_stations(routes: Iterable[Sequence[ObjectId]]) -> frozenset[str]:
    """Read which stations of these routes laminate."""
    wanted = list({step for route in routes for step in route})
    if not wanted:
        return frozenset()
    query = {"_id": {"$in": wanted}}
    found = Station._get_collection().find(query, {"isLaminateStation": 1})
    return frozenset(str(row["_id"]) for row in found if row.get("isLaminateStation"))


def laminating_for(drafts: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Read which stations laminate on the routes of those that are of several sheets."""
    return laminating_stations(
        values.get("routing") or ()
        for values in drafts
        if ((values.get("raw_glass") or {}).get("sheetsPerPane") or 1) > 1
    )


def split(
    parent: Pane, laminating: frozenset[str], *, station: str | None = None
) -> list[Pane]:
    """Turn a pane into a dormant parent, and give its new sheets.

    The sheets begin at `station`, else where their route does. Raises
    `NoLaminationStation`, and `Refusal` for a station off the sheets' route.
    """
    ways = lamination.ways(route_of(parent), laminating)
    placement = pane_flow.initial(ways.sheets, station)
    parent.laminate_role = "parent"
    parent.laminate_station = ObjectId(ways.station)
    sheets = []
    for index in range(sheets_of(parent)):
        label = sheet_label(index)
        sheet = sheet_like(parent, f"{parent.pane_number}-{label}", label)
        sheet.routing = [ObjectId(step) for step in ways.sheets]
        place(sheet, placement)
        sheets.append(sheet)
    parent.child_panes = [sheet.pk for sheet in sheets]
    parent.routing = [ObjectId(step) for step in ways.after]
    place(parent, pane_flow.Placement(pane_flow.Status.PENDING, None, 0))
    return sheets


def sheet_like(parent: Pane, number: str, label: str) -> Pane:
    """Make a sheet of a unit; its route and place are the caller's."""
    sheet = named(Pane(**copied(parent, SHARED)), number)
    sheet.laminate_role = "sheet"
    sheet.laminate_station = parent.laminate_station
    sheet.parent_pane = parent.pk
    sheet.sheet_label = label
    return sheet


def copied(pane: Pane, names: Iterable[str]) -> dict[str, Any]:
    """Give the values of a pane's fields, to make another like it."""
    values = pane.to_mongo()
    fields = {name: Pane._fields[name].db_field for name in names}
    return {name: values[key] for name, key in fields.items() if key in values}


def place(pane: Pane, placement: pane_flow.Placement) -> None:
    """Put a pane where its flow says; one that is completed gets its time."""
    pane.current_status = str(placement.status)
    pane.current_station = ObjectId(placement.station) if placement.station else None
    pane.route_index = placement.position
    done = placement.status == pane_flow.Status.COMPLETED
    pane.completed_at = (pane.completed_at or clock.now()) if done else None


def measure(pane: Pane) -> None:
    """Keep the area, width × height in mm², with the dimensions it follows from."""
    sides = dict(pane.dimensions or {})
    had_area = sides.pop("area", None) is not None
    width, height = sides.get("width"), sides.get("height")
    if width is not None and height is not None:
        pane.dimensions = {**sides, "area": width * height}
    elif had_area:  # a side was taken away
        pane.dimensions = sides
