"""Stations in maintenance have a call that says since when."""

from typing import Any

from glassflow.core.process import clock
from glassflow.domain.calls import CallKind
from glassflow.domain.stations import StationStatus
from glassflow.models.call import Call
from glassflow.models.station import Station
from glassflow.services import records


def up(db: Any) -> None:
    """Make the call of each station in maintenance, since its last change; no event is sent."""
    closed = {"status": str(StationStatus.MAINTENANCE)}
    open_calls = Call.collection().distinct("station", {"refusesScanIn": True})
    stations = [
        row
        for row in Station.collection().find(closed, {"updatedAt": 1})
        if row["_id"] not in open_calls
    ]
    numbers = records.next_numbers(Call, len(stations)) if stations else []
    for row, number in zip(stations, numbers, strict=True):
        call = Call(
            call_number=number,
            station=row["_id"],
            kind=CallKind.MACHINE.value,
            machine_stands=True,
            refuses_scan_in=True,
            called_at=row.get("updatedAt") or clock.now(),
        )
        call.stamp()
        Call.collection().insert_one(call.stored_form())
