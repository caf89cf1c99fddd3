"""The daily figures, counted again from the stored records without any code of theirs."""

import math
from collections import Counter, defaultdict
from typing import NamedTuple
from zoneinfo import ZoneInfo

from mongoengine.connection import get_db

from glassflow.core.events import event_log
from glassflow.core.events import history as chain
from glassflow.domain.daily_figures import BY_HOUR
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.models.request import Request
from glassflow.services import daily_figures, history, working_hours

DAYS = 60  # more than a test lasts
LEAVING = ("scan_out", "qc_pass")
RESULTS = {"qc_pass": "passed", "qc_fail": "failed"}
BEGINNING = ("scan_in", "start")
ENDING = ("complete", "laminate_start", "laminate_complete")


def forget_earlier_tests():
    """Empty the history and the figures, which earlier tests have left."""
    for name in (chain.COLLECTION, daily_figures.COLLECTION):
        get_db()[name].delete_many({})
    for mark in (chain.HEAD, chain.START):
        begin = chain._mark_form(chain.Mark(event=event_log.last()))
        get_db()[chain.MARKS].replace_one({"_id": mark}, begin)


def recount(zone="Asia/Bangkok"):
    """Return what each day has of each counter."""
    times = working_hours.times()
    days, zone = defaultdict(Counter), ZoneInfo(zone)

    def local(moment):
        return moment + zone.utcoffset(moment)

    def day(moment):
        return str(local(moment).date())

    for request in Request.objects():
        days[day(request.created_at)]["requests"] += 1
    for pane in Pane.objects():
        if not pane.parent_pane:
            days[day(pane.created_at)]["takenIn"] += 1
        if pane.completed_at:
            days[day(pane.completed_at)]["finished"] += 1
    changes = changes_of_panes()
    for log in PaneLog.objects(id__nin=undone_logs(changes)):
        at = day(log.occurred_at or log.created_at)
        if log.action in LEAVING:
            days[at]["left", str(log.station)] += 1
        if log.action in RESULTS:
            days[at][RESULTS[log.action], str(log.station)] += 1
    for station, moment in arrivals():
        days[day(moment)]["arrived", str(station)] += 1
    for counter, station, since, until in lengths(changes):
        worked_s = times.of(station).seconds(since, until)
        bucket = math.floor(math.log(max(1, worked_s)) / math.log(1.05))
        where = (str(station),) if station else ()
        days[day(until)][counter, *where, str(bucket)] += 1
    for change in changes:
        places = (
            change.before.get("currentStation"),
            change.after.get("currentStation"),
        )
        midnight = local(change.at).replace(hour=0, minute=0, second=0, microsecond=0)
        begin = midnight - zone.utcoffset(midnight)
        for station, by in zip(places, (-1, 1), strict=True):
            if station and places[0] != places[1]:
                after = round(times.of(station).seconds(begin, change.at))
                days[day(change.at)]["added", str(station)] += by
                days[day(change.at)]["addedAfter", str(station)] += by * after
    return {
        day: without_zeros(counts)
        for day, counts in days.items()
        if any(counts.values())
    }


def without_zeros(counts):
    return Counter({name: n for name, n in counts.items() if n})


class Change(NamedTuple):
    """A change of a pane: its fields before and after, and the rows of the logs stored with it."""

    pane: object
    at: object
    before: dict
    after: dict
    logs: list


def changes_of_panes():
    """Return the changes of all panes, in their order; a pane is stored before its logs."""
    kinds = {"kind": {"$in": ["Pane", "PaneLog"]}}
    last, changes = {}, []
    for row in get_db()[chain.COLLECTION].find(kinds).sort("_id", 1):
        if row["kind"] == "Pane":
            pane = row["record"]
            before = last[pane].after if pane in last else {}
            if row["action"] == "restored":
                before = {}
            after = {**before, **dict.fromkeys(row["was"]), **row["now"]}
            last[pane] = Change(pane, row["at"], before, after, [])
            changes.append(last[pane])
        elif row["action"] == "created":
            last[row["now"]["pane"]].logs.append({**row["now"], "_id": row["record"]})
    return changes


