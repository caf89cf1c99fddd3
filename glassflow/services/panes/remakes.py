"""Remakes: replace a pane that failed its check or was claimed."""

from collections.abc import Sequence
from dataclasses import dataclass

from bson import ObjectId

from glassflow.domain.panes import lamination, route
from glassflow.domain.panes.remake import COPIED, RemakeKind, kind_of
from glassflow.domain.panes.status import EdgeTaskStatus, LaminateRole
from glassflow.domain.stock import LedgerAction, Quantity
from glassflow.models.inventory import Inventory
from glassflow.models.material_log import MaterialLog
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services import records
from glassflow.services.notices import announcements
from glassflow.services.panes import factory
from glassflow.services.panes.adapter import route_of, to_view
from glassflow.services.records import cached, references
from glassflow.services.stock import issues


@dataclass(frozen=True, slots=True)
class RemakeReason:
    """Why a pane is remade: the reference in the stock ledger, and the worker.

    `kind` is `qc_remake` or `claim`, `id` the id of the failed pane or the claim,
    `notice` the type of the notification, `left` the station where the pane failed.
    """

    kind: str
    id: ObjectId
    notice: str
    worker: ObjectId
    left: str | None = None


def make(
    pane: Pane,
    number: str,
    *,
    order: Order | None,
    station: str | None,
    reason: RemakeReason,
) -> Pane:
    """Store the replacement of a pane, issue its material and announce it.

    A plain pane is replaced by one pane, a sheet by a sheet of the same unit, and the
    survivor of a lamination by a whole new unit, whose parent is returned. `number` is
    a new pane number. The remake starts at `station`, else at the first step of its
    route. The caller counts the order again. Raises `StationNotOnRoute`, and
    `UnknownReference` for a route whose stations have been deleted.
    """
    made = _build(pane, number, station)
    made[0].remake_of = pane.pk
    _check_stations(made)
    records.insert_all(made)
    pieces = [one for one in made if one.laminate_role != LaminateRole.PARENT]
    _take_material(pane, pieces, reason)
    _announce_arrivals(pieces, reason)
    if order is not None and order.assigned_to:
        announcements.remade(
            made[0], instead_of=pane, recipient=order.assigned_to, notice=reason.notice
        )
    return made[0]


@dataclass(frozen=True, slots=True)
class RemakePlan:
    """What a remake would be: its kind, the pieces that are cut, and where they start."""

    kind: RemakeKind
    pieces: int
    station: str | None


def plan(pane: Pane, station: str | None) -> RemakePlan:
    """Return what `make` would make, without making it.

    Raises `StationNotOnRoute`, and `UnknownReference` for a route whose stations have
    been deleted.
    """
    kind, _ = _kind_and_old_sheet(pane)
    placement = _first_place(pane, station)
    _check_stations([pane])
    pieces = factory.sheets_of(pane) if kind is RemakeKind.UNIT else 1
    return RemakePlan(kind, pieces, placement.station)


def require_on_route(pane: Pane, station: str) -> None:
    """Raise `StationNotOnRoute` unless a remake of the pane could start at a station."""
    _first_place(pane, station)


def _first_place(pane: Pane, station: str | None) -> route.Placement:
    """Return where the pieces of a remake start: for a unit, on the route of its sheets."""
    _, old_sheet = _kind_and_old_sheet(pane)
    return route.initial(route_of(old_sheet or pane), station)


def _kind_and_old_sheet(pane: Pane) -> tuple[RemakeKind, Pane | None]:
    """Return what replaces a pane, and for a unit a sheet that was merged into it.

    That keeps the route of the sheets. An earlier release deleted such sheets, or their
    parent, without the survivor: it is replaced by a plain pane then.
    """
    kind = kind_of(to_view(pane))
    if kind is not RemakeKind.UNIT:
        return kind, None
    unit = Pane.objects(parent_pane=pane.parent_pane) if pane.parent_pane else ()
    old_sheet = next((one for one in unit if one.merged_into == pane.pk), None)
    return (kind if old_sheet else RemakeKind.PANE), old_sheet


