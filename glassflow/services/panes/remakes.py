"""Remakes: replace a pane that failed its check or was claimed.

A remake takes no stock: glass is withdrawn for it as for every pane. It takes the agreed
price over, and is free where that is charged already.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bson import ObjectId

from glassflow.domain import texts
from glassflow.domain.agreed_prices import is_live
from glassflow.domain.panes import lamination, route
from glassflow.domain.panes.refusals import CorrectionRefused, RemakeDelivered
from glassflow.domain.panes.remake import COPIED, RemakeKind, kind_of
from glassflow.domain.panes.status import EdgeTaskStatus, LaminateRole
from glassflow.domain.stock import LedgerAction
from glassflow.models.material_log import MaterialLog
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services import agreed_prices, records
from glassflow.services.notices import announcements
from glassflow.services.panes import factory, gone_stations, planned_delivery
from glassflow.services.panes.mapping import naming_pane, pane_view, route_of
from glassflow.services.records import caches

Route = Sequence[ObjectId]


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


@dataclass(frozen=True, slots=True)
class Replaced:
    """A pane that is replaced: its order, why, and the new pane number."""

    pane: Pane
    number: str
    order: Order | None
    reason: RemakeReason


def make(
    replaced: Sequence[Replaced], *, station: str | None, routing: Route | None = None
) -> list[Pane]:
    """Store the replacements of panes, record them in the book and announce them.

    A plain pane is replaced by one pane, a sheet by a sheet of the same unit, and the
    survivor of a lamination by a whole new unit, whose parent is returned. The route is
    `routing`, else that of the old pane without the stations that are gone; it starts at
    `station`, else at the first step. The caller counts the orders again. Raises what
    `plan` raises, with the number of the pane.
    """
    panes = [one.pane for one in replaced]
    remakes = _decide(panes, station, routing)
    charged = agreed_prices.find_charged(panes)
    built = []
    for one, remake in zip(replaced, remakes, strict=True):
        made = _build(remake, one.number)
        made[0].remake_of = one.pane.pk
        made[0].agreed_price = 0 if one.pane.pk in charged else one.pane.agreed_price
        built.append(made)
    records.store(*(pane for made in built for pane in made))
    successors = zip(panes, built, strict=True)
    planned_delivery.hand_on({old.pk: made[0].pk for old, made in successors})
    entries = []
    for one, made in zip(replaced, built, strict=True):
        pieces = [pane for pane in made if pane.laminate_role != LaminateRole.PARENT]
        if one.pane.material:
            entries.append(_book_entry(one.pane, pieces, one.reason))
        _announce_arrivals(pieces, one.reason)
    records.store(*entries)
    _notify_assigned(replaced, [made[0] for made in built])
    return [made[0] for made in built]


def _notify_assigned(replaced: Sequence[Replaced], made: Sequence[Pane]) -> None:
    """Notify the worker of each order of its remakes: of many that are lost together once."""
    orders = {one.order.pk: one.order for one in replaced if one.order}
    for order in orders.values():
        if order.assigned_to:
            found = [
                (remake, one)
                for remake, one in zip(made, replaced, strict=True)
                if one.pane.order == order.pk
            ]
            announcements.remade(
                [(remake, one.pane) for remake, one in found],
                recipient=order.assigned_to,
                notice=found[0][1].reason.notice,
            )


def give_back_prices(panes: Sequence[Pane]) -> None:
    """Give remakes the prices of replaced panes that are not charged any more.

    The caller stores `panes`. Raises `RemakeDelivered` for a remake that was handed over:
    that was done because of the first hand-over.
    """
    for pane in panes:
        remake = None if is_live(pane.stored_form()) else _last_remake(pane)
        if remake is not None:
            if remake.delivered_at:
                raise RemakeDelivered(pane.pane_number, remake.pane_number)
            remake.agreed_price = pane.agreed_price
            records.store(remake)
            if remake.request != pane.request:  # it was moved
                agreed_prices.recount([remake.request])


def _last_remake(pane: Pane) -> Pane | None:
    """Return the pane that stands in the place of a replaced one now."""
    last, following = None, Pane.find_one({"remakeOf": pane.pk})
    while following is not None:
        last = following
        if last.merged_into:
            following = Pane.find_one({"_id": last.merged_into})
        else:
            following = Pane.find_one({"remakeOf": last.pk})
    return last


@dataclass(frozen=True, slots=True)
class RemakePlan:
    """What a remake would be: its kind, the pieces that are cut, and where they start."""

    kind: RemakeKind
    pieces: int
    station: str | None


def plan(pane: Pane, station: str | None, routing: Route | None = None) -> RemakePlan:
    """Return what `make` would make, without making it.

    Raises `StationGone` if the old route cannot be followed without the stations that are
    gone, or begins at one of them; for a given route `NoLaminationStation` for a unit, and
    `CorrectionRefused` for a sheet whose route does not end where its unit is laminated;
    `StationNotOnRoute`.
    """
    (remake,) = _decide([pane], station, routing)
    pieces = factory.sheets_of(pane) if remake.kind is RemakeKind.UNIT else 1
    return RemakePlan(remake.kind, pieces, remake.start.station)


def require_on_route(pane: Pane, station: str) -> None:
    """Raise `StationNotOnRoute` unless a remake of the pane could start at a station."""
    _, old_sheet = _kind_and_old_sheet(pane)
    route.initial(route_of(old_sheet or pane), station)


@dataclass(frozen=True, slots=True)
class _Remake:
    """A remake that is decided and not built yet.

    `routing` is the whole route: for a unit that of its sheets, up to one of the stations
    `laminating`, and then that of the laminated pane. `start` is where its pieces begin.
    """

    pane: Pane
    kind: RemakeKind
    routing: Route
    laminating: frozenset[str]
    start: route.Placement

    @classmethod
    def of(
        cls,
        pane: Pane,
        old_sheet: Pane | None,
        kind: RemakeKind,
        station: str | None,
        given: Route | None,
        gone: Collection[ObjectId],
    ) -> "_Remake":
        """Decide the route and the start; raises what `plan` raises."""
        laminate_station = (old_sheet or pane).laminate_station
        if given is None:
            routing = _route_left(pane, old_sheet, station, gone)
            laminating = frozenset({str(laminate_station)})
        else:
            routing, laminating = given, factory.lamination_stations([given])
            if kind is RemakeKind.SHEET and routing[-1] != laminate_station:
                raise CorrectionRefused(
                    texts.SHEET_ROUTE_END,
                    details={"laminateStation": str(laminate_station)},
                )
        first = tuple(map(str, routing))
        if kind is RemakeKind.UNIT:
            first = lamination.split_route(first, laminating).sheets
        return cls(pane, kind, routing, laminating, route.initial(first, station))


def _decide(
    panes: Sequence[Pane], station: str | None, routing: Route | None
) -> list[_Remake]:
    """Decide the remake of each pane; a refusal has the number of its pane."""
    kinds = [_kind_and_old_sheet(pane) for pane in panes]
    pairs = list(zip(panes, kinds, strict=True))
    steps = [step for pane, (_, sheet) in pairs for step in _old_route(pane, sheet)]
    gone = gone_stations.find(steps) if routing is None else ()
    decided = []
    for pane, (kind, sheet) in pairs:
        with naming_pane(pane):
            decided.append(_Remake.of(pane, sheet, kind, station, routing, gone))
    return decided


def _old_route(pane: Pane, old_sheet: Pane | None) -> Route:
    return [*(old_sheet.routing if old_sheet else ()), *pane.routing]


def _route_left(
    pane: Pane,
    old_sheet: Pane | None,
    station: str | None,
    all_gone: Collection[ObjectId],
) -> Route:
    """Return the route of a pane, and of a sheet before it, without what is gone.

    Raises `StationGone` if no station is left, or not the one where the remake is to
    start or where its unit is laminated.
    """
    old = _old_route(pane, old_sheet)
    gone = {step for step in old if step in all_gone}
    left = [step for step in old if step not in gone]
    needed = {str((old_sheet or pane).laminate_station), station}
    if gone and (not left or not needed.isdisjoint(map(str, gone))):
        raise gone_stations.refusal(gone)
    return left


def _kind_and_old_sheet(pane: Pane) -> tuple[RemakeKind, Pane | None]:
    """Return what replaces a pane, and for a unit a sheet that was merged into it.

    That keeps the route of the sheets. An earlier release deleted such sheets, or their
    parent, without the survivor: it is replaced by a plain pane then.
    """
    kind = kind_of(pane_view(pane))
    if kind is not RemakeKind.UNIT:
        return kind, None
    unit = Pane.objects(parent_pane=pane.parent_pane) if pane.parent_pane else ()
    old_sheet = next((one for one in unit if one.merged_into == pane.pk), None)
    return (kind if old_sheet else RemakeKind.PANE), old_sheet


def _build(remake: _Remake, number: str) -> list[Pane]:
    if remake.kind is RemakeKind.UNIT:
        return _unit(remake, number)
    if remake.kind is RemakeKind.SHEET:
        return [_sheet(remake, number)]
    return [_plain(remake, number)]


def _announce_arrivals(pieces: Sequence[Pane], reason: RemakeReason) -> None:
    places = {piece.current_station for piece in pieces if piece.current_station}
    names = {one: row["name"] for one, row in caches.STATIONS.get_all(places).items()}
    for piece in pieces:
        if piece.current_station:
            announcements.pane_arrived(
                piece,
                left=reason.left,
                station=str(piece.current_station),
                station_name=names.get(piece.current_station, ""),
                is_remake=True,
            )


def _plain(remake: _Remake, number: str) -> Pane:
    old, made = remake.pane, _copy_of(remake, number)
    if old.laminate_merged_at:  # without its sheets; the route laminates no more
        made.raw_glass = {**made.raw_glass, "sheetsPerPane": 1}
    factory.set_placement(made, remake.start)
    return made


def _copy_of(remake: _Remake, number: str) -> Pane:
    copy = Pane(**factory.copy_fields(remake.pane, COPIED))
    made = factory.with_number(copy, number)
    made.routing = list(remake.routing)
    made.edge_tasks = [
        {**task, "status": EdgeTaskStatus.PENDING.value}
        for task in remake.pane.edge_tasks
    ]
    return made


def _sheet(remake: _Remake, number: str) -> Pane:
    """Build a sheet in the place of the failed one; the parent is stored with it."""
    old, made = remake.pane, _plain(remake, number)
    made.laminate_role = str(LaminateRole.SHEET)
    made.laminate_station = old.laminate_station
    made.parent_pane = old.parent_pane
    made.sheet_label = lamination.next_label(old.sheet_label or "")
    parent = records.load(Pane, old.parent_pane)
    parent.child_panes = [*parent.child_panes, made.pk]
    records.store(parent)
    return made


def _unit(remake: _Remake, number: str) -> list[Pane]:
    """Build a new parent and its sheets."""
    parent = _copy_of(remake, number)
    station = remake.start.station
    return [parent, *factory.split(parent, remake.laminating, station=station)]


def _book_entry(pane: Pane, made: Sequence[Pane], reason: RemakeReason) -> MaterialLog:
    """Build the entry of a remake in the book of the material, with quantity 0."""
    return MaterialLog(
        material=pane.material,
        action_type=str(LedgerAction.REMAKE),
        quantity_changed=0,
        reference_id=str(reason.id),
        reference_type=reason.kind,
        order=pane.order,
        panes=[one.pk for one in made],
        worker=reason.worker,
        by_service=True,
    )
