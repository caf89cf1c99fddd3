"""Calls: made at a station, taken by who comes, and ended; nothing of them is lost or doubled.

One open call of a kind is enough at a station: the second one that is made joins it. A call
with `refuses_scan_in` is the maintenance of its station, and has the station's status with
it: whichever of both is changed changes the other, in one transaction.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from bson import ObjectId

from glassflow.core import actor as actors
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.process.naming import camel
from glassflow.core.store import locks
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.calls import (
    OPEN_CALLS,
    CallEnding,
    CallKind,
    CallStatus,
    shift_end,
)
from glassflow.domain.errors import Conflict, Invalid
from glassflow.domain.panes import scan_times
from glassflow.domain.stations import StationStatus
from glassflow.models.call import Call
from glassflow.models.pane import Pane
from glassflow.models.station import Station
from glassflow.services import records, stations, working_hours
from glassflow.services.auth import grants
from glassflow.services.notices import call_notices
from glassflow.services.records import lookup, references

OPEN = {"status": {"$in": sorted(map(str, OPEN_CALLS))}}
# What a station in maintenance has, beside the station.
_MAINTENANCE = {
    "kind": CallKind.MACHINE.value,
    "machine_stands": True,
    "refuses_scan_in": True,
    "pane": None,
    "called_from": None,
}


class CallTaken(Conflict):
    """Somebody else comes already."""

    code = "CALL_TAKEN"

    def __init__(self, number: str, name: str) -> None:
        message = texts.CALL_TAKEN.format(number=number, name=name)
        super().__init__(message, details={"takenByName": name})


class CallEnded(Conflict):
    """The call has ended, so nobody needs to come."""

    code = "CALL_ENDED"

    def __init__(self, number: str) -> None:
        super().__init__(texts.CALL_ENDED.format(number=number))


def create(*, model: type[Call], values: Mapping[str, Any], actor: Identity) -> Call:
    """Call somebody to a station, or join the call that is open there for the same reason.

    Returns either. Raises `UnknownReference`, and `Forbidden` for `refuses_scan_in` without
    `stations:manage`.
    """
    if values.get("refuses_scan_in"):
        actor.require("stations:manage")
        values = {**values, **_MAINTENANCE}
    # a number is drawn outside the transaction, and a joined call needs none
    number = "" if _find_same(values) else records.next_numbers(Call)[0]
    made = _create(number, values, actor)
    if made is None:  # the call that it would have joined has just ended
        made = _create(records.next_numbers(Call)[0], values, actor)
        assert made is not None
    return made


@unit_of_work
def _create(number: str, values: Mapping[str, Any], actor: Identity) -> Call | None:
    references.require_exist(references.references_in(Call, values))
    # of two equal calls at once, the second one repeats and joins the first
    locks.touch(Station, [values["station"]])
    same = _find_same(values)
    if same is not None:
        _join(same, values)
        return same
    return _make(number, values, actor) if number else None


def _find_same(values: Mapping[str, Any]) -> Call | None:
    """Return the open call that these values would repeat."""
    alike = {name: values.get(name) for name in ("station", "kind", "pane")}
    return Call.find_one({**alike, **OPEN})


def _join(call: Call, values: Mapping[str, Any]) -> None:
    """Add to an open call what a repeated one says more."""
    call.reason = call.reason or values.get("reason") or ""
    if values.get("machine_stands"):
        call.machine_stands = True
    if values.get("refuses_scan_in") and not call.refuses_scan_in:
        call.refuses_scan_in = True
        call.station_status = values.get("station_status")
        _close_station(call)
    records.store(call)


def _make(number: str, values: Mapping[str, Any], actor: Identity) -> Call:
    made = records.new(Call, values)
    made.pk = ObjectId()
    made.call_number = number
    made.called_at = clock.now()
    made.called_by, made.called_by_name = actor.worker_id, actor.name
    if made.pane:
        made.pane_number = records.load(Pane, made.pane).pane_number or ""
    if made.refuses_scan_in:
        _close_station(made)
    _notify(made, actor)
    records.store(made)
    return made


def _notify(call: Call, actor: Identity) -> None:
    """Notify those who may answer a call, but for its actor."""
    may = grants.workers_who_may("stations:manage")
    call.notified = [one for one in may if one != actor.worker_id]
    call_notices.send(call)


def _close_station(call: Call) -> None:
    station = Station.find_one({"_id": call.station})
    if station is not None and station.status != StationStatus.MAINTENANCE:
        call.station_status = station.status
        station.status = StationStatus.MAINTENANCE
        records.store(station)


def _open_station(call: Call) -> None:
    station = Station.find_one({"_id": call.station})
    if station is not None and station.status == StationStatus.MAINTENANCE:
        station.status = call.station_status or Station.status.default
        records.store(station)


@unit_of_work
def take(*, record_id: ObjectId, actor: Identity) -> Call:
    """Note that a worker goes to a call; again changes nothing.

    Raises `NotFound`, `CallTaken` where somebody else goes, and `CallEnded`.
    """
    call = _load_open(record_id)
    if call.status == CallStatus.TAKEN:
        if call.taken_by != actor.worker_id:
            raise CallTaken(call.call_number or "", call.taken_by_name)
        return call
    call.status = CallStatus.TAKEN
    call.taken_by, call.taken_by_name = actor.worker_id, actor.name
    call.taken_at = clock.now()
    records.store(call, event="taken")
    call_notices.read(call)
    return call


@unit_of_work
def release(*, record_id: ObjectId, actor: Identity) -> Call:
    """Note that who goes to a call cannot come: it waits for somebody again.

    Raises `NotFound`, `CallEnded`, and `Forbidden` for another worker without
    `stations:manage`.
    """
    call = _load_open(record_id)
    if call.status == CallStatus.OPEN:
        return call
    if call.taken_by != actor.worker_id:
        actor.require("stations:manage")
    call.status = CallStatus.OPEN
    call.taken_by, call.taken_by_name, call.taken_at = None, "", None
    _notify(call, actor)
    records.store(call, event="released")
    return call


def _load_open(record_id: ObjectId) -> Call:
    call = records.load(Call, record_id)
    if call.status == CallStatus.ENDED:
        raise CallEnded(call.call_number or "")
    return call


@unit_of_work
def end(
    *, record_id: ObjectId, actor: Identity, occurred_at: datetime | None = None
) -> Call:
    """End a call; one that has ended stays as it is.

    `occurred_at` is when it ended, in naive UTC, where a device kept that without network;
    it replaces the end of the shift. Raises `NotFound`, `ScanTimeRefused`, and `Forbidden`
    for one with `refuses_scan_in` without `stations:manage`.
    """
    now = clock.now()
    scan_times.require_plausible(occurred_at, now)
    call = records.load(Call, record_id)
    at = max(call.called_at, min(occurred_at or now, now))
    if call.status == CallStatus.ENDED and not _ended_before_shift(call, at):
        return call
    if call.refuses_scan_in:
        actor.require("stations:manage")
    _end(call, CallEnding.PERSON, at, actor)
    records.store(call, event="ended")
    return call


def _ended_before_shift(call: Call, at: datetime) -> bool:
    """Return whether a person ended a call earlier than its shift did."""
    return call.ending == CallEnding.SHIFT and at < (call.ended_at or at)


def _end(
    call: Call, ending: CallEnding, at: datetime, actor: Identity | None = None
) -> None:
    call.status, call.ending, call.ended_at = CallStatus.ENDED, ending, at
    if actor is not None:
        call.ended_by, call.ended_by_name = actor.worker_id, actor.name
    if call.refuses_scan_in:
        _open_station(call)
    call_notices.read(call)


@unit_of_work
def update(
    *,
    model: type[Call],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Call:
    """Correct what a call says.

    Raises `NotFound`, and `Invalid` for maintenance that would be no stop of a machine.
    """
    call = records.load(Call, record_id)
    records.apply_changes(call, values)
    if call.refuses_scan_in:
        for name in ("kind", "machine_stands"):
            if call[name] != _MAINTENANCE[name]:
                message = texts.MAINTENANCE_STANDS
                raise Invalid([{"field": camel(name), "message": message}])
    records.store(call)
    return call


def create_station(
    *, model: type[Station], values: Mapping[str, Any], actor: Identity
) -> Station:
    """Create a station; one in maintenance with the call that says since when."""
    closes = values.get("status") == StationStatus.MAINTENANCE
    number = records.next_numbers(Call)[0] if closes else ""
    return _create_station(number, values, actor)


@unit_of_work
def _create_station(number: str, values: Mapping[str, Any], actor: Identity) -> Station:
    made = stations.create(values=values, actor=actor)
    if number:
        _make(number, {"station": made.pk, **_MAINTENANCE}, actor)
    return made


def update_station(
    *,
    model: type[Station],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Station:
    """Change a station; its status `maintenance` is a call, which begins and ends with it.

    Raises what `records.update` raises.
    """
    closes = values.get("status") == StationStatus.MAINTENANCE
    number = records.next_numbers(Call)[0] if closes else ""
    return _update_station(number, record_id, values, actor)


@unit_of_work
def _update_station(
    number: str, record_id: ObjectId, values: Mapping[str, Any], actor: Identity
) -> Station:
    station = records.load(Station, record_id)
    before = station.status
    references.require_exist(references.references_in(Station, values, stored=station))
    records.apply_changes(station, values)
    records.store(station)
    if station.status == before:
        return station
    if station.status == StationStatus.MAINTENANCE:
        closing = {"station": station.pk, "station_status": before, **_MAINTENANCE}
        same = _find_same(closing)
        if same is not None:
            _join(same, closing)
        else:
            _make(number, closing, actor)
    elif before == StationStatus.MAINTENANCE:
        closing_calls = {"station": station.pk, "refusesScanIn": True, **OPEN}
        for one in Call.find_many(closing_calls):
            _end(one, CallEnding.PERSON, clock.now(), actor)
            records.store(one, event="ended")
    return station


def end_over() -> None:
    """End the calls whose shift is over, and those whose pane has gone on.

    `jobs.overdue` calls it. One query while no call is open.
    """
    found = Call.find_many(OPEN)
    if found and _over(found):
        with actors.acting(actors.SERVICE):
            _end_over()


@unit_of_work
def _end_over() -> None:
    ended = []
    for call, ending, at in _over(Call.find_many(OPEN)):
        _end(call, ending, at)
        ended.append(call)
    records.store(*ended, event="ended")


def _over(calls: Sequence[Call]) -> list[tuple[Call, CallEnding, datetime]]:
    """Return which calls are over by themselves, how, and since when."""
    times, now = working_hours.times(), clock.now()
    moved = _moved_panes(calls)
    over = []
    for call in calls:
        if call.pk in moved:
            at = max(call.called_at, min(moved[call.pk] or now, now))
            over.append((call, CallEnding.PANE_MOVED, at))
        elif not call.refuses_scan_in:
            ends = shift_end(call.called_at, times.of(call.station))
            if ends <= now:
                over.append((call, CallEnding.SHIFT, ends))
    return over


def _moved_panes(calls: Sequence[Call]) -> dict[ObjectId, datetime | None]:
    """Return the calls whose panes have left the called station, with when they did."""
    about = [call for call in calls if call.called_from and call.pane]
    fields = ("currentStation", "arrivedAt")
    panes = lookup.by_id(Pane, [call.pane for call in about], fields)
    found: dict[ObjectId, datetime | None] = {}
    for call in about:
        pane = panes.get(call.pane, {})
        if pane.get("currentStation") != call.station:
            found[call.pk] = pane.get("arrivedAt")
    return found
