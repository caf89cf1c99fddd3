"""The working hours of the workshop: its week, its days off, and those of Thailand."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.process.json import iso
from glassflow.domain import calendar, texts
from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import FieldFault, Invalid
from glassflow.domain.panes.scan_times import CLOCK_TOLERANCE
from glassflow.domain.working_time import (
    MINUTE,
    WEEKDAYS,
    WorkingTime,
    WorkingTimes,
    overlapping,
    read_week,
)
from glassflow.host.data_files import SEEDS
from glassflow.models.working_hours import WorkingHours, times_of
from glassflow.services.records import crud, references, singleton
from glassflow.services.records.references import Reference

# A change is in force so much later, and from a full minute on: no scan that was counted
# before it was stored has a later time. So a recount finds the same stays.
IN_FORCE_AFTER = MINUTE + CLOCK_TOLERANCE
# The earliest of more periods goes. A recount takes the following one for its time.
MOST_PERIODS = 500
# What pages are told: open panes are younger, and a page is loaded again meanwhile.
PAGE_PAST, PAGE_AHEAD = timedelta(days=730), timedelta(days=60)
_FIELDS = ("week", "days_off", "stations")


def settings() -> WorkingHours:
    """Return the working hours. A transaction is opened only to create them."""
    return singleton.read(WorkingHours)


def is_set() -> bool:
    """Return whether the workshop has said when it works. Writes nothing."""
    return bool((_stored() or {}).get("week"))


def times() -> WorkingTimes:
    """Return which hours count, of the workshop and of its stations; one query."""
    return WorkingHours.read_times(runtime.current().policy.timezone)


def _stored() -> Raw | None:
    return WorkingHours.collection().find_one({"_id": singleton.ID})


def for_pages() -> dict[str, Any] | None:
    """Return what pages compute durations with; None where no hours were ever set.

    `runs` are minutes that do not count and that do, in turns, from `since` on; `stations`
    has those of stations that work otherwise.
    """
    stored = _stored()
    if not stored or not stored.get("since"):
        return None
    zone = runtime.current().policy.timezone
    now, found = clock.now(), times_of(stored, zone)
    first = found.usual.periods[0].since
    since = max(first, calendar.day_start(now - PAGE_PAST, zone))
    end = calendar.day_start(now + PAGE_AHEAD, zone)

    def shown(one: WorkingTime) -> dict[str, Any]:
        return {"runs": one.runs(since, end), "dayMinutes": one.day_s // 60}

    others = {station: shown(one) for station, one in found.stations.items()}
    return {"since": since, **shown(found.usual), "stations": others}


def holidays() -> dict[str, Any]:
    """Return Thailand's holidays from today on, and the last day of the list."""
    listed = json.loads((SEEDS / "holidays-th.json").read_text("utf-8"))
    today = _today()
    return {
        "holidays": [one for one in listed["holidays"] if one["date"] >= today],
        "until": listed["until"],
    }


def update(*, values: Mapping[str, Any], actor: Identity) -> WorkingHours:
    """Change the hours that are given, after two to three minutes, from a full one on.

    Null for the week: every hour counts. Raises `Invalid` for hours that overlap, a week
    without hours, and a new day off that is over; `UnknownReference`; `Stale` if the caller
    expects another version.
    """
    return singleton.update(WorkingHours, values, actor, apply=_apply)


def _apply(record: WorkingHours, values: Mapping[str, Any]) -> None:
    """Set the values, and keep what was in force until now as a period."""
    given = _as_stored(values)
    _require_valid(given, stored=record)
    if "days_off" in given:
        given["days_off"] = sorted(given["days_off"], key=lambda one: one["date"])
    before = {name: record[name] for name in (*_FIELDS, "since")}
    if all(before[name] == value for name, value in given.items()):
        return
    crud.apply_changes(record, given)
    now = clock.now()
    record.since = now.replace(second=0, microsecond=0) + IN_FORCE_AFTER
    if before["since"] is not None and before["since"] <= now:
        ended = [*record.periods, _period(before, record.since)]
        record.periods = ended[-MOST_PERIODS:]


def _as_stored(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values as they are stored: each day of a week, and ids as texts."""
    given = {name: values[name] or [] for name in _FIELDS if name in values}
    if "week" in given:
        given["week"] = _whole(values["week"])
    if "stations" in given:
        rows = given["stations"]
        given["stations"] = [{**one, "station": str(one["station"])} for one in rows]
    return given


def _whole(week: Raw | None) -> dict[str, Any] | None:
    return None if week is None else {day: week.get(day) or [] for day in WEEKDAYS}


def _period(before: Raw, until: datetime) -> dict[str, Any]:
    """Return a period that ends; of its days off those that lie in it."""
    zone = runtime.current().policy.timezone
    first = calendar.local_date(before["since"] - timedelta(days=1), zone)
    last = calendar.local_date(until, zone)
    inside = [one for one in before["days_off"] if first <= one["date"] <= last]
    return {
        "since": iso(before["since"]),
        "week": before["week"],
        "daysOff": inside,
        "stations": before["stations"],
    }


def _require_valid(values: Mapping[str, Any], *, stored: WorkingHours) -> None:
    faults = list(_faults(values, stored))
    if faults:
        raise Invalid(faults)
    known = [one["station"] for one in stored.stations]
    named = [one["station"] for one in values.get("stations", ())]
    new = tuple(ObjectId(one) for one in named if one not in known)
    if new:
        references.require_exist([Reference("stations", "Station", new)])


def _faults(values: Mapping[str, Any], stored: WorkingHours) -> Iterator[FieldFault]:
    yield from _faults_of_week(values.get("week"), "week")
    for index, one in enumerate(values.get("stations", ())):
        yield from _faults_of_week(one["week"], f"stations.{index}.week")
    named = [one["station"] for one in values.get("stations", ())]
    yield from _repeated(named, "stations.{}.station", texts.STATION_TWICE)
    days = [one["date"] for one in values.get("days_off", ())]
    yield from _repeated(days, "daysOff.{}.date", texts.DAY_TWICE)
    known = {one["date"] for one in stored.days_off}
    for index, one in enumerate(days):
        if one < _today() and one not in known:
            yield {"field": f"daysOff.{index}.date", "message": texts.NOT_BACKWARDS}


def _faults_of_week(week: Any, path: str) -> Iterator[FieldFault]:
    if not week:
        return
    shifts = read_week(week)
    if not any(shifts):
        yield {"field": path, "message": texts.NO_SHIFT}
    elif day := overlapping(shifts):
        yield {"field": f"{path}.{day}", "message": texts.SHIFTS_OVERLAP}


def _repeated(found: list[str], path: str, message: Bilingual) -> Iterator[FieldFault]:
    for index, one in enumerate(found):
        if one in found[:index]:
            yield {"field": path.format(index), "message": message}


def _today() -> str:
    return calendar.local_date(clock.now(), runtime.current().policy.timezone)
