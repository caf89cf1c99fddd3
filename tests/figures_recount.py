"""The daily figures, counted again from the stored records without any code of theirs."""

from collections import Counter, defaultdict
from zoneinfo import ZoneInfo

from mongoengine.connection import get_db

from glassflow.core.events import event_log
from glassflow.core.events import history as chain
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.models.request import Request
from glassflow.services import daily_figures, history

DAYS = 60  # more than a test lasts
LEAVING = ("scan_out", "qc_pass")
RESULTS = {"qc_pass": "passed", "qc_fail": "failed"}


def forget_earlier_tests():
    """Empty the history and the figures, which earlier tests have left."""
    for name in (chain.COLLECTION, daily_figures.COLLECTION):
        get_db()[name].delete_many({})
    for mark in (chain.HEAD, chain.START):
        begin = chain._mark_form(chain.Mark(event=event_log.last()))
        get_db()[chain.MARKS].replace_one({"_id": mark}, begin)


def recount(zone="Asia/Bangkok"):
    """Return what each day has of each counter and station, but for stays."""
    days, zone = defaultdict(Counter), ZoneInfo(zone)

    def day(moment):
        return str((moment + zone.utcoffset(moment)).date())

    for request in Request.objects():
        days[day(request.created_at)]["requests"] += 1
    for pane in Pane.objects():
        if not pane.parent_pane:
            days[day(pane.created_at)]["takenIn"] += 1
        if pane.completed_at:
            days[day(pane.completed_at)]["finished"] += 1
    for log in PaneLog.objects(id__nin=undone_logs()):
        at = day(log.occurred_at or log.created_at)
        if log.action in LEAVING:
            days[at]["left", str(log.station)] += 1
        if log.action in RESULTS:
            days[at][RESULTS[log.action], str(log.station)] += 1
    for station, moment in arrivals():
        days[day(moment)]["arrived", str(station)] += 1
    return {day: +counts for day, counts in days.items() if +counts}


def undone_logs():
    """Return the ids of the logs of scans that were undone: the last scan before it."""
    undone = set()
    for pane in PaneLog.objects.distinct("pane"):
        scans = []  # the ids of the logs of each scan that has not been undone
        for log in PaneLog.objects(pane=pane).order_by("created_at", "id"):
            if log.undone_action:
                undone |= scans.pop()[1]
            elif log.action != "correction":
                if not scans or scans[-1][0] != log.created_at:
                    scans.append((log.created_at, set()))
                scans[-1][1].add(log.pk)
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
            counter, _, rest = name.partition(":")
            if counter != "stays":
                is_hour = rest.isdecimal() and len(rest) < 3
                counts[counter if is_hour else (counter, rest)] += n
        if +counts:
            found[day] = +counts
    return found


def assert_figures_are_those_of_the_records():
    """Those that were added up, those read, a recount here, and a rebuild are the same."""
    history.update()
    expected = recount()
    stored = daily_figures.stored()
    assert summed(stored) == expected
    assert all(n >= 0 for counters in stored.values() for n in counters.values())
    assert summed(daily_figures.read(DAYS, event_log.last()).days) == expected
    found = daily_figures.rebuild()
    assert found.differing == []
    assert summed(daily_figures.stored()) == expected