def lengths(changes):
    """Yield how long panes stayed, waited, were worked on and took as a whole.

    As (counter, station, begin, end), by what a pane was before and after each scan that has
    not been undone.
    """
    undone, began, earlier = undone_logs(changes), {}, defaultdict(list)
    for pane, _, before, after, logs in changes:
        known, same = (
            began.get(pane),
            before.get("currentStation") == after.get("currentStation"),
        )
        was_worked_on = before.get("currentStatus") == "in_progress"
        is_worked_on = after.get("currentStatus") == "in_progress"
        began[pane] = known if is_worked_on and same else None
        if any(row.get("undoneAction") for row in logs):
            began[pane] = earlier[pane].pop()
        elif any(row["action"] != "correction" for row in logs):
            earlier[pane].append(known)
        for row in logs:
            at, action = row.get("occurredAt") or row["createdAt"], row["action"]
            here = row.get("station") == before.get("currentStation")
            if action in BEGINNING and is_worked_on and not (same and was_worked_on):
                began[pane] = at
            if row["_id"] in undone:
                continue
            if action in LEAVING and before.get("arrivedAt") and here:
                yield "stays", row["station"], before["arrivedAt"], at
            begins = action in BEGINNING and before.get("currentStatus") == "pending"
            if begins and same and is_worked_on:
                yield "queue", row["station"], before["arrivedAt"], at
            if action in ENDING and was_worked_on and known and here:
                yield "touch", row["station"], known, at
            if action in LEAVING and after.get("currentStatus") == "completed":
                yield "lead", None, after["createdAt"], at


def undone_logs(changes):
    """Return the ids of the logs of scans that were undone: the last scan before it."""
    undone, scans = set(), defaultdict(list)
    for change in changes:
        logs = {row["_id"] for row in change.logs}
        if any(row.get("undoneAction") for row in change.logs):
            undone |= scans[change.pane].pop()
        elif any(row["action"] != "correction" for row in change.logs):
            scans[change.pane].append(logs)
    return undone


def arrivals():
    """Yield each visit of a pane to a station, with its time, that was not taken back.

    A visit is what the pane has had as its station and arrival at some time.
    """
    undos = {
        (log.pane, log.created_at) for log in PaneLog.objects(undone_action__ne=None)
    }
    rows = get_db()[chain.COLLECTION].find({"kind": "Pane"}).sort("_id", 1)
    place, visits = defaultdict(dict), defaultdict(set)
    for row in rows:
        pane, before = row["record"], visit_of(place[row["record"]])
        unset = dict.fromkeys(row["was"])
        place[pane] |= {**unset, **row["now"]}
        after = visit_of(place[pane])
        taken_back = row["action"] == "deleted" or (pane, row["at"]) in undos
        if taken_back and before != after:
            visits[pane].discard(before)
        if not taken_back and after:
            visits[pane].add(after)
    for one in visits.values():
        yield from one


def visit_of(place):
    station = place.get("currentStation")
    return (station, place.get("arrivedAt")) if station else None


def summed(days):
    """Return the figures as `recount` does, from counters as they are stored."""
    found = {}
    for day, counters in days.items():
        counts = Counter()
        for name, n in counters.items():
            counter, *rest = name.split(":")
            by_hour = counter in BY_HOUR
            counts[counter if by_hour else (counter, *rest)] += n
        if any(counts.values()):
            found[day] = without_zeros(counts)
    return found


def difference(found, expected):
    """Return by day and counter what differs: what is found, and what is expected."""
    names = {
        (day, name) for days in (found, expected) for day in days for name in days[day]
    }
    pairs = {
        (day, name): (
            found.get(day, {}).get(name, 0),
            expected.get(day, {}).get(name, 0),
        )
        for day, name in names
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def assert_figures_are_those_of_the_records():
    """Those that were added up, those read, a recount here, and a rebuild are the same."""
    history.update()
    expected = recount()
    stored = daily_figures.stored()
    differing = difference(summed(stored), expected)
    assert not differing, differing
    for day, counters in stored.items():
        for name, n in counters.items():
            assert n >= 0 or name.startswith("added"), (day, name)
    read = daily_figures.read(DAYS, event_log.last(), ()).days
    assert (
        summed({day: daily_figures.by_name(one) for day, one in read.items()})
        == expected
    )
    found = daily_figures.rebuild()
    assert found.differing == []
    assert summed(daily_figures.stored()) == expected
