"""Racks: panes are put on them, taken off, and scanned together with them.

A pane names its rack, so it stands on one at most. `Pane.derive` and the scans of single
panes take it off; see `domain.panes.racks`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import Conflict, NotFound
from glassflow.domain.panes import scan_times
from glassflow.domain.panes.status import Action
from glassflow.models.pane import Pane
from glassflow.models.rack import Rack
from glassflow.services import records
from glassflow.services.panes.mapping import parse_number
from glassflow.services.records import references
from glassflow.services.scanning.context import Scan, load_all
from glassflow.services.scanning.decision import ScanResult
from glassflow.services.scanning.scan import batch_scan, distinct_numbers


class NotOnFloor(Conflict):
    """Panes that are lost, cancelled, laminated or delivered stand on no rack."""

    code = "NOT_ON_FLOOR"

    def __init__(self, numbers: Sequence[str]) -> None:
        super().__init__(
            texts.NOT_ON_FLOOR.format(numbers=", ".join(numbers)),
            details={"paneNumbers": list(numbers)},
        )


class RackChanged(Conflict):
    """Panes do not stand on the rack any more with which they are scanned."""

    code = "RACK_CHANGED"

    def __init__(self, rack: Rack, numbers: Sequence[str]) -> None:
        super().__init__(
            texts.RACK_CHANGED.format(
                rack=rack.rack_number, numbers=", ".join(numbers)
            ),
            details={"paneNumbers": list(numbers)},
        )


@dataclass(frozen=True, slots=True)
class Handling:
    """Who puts panes on a rack or takes them off, where, and for whom.

    `station` becomes that of the rack; None leaves it. `operator` and `occurred_at` are
    checked as those of a scan.
    """

    actor: Identity
    station: ObjectId | None = None
    operator: ObjectId | None = None
    occurred_at: datetime | None = None

    @property
    def scan(self) -> Scan:
        """The scan of these panes that the actor has to be allowed."""
        return Scan(Action.SCAN_IN, self.station, operator=self.operator)


def read_by_path(model: type[Rack], text: str) -> dict[str, Any]:
    """Read the stored form of a rack by its id, number or QR payload; raises `NotFound`."""
    found = model.collection().find_one(_named(text))
    if found is None:
        raise NotFound(texts.NOT_FOUND.format(label=model.label))
    return found


def _named(text: str) -> dict[str, Any]:
    if ObjectId.is_valid(text):
        return {"_id": ObjectId(text)}
    return {"rackNumber": parse_number(text)}


def _load(name: str) -> Rack:
    return Rack.from_stored(read_by_path(Rack, name))


@unit_of_work
def put(
    *, name: str, numbers: Sequence[str], handling: Handling
) -> tuple[Rack, list[Pane]]:
    """Let panes stand on a rack, wherever they stood before; all or none.

    `name` is the id, number or QR payload of the rack. Returns both as they are now.
    One that has come to another station since `occurred_at`, on a device without network,
    stays as it is. Raises `NotFound`, `Forbidden`, `UnknownReference`, `ScanTimeRefused`,
    `NotOnFloor`, and `Refusal` with all unknown numbers.
    """
    rack, panes = _load_for(name, numbers, handling)
    refused = [one.pane_number for one in panes if not one.can_stand_on_rack]
    if refused:
        raise NotOnFloor(refused)
    # it may be deleted meanwhile
    references.require_exist(references.references_in(Pane, {"rack": rack.pk}))
    for pane in panes:
        if not _has_gone_on(pane, handling.occurred_at):
            pane.rack = rack.pk
    _store(rack, panes, handling.station)
    return rack, panes


def _has_gone_on(pane: Pane, moment: datetime | None) -> bool:
    """Return whether a pane came to its present station after a moment."""
    return bool(moment and pane.arrived_at and pane.arrived_at > moment)


@unit_of_work
def take_off(
    *, name: str, numbers: Sequence[str], handling: Handling
) -> tuple[Rack, list[Pane]]:
    """Let panes stand on no rack; those that are not on this one stay as they are.

    Returns both as they are now. Raises what `put` raises, but for `NotOnFloor`.
    """
    rack, panes = _load_for(name, numbers, handling)
    for pane in panes:
        if pane.rack == rack.pk:
            pane.rack = None
    _store(rack, panes, handling.station)
    return rack, panes


def _load_for(
    name: str, numbers: Sequence[str], handling: Handling
) -> tuple[Rack, list[Pane]]:
    """Load a rack and panes, and check who handles them."""
    handling.scan.authorize(handling.actor)
    scan_times.require_plausible(handling.occurred_at, clock.now())
    rack, panes = _load(name), load_all(distinct_numbers(numbers))
    handling.scan.authorize_at(handling.actor, panes)
    if handling.operator and handling.scan.is_for_another(handling.actor):
        operator = references.Reference("operator", "Worker", (handling.operator,))
        references.require_exist([operator])
    return rack, panes


def scan(
    *, name: str, numbers: Sequence[str], scan: Scan, actor: Identity
) -> tuple[Rack, list[ScanResult]]:
    """Scan panes that stand on a rack with one action, all or none; they stay on it.

    Returns the rack as it is now, and the results of `batch_scan`. Raises what that
    raises, `NotFound` for the rack, and `RackChanged` for panes that do not stand on it.
    """
    rack = None

    def bring(panes: Sequence[Pane]) -> None:
        nonlocal rack
        rack = _load(name)
        gone = [one.pane_number for one in panes if one.rack != rack.pk]
        if gone:
            raise RackChanged(rack, gone)
        on_route = all(scan.station in one.routing for one in panes)
        _store(rack, (), scan.station, is_protected=on_route)

    results = batch_scan(numbers=numbers, scan=scan, actor=actor, before=bring)
    assert rack is not None  # `bring` has set it
    return rack, results


def _store(
    rack: Rack,
    panes: Sequence[Pane],
    station: ObjectId | None,
    *,
    is_protected: bool = False,
) -> None:
    """Store panes and the station of their rack, and announce what has changed.

    `is_protected`: open panes have the station on their route, so that it is not deleted
    without a change of them, which conflicts with their scan.
    """
    left = str(rack.station) if rack.station else None
    if station and station != rack.station:
        if not is_protected:
            named = references.references_in(Rack, {"station": station})
            references.require_exist(named)
        rack.station = station
    changed = [one for one in panes if one.is_changed]
    records.store(*changed)
    if rack.is_changed:
        records.store(rack, stations={rack.pk: [left] if left else []})
    elif changed:  # what stands on it is no field of it
        records.announce(rack, "updated")