def _build(pane: Pane, number: str, station: str | None) -> list[Pane]:
    kind, old_sheet = _kind_and_old_sheet(pane)
    if old_sheet is not None:
        return _unit(pane, old_sheet, number, station)
    if kind is RemakeKind.SHEET:
        return [_sheet(pane, number, station)]
    return [_plain(pane, number, station)]


def _check_stations(made: Sequence[Pane]) -> None:
    """Refuse a route with stations that have been deleted since the old pane used it."""
    steps = {step for one in made for step in one.routing}
    if steps:
        references.require_exist(
            [references.Reference("routing", "Station", tuple(steps))]
        )


def _announce_arrivals(pieces: Sequence[Pane], reason: RemakeReason) -> None:
    at_stations = [piece for piece in pieces if piece.current_station]
    stations = cached.STATIONS.get_all({one.current_station for one in at_stations})
    names = {one: row["name"] for one, row in stations.items()}
    for piece in at_stations:
        announcements.pane_arrived(
            piece,
            left=reason.left,
            station=str(piece.current_station),
            station_name=names.get(piece.current_station, ""),
            is_remake=True,
        )


def _plain(pane: Pane, number: str, station: str | None) -> Pane:
    remake = _copy_of(pane, number)
    if pane.laminate_merged_at:  # without its sheets; the route laminates no more
        remake.raw_glass = {**remake.raw_glass, "sheetsPerPane": 1}
    factory.set_placement(remake, route.initial(route_of(remake), station))
    return remake


def _copy_of(pane: Pane, number: str) -> Pane:
    remake = factory.with_number(Pane(**factory.copy_fields(pane, COPIED)), number)
    remake.edge_tasks = [
        {**task, "status": EdgeTaskStatus.PENDING.value} for task in pane.edge_tasks
    ]
    return remake


def _sheet(pane: Pane, number: str, station: str | None) -> Pane:
    """Build a sheet in the place of the failed one; the parent is stored with it."""
    remake = _plain(pane, number, station)
    remake.laminate_role = str(LaminateRole.SHEET)
    remake.laminate_station = pane.laminate_station
    remake.parent_pane = pane.parent_pane
    remake.sheet_label = lamination.next_label(pane.sheet_label or "")
    parent = records.load(Pane, pane.parent_pane)
    parent.child_panes = [*parent.child_panes, remake.pk]
    parent.save()
    return remake


def _unit(pane: Pane, old_sheet: Pane, number: str, station: str | None) -> list[Pane]:
    """Build a new parent and sheets with the route of the old sheets and survivor."""
    parent = _copy_of(pane, number)
    parent.routing = [*old_sheet.routing, *pane.routing]
    laminating = frozenset({str(old_sheet.laminate_station)})
    return [parent, *factory.split(parent, laminating, station=station)]


def plan_material(pane: Pane, made: RemakePlan) -> list[tuple[Inventory, Quantity]]:
    """Return the lots that a remake would take its material from, and how much."""
    if not pane.material:
        return []
    return issues.preview(
        material=pane.material,
        quantity=made.pieces,
        prefer=_own_lot(pane),
        allow_partial=True,
    )


def _own_lot(pane: Pane) -> list[ObjectId]:
    return [pane.inventory] if pane.inventory else []


def _take_material(pane: Pane, made: Sequence[Pane], reason: RemakeReason) -> None:
    """Issue a unit of the material for each piece, or as much as is in stock.

    A remake never waits for stock. Without any, a material log of quantity 0 records it.
    """
    if not pane.material:
        return
    reference = {"reference_id": str(reason.id), "reference_type": reason.kind}
    entry = {**reference, "order": pane.order, "panes": [one.pk for one in made]}
    taken = issues.issue(
        material=pane.material,
        quantity=len(made),
        action=LedgerAction.REMAKE,
        worker=reason.worker,
        prefer=_own_lot(pane),
        allow_partial=True,
        **entry,
    )
    if not taken:
        MaterialLog(
            material=pane.material,
            action_type=str(LedgerAction.REMAKE),
            quantity_changed=0,
            worker=reason.worker,
            by_service=True,
            **entry,
        ).save()
