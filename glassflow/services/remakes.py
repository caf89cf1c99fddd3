"""Remakes: a piece that failed is made anew, once, and everybody concerned is told."""

from dataclasses import dataclass

from bson import ObjectId

from glassflow.domain import lamination, pane_flow
from glassflow.domain.remake import COPIED, Kind, kind_of
from glassflow.models.material_log import MaterialLog
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.station import Station
from glassflow.services import (
    announcements,
    pane_drafts,
    records,
    references,
    stock_taking,
)
from glassflow.services.pane_views import route_of, view


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a piece is made again: the stock book's reference, and who said so.

    `kind` is `qc_remake` or `claim`, `id` the failed pane's or the claim's, `notice`
    the type of the notification. `left` is the station where the piece failed.
    """

    kind: str
    id: ObjectId
    notice: str
    worker: ObjectId
    left: str | None = None


def make(
    pane: Pane, number: str, *, order: Order | None, station: str | None, cause: Cause
) -> Pane:
    """Make a piece again, at `station` or where its way begins; the order is recounted
    by the caller.

    A plain pane is replaced by one, a sheet within its unit, and what came out of a
    lamination by a whole new unit, whose parent is the answer. `number` is a new pane
    number. Raises `Refusal` for a station off the route.
    """
    kind = kind_of(view(pane), merged=pane.laminate_merged_at is not None)
    if kind is Kind.UNIT:
        made = _unit(pane, number, station)
    elif kind is Kind.SHEET:
        made = [_sheet(pane, number, station)]
    else:
        made = [_plain(pane, number, station)]
    made[0].remake_of = pane.pk
    _check_stations(made)
    records.insert_all(made)
    pieces = [one for one in made if one.laminate_role != "parent"]
    _consume(pane, pieces, cause)
    _announce(pieces, cause)
    if order is not None and order.assigned_to:
        announcements.remade(
            made[0], instead_of=pane, recipient=order.assigned_to, notice=cause.notice
        )
    return made[0]


def _check_stations(made: list[Pane]) -> None:
    """Refuse a way over stations that have gone since the old piece passed them."""
    steps = {step for one in made for step in one.routing}
    if steps:
        references.check([references.Mention("routing", "Station", tuple(steps))])


def _announce(pieces: list[Pane], cause: Cause) -> None:
    standing = [piece for piece in pieces if piece.current_station]
    query = {"_id": {"$in": list({piece.current_station for piece in standing})}}
    rows = Station._get_collection().find(query, {"name": 1}) if standing else ()
    names = {row["_id"]: row["name"] for row in rows}
    for piece in standing:
        announcements.pane_arrived(
            piece,
            left=cause.left,
            station=str(piece.current_station),
            station_name=names.get(piece.current_station, ""),
            is_remake=True,
        )


def _plain(pane: Pane, number: str, station: str | None) -> Pane:
    remake = _like(pane, number)
    pane_drafts.place(remake, pane_flow.initial(route_of(remake), station))
    return remake


def _like(pane: Pane, number: str) -> Pane:
    remake = pane_drafts.named(Pane(**pane_drafts.copied(pane, COPIED)), number)
    remake.edge_tasks = [{**task, "status": "pending"} for task in pane.edge_tasks]
    return remake


def _sheet(pane: Pane, number: str, station: str | None) -> Pane:
    """Put a new sheet into the failed one's place; the parent is written with it."""
    remake = _plain(pane, number, station)
    remake.laminate_role = "sheet"
    remake.laminate_station = pane.laminate_station
    remake.parent_pane = pane.parent_pane
    remake.sheet_label = lamination.next_label(pane.sheet_label or "")
    parent = records.get(Pane, pane.parent_pane)
    parent.child_panes = [*parent.child_panes, remake.pk]
    parent.save()
    return remake


def _unit(pane: Pane, number: str, station: str | None) -> list[Pane]:
    """Make a new parent and sheets; their way is what the old ones' was."""
    parent = _like(pane, number)
    sheets = Pane.objects(parent_pane=pane.parent_pane)
    before = next(sheet for sheet in sheets if sheet.merged_into == pane.pk)
    parent.routing = [*before.routing, *pane.routing]
    joins = frozenset({str(before.laminate_station)})
    return [parent, *pane_drafts.split(parent, joins, station=station)]


def _consume(pane: Pane, made: list[Pane], cause: Cause) -> None:
    """Take a unit of the material for each piece; what is not there holds up nothing.

    The book says either way that so many pieces were made again.
    """
    if not pane.material:
        return
    reference = {"reference_id": str(cause.id), "reference_type": cause.kind}
    about = {**reference, "order": pane.order, "panes": [one.pk for one in made]}
    taken = stock_taking.take(
        material=pane.material,
        quantity=len(made),
        action="remake",
        worker=cause.worker,
        prefer=[pane.inventory] if pane.inventory else [],
        all_or_nothing=False,
        **about,
    )
    if not taken:
        MaterialLog(
            material=pane.material,
            action_type="remake",
            quantity_changed=0,
            worker=cause.worker,
            by_service=True,
            **about,
        ).save()
