"""The daily figures are those of the records, whatever happens and whoever counts."""

from collections import Counter
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from mongoengine.connection import get_db

from concurrency import run_concurrently
from figures_recount import assert_figures_are_those_of_the_records, summed
from glassflow.core.events import event_log, outbox_batches
from glassflow.core.events import history as chain
from glassflow.core.process import clock
from glassflow.domain import calendar
from glassflow.domain.daily_figures import BY_STATION
from glassflow.domain.stays import bucket_of, seconds_of
from glassflow.services import daily_figures, history
from lookups import remakes_of
from scenarios import (
    bring_to_lamination,
    claim_pane,
    order_with_panes,
    order_with_units,
    pass_station,
)

DAY_S = 86_400


pytestmark = pytest.mark.usefixtures("own_history")


@pytest.fixture
def at_noon(clock_at):
    """Stops the clock: `at_noon(days)`, at noon of that day from today."""
    zone = ZoneInfo("Asia/Bangkok")
    midnight = calendar.day_start(clock.now(), zone, days=1)
    noon_s = (midnight - clock.now()).total_seconds() - DAY_S / 2
    return lambda days, later_s=0: clock_at(noon_s + days * DAY_S + later_s)


def day_of(moment):
    return calendar.local_date(moment, ZoneInfo("Asia/Bangkok"))


def figures(station):
    """Return what a station has, of all days together, after all is counted."""
    history.update()
    counts = Counter()
    for day in summed(daily_figures.stored()).values():
        for name, n in day.items():
            if name[0] in BY_STATION and name[1:] == (station,):
                counts[name[0]] += n
    return dict(counts)


def without_moves(days):
    """The figures without the panes added to stations, which count when they are stored."""
    found = {}
    for day, counts in days.items():
        kept = {one: n for one, n in counts.items() if not one.startswith("added")}
        found[day] = +Counter(kept)
    return {day: counts for day, counts in found.items() if counts}


def workshop_figures(counter):
    history.update()
    days = {
        day: counts[counter] for day, counts in summed(daily_figures.stored()).items()
    }
    return {day: n for day, n in days.items() if n}


def test_a_pane_counts_where_it_arrives_leaves_passes_and_fails(
    admin, worker, workshop, at_noon
):
    first_day = day_of(at_noon(0))
    job = order_with_panes(admin, workshop, steps=2, panes=3)
    cut, check = job.stations
    for number in job.numbers:
        pass_station(worker, number, cut)
    second_day = day_of(at_noon(1))
    for number, action in zip(job.numbers, ("qc_pass", "qc_fail"), strict=False):
        for before in ("scan_in", "complete"):
            worker.scan(number, before)
        assert worker.scan(number, action, reason="scratch").status == 200
    broken = {"reason": "broken", "beforeComplete": True}
    assert worker.scan(job.numbers[2], "qc_fail", **broken).status == 200
    (remade,) = remakes_of(admin, job.numbers[2])
    at_once = {"station": cut, "beforeComplete": True}
    assert worker.scan(remade["paneNumber"], "scan_out", **at_once).status == 200
    # three and the remakes of the two that failed
    assert figures(cut) == {"arrived": 5, "left": 4}
    assert figures(check) == {"arrived": 4, "left": 1, "passed": 1, "failed": 2}
    assert workshop_figures("requests") == {first_day: 1}
    assert workshop_figures("takenIn") == {first_day: 3, second_day: 2}
    assert workshop_figures("finished") == {second_day: 1}
    assert_figures_are_those_of_the_records()


@pytest.mark.parametrize("begun", [("scan_in", "complete"), ("scan_in",), ()])
@pytest.mark.parametrize("action", ["scan_out", "qc_pass", "qc_fail"])
def test_an_undone_scan_is_taken_back_on_its_own_day(
    admin, worker, workshop, at_noon, action, begun
):
    job = order_with_panes(admin, workshop, steps=1)
    (station,) = job.stations
    at_noon(0, later_s=DAY_S / 2 - 20)  # before midnight
    for one in begun:
        worker.scan(job.numbers[0], one)
    history.update()
    before = daily_figures.stored()
    worker.scan(job.numbers[0], action, reason="scratch", beforeComplete=True)
    assert figures(station) != {"arrived": 1}
    at_noon(0, later_s=DAY_S / 2 + 20)  # and after it
    assert worker.post(f"/api/panes/{job.numbers[0]}/undo").status == 200
    history.update()
    after = {day: Counter(counts) for day, counts in daily_figures.stored().items()}
    if action == "qc_fail":  # the remake was cancelled; it had been taken in
        ((day, counts),) = before.items()
        taken_in = {"takenIn:23": counts.get("takenIn:23", 0) + 1}
        before[day] = counts | taken_in | {"arrived:" + station: 2}
    assert without_moves(after) == without_moves(before)
    assert_figures_are_those_of_the_records()


MINUTE_S = 60


def lengths(counter):
    """Return how long something took, by its counter: each length in whole minutes."""
    history.update()
    found = Counter()
    for counts in daily_figures.stored().values():
        for name, n in counts.items():
            if name.startswith(f"{counter}:") and n:
                found[round(seconds_of(int(name.split(":")[-1])) / MINUTE_S)] += n
    return dict(found)


def test_a_pane_counts_how_long_it_waited_was_worked_on_and_took_as_a_whole(
    admin, worker, workshop, clock_at
):
    job = order_with_panes(admin, workshop, steps=1, panes=2)
    number, other = job.numbers
    for minutes, action in ((100, "scan_in"), (120, "scan_in"), (140, "complete"),
                            (150, "complete"), (200, "qc_pass")):  # fmt: skip
        clock_at(minutes * MINUTE_S)
        assert worker.scan(number, action).status == 200
    assert worker.scan(other, "scan_out", beforeComplete=True).status == 200
    # it waited 100 minutes, and 40 passed until its work was complete for the first time;
    # nobody knows that of the other one
    assert lengths("queue") == {about(100): 1}
    assert lengths("touch") == {about(40): 1}
    assert lengths("stays") == lengths("lead") == {about(200): 2}
    clock_at(200 * MINUTE_S + 10)
    assert worker.post(f"/api/panes/{number}/undo").status == 200
    assert lengths("lead") == {about(200): 1}
    clock_at(200 * MINUTE_S + 20)
    assert worker.scan(number, "qc_pass").status == 200
    assert lengths("lead") == {about(200): 2}
    assert_figures_are_those_of_the_records()


def about(minutes):
    """Return the middle of the bucket that a length is in, in whole minutes."""
    return round(seconds_of(bucket_of(minutes * MINUTE_S)) / MINUTE_S)


def test_work_that_was_interrupted_elsewhere_is_not_known_to_have_taken_so_long(
    admin, worker, workshop, clock_at
):
    job = order_with_panes(admin, workshop, steps=2)
    (number,), (first, second) = job.numbers, job.stations
    worker.scan(number, "scan_in")
    pane = f"/api/panes/{job.panes[0]['_id']}"
    for seconds, station in ((600, second), (1200, first)):
        clock_at(seconds)
        assert admin.patch(pane, {"currentStation": station}).status == 200
    clock_at(3600)
    assert worker.scan(number, "complete").status == 200
    assert lengths("touch") == {}
    assert_figures_are_those_of_the_records()


def test_sheets_of_a_unit_are_worked_on_until_they_are_laminated(
    admin, worker, workshop, clock_at
):
    job = order_with_units(admin, workshop, sheets=2)
    for number in job.sheets[0]:
        bring_to_lamination(worker, number, job)
    before = Counter(lengths("touch"))
    clock_at(30 * MINUTE_S)
    assert worker.scan(job.sheets[0][0], "laminate").status == 200
    assert Counter(lengths("touch")) - before == {about(30): 2}
    assert_figures_are_those_of_the_records()


def test_a_scan_in_elsewhere_counts_the_handover_that_it_implies_until_it_is_undone(
    admin, worker, workshop, set_policy
):
    set_policy(scan_policy="lenient")
    job = order_with_panes(admin, workshop, steps=3)
    first, _, last = job.stations
    for action in ("scan_in", "complete"):
        worker.scan(job.numbers[0], action)
    assert worker.scan(job.numbers[0], "scan_in", station=last).status == 200
    assert figures(first) == {"arrived": 1, "left": 1}
    assert figures(last) == {"arrived": 1}
    assert worker.post(f"/api/panes/{job.numbers[0]}/undo").status == 200
    assert (figures(first), figures(last)) == ({"arrived": 1}, {})
    assert_figures_are_those_of_the_records()


def test_only_what_comes_to_a_station_arrives_there_not_what_is_put_back(
    admin, worker, workshop, clock_at
):
    job = order_with_panes(admin, workshop, steps=2)
    first, second = job.stations
    pane, order = (
        f"/api/panes/{job.panes[0]['_id']}",
        f"/api/orders/{job.order['_id']}",
    )
    for seconds, path, change in (
        (60, order, {"status": "cancelled"}),
        (120, order, {"status": "in_progress"}),
        (180, pane, {"currentStation": second}),
        (240, pane, {"notes": "x"}),
        (300, pane, {"currentStation": first}),
    ):
        clock_at(seconds)
        assert admin.patch(path, change).status == 200
    clock_at(360)
    claim = claim_pane(worker, job.numbers[0]).data
    clock_at(420)
    decided = admin.patch(f"/api/claims/{claim['_id']}", {"status": "rejected"})
    assert decided.status == 200
    assert figures(first) == {"arrived": 2}
    assert figures(second) == {"arrived": 1}
    assert_figures_are_those_of_the_records()


def test_a_laminated_unit_is_taken_in_and_finished_once(admin, worker, workshop):
    job = order_with_units(admin, workshop, sheets=2)
    for number in job.sheets[0]:
        bring_to_lamination(worker, number, job)
    laminated = worker.scan(job.sheets[0][0], "laminate")
    survivor = laminated.data["pane"]["paneNumber"]
    out = worker.scan(survivor, "scan_out")
    for station in out.data["pane"]["routing"]:
        pass_station(worker, survivor, station)
    (taken_in,), (finished,) = (
        workshop_figures(one).values() for one in ("takenIn", "finished")
    )
    assert (taken_in, finished) == (1, 1)
    assert_figures_are_those_of_the_records()


def test_what_is_deleted_was_not_taken_in_and_a_deleted_station_keeps_its_figures(
    admin, worker, workshop, set_policy
):
    kept, wrong = (order_with_panes(admin, workshop, steps=1) for _ in range(2))
    pass_station(worker, kept.numbers[0], kept.stations[0])
    path = f"/api/panes/{wrong.panes[0]['_id']}"
    assert admin.call("DELETE", path).status == 200
    assert figures(wrong.stations[0]) == {}
    assert sum(workshop_figures("takenIn").values()) == 1
    set_policy(delete_policy="cascade")
    path = f"/api/stations/{kept.stations[0]}"
    assert admin.call("DELETE", path).status == 200
    assert figures(kept.stations[0]) == {"arrived": 1, "left": 1}
    assert_figures_are_those_of_the_records()


def test_a_scan_that_a_device_kept_counts_on_the_day_when_it_happened(
    admin, worker, workshop, at_noon
):
    yesterday = at_noon(-1)
    job = order_with_panes(admin, workshop, steps=1)
    at_noon(0)
    number = job.numbers[0]
    for minutes, action in enumerate(("scan_in", "complete", "qc_pass")):
        occurred = (yesterday + timedelta(minutes=minutes)).isoformat() + "Z"
        assert worker.scan(number, action, occurredAt=occurred).status == 200
    history.update()
    assert set(without_moves(daily_figures.stored())) == {day_of(yesterday)}
    assert_figures_are_those_of_the_records()


def is_behind():
    """Whether something is published that is not in the history yet."""
    return any(True for _ in chain._events_after(chain._mark(chain.HEAD).event))


def test_processes_that_append_at_once_count_each_change_once(
    app, admin, worker, workshop
):
    job = order_with_panes(admin, workshop, steps=2, panes=3)
    for number in job.numbers:
        pass_station(worker, number, job.stations[0])
    app.extensions["realtime"].flush()
    assert is_behind()
    run_concurrently([history.append] * 5)
    assert_figures_are_those_of_the_records()


def test_changes_of_a_process_that_dies_while_it_counts_are_counted_by_the_next_one(
    app, admin, worker, workshop, monkeypatch
):
    job = order_with_panes(admin, workshop, steps=2, panes=2)
    for number in job.numbers:
        pass_station(worker, number, job.stations[0])
    app.extensions["realtime"].flush()
    add = daily_figures.add

    def die(rows):
        add(rows)
        raise RuntimeError("killed")

    monkeypatch.setattr(daily_figures, "add", die)
    with pytest.raises(RuntimeError):
        history.append()
    monkeypatch.undo()
    assert is_behind()
    assert_figures_are_those_of_the_records()


def test_figures_that_are_read_have_what_is_published_and_not_in_the_history_yet(
    app, admin, worker, workshop
):
    job = order_with_panes(admin, workshop, steps=2, panes=2)
    pass_station(worker, job.numbers[0], job.stations[0])
    history.update()
    pass_station(worker, job.numbers[1], job.stations[0])
    app.extensions["realtime"].flush()
    assert is_behind()
    found = daily_figures.read(1, event_log.last(), ())
    assert found.seq == event_log.last()
    figures = found.of_stations(found.today)[job.stations[0]]
    assert {one: figures[one] for one in ("arrived", "left")} == {
        "arrived": 2,
        "left": 2,
    }


def test_figures_count_until_the_number_that_is_read_with_them(
    app, admin, worker, workshop, monkeypatch
):
    """Another process appends to the history while they are read."""
    job = order_with_panes(admin, workshop, steps=2)
    pass_station(worker, job.numbers[0], job.stations[0])
    app.extensions["realtime"].flush()
    stored = daily_figures._stored

    def append_first(*asked):
        found = stored(*asked)
        monkeypatch.undo()
        history.append()
        return found

    monkeypatch.setattr(daily_figures, "_stored", append_first)
    found = daily_figures.read(1, event_log.last(), ())
    figures = found.of_stations(found.today)[job.stations[0]]
    assert {one: figures[one] for one in ("arrived", "left")} == {
        "arrived": 1,
        "left": 1,
    }


def test_rebuild_restores_what_is_wrong_and_counts_what_is_appended_meanwhile(
    app, admin, worker, workshop, monkeypatch
):
    job = order_with_panes(admin, workshop, steps=2, panes=2)
    pass_station(worker, job.numbers[0], job.stations[0])
    history.update()
    (today,) = daily_figures.stored()
    get_db()[daily_figures.COLLECTION].update_one(
        {"_id": today}, {"$inc": {"takenIn.9": 5}}
    )
    get_db()[daily_figures.COLLECTION].insert_one(
        {"_id": "2020-01-01", "takenIn": {"1": 1}}
    )
    count = daily_figures._count

    def count_and_append(*args):
        count(*args)
        monkeypatch.undo()
        pass_station(worker, job.numbers[1], job.stations[0])
        history.update()

    monkeypatch.setattr(daily_figures, "_count", count_and_append)
    rebuilt = app.test_cli_runner().invoke(args=["figures", "rebuild"])
    assert f"different before: 2020-01-01, {today}\n" in rebuilt.output
    assert_figures_are_those_of_the_records()


def test_rebuild_loses_to_an_append_at_the_same_time_and_counts_again(
    app, admin, worker, workshop, monkeypatch
):
    job = order_with_panes(admin, workshop, steps=2)
    pass_station(worker, job.numbers[0], job.stations[0])
    history.update()
    job = order_with_panes(admin, workshop, steps=2)
    app.extensions["realtime"].flush()
    run_concurrently([history.append, daily_figures.rebuild, daily_figures.rebuild])
    monkeypatch.undo()
    assert_figures_are_those_of_the_records()


def test_days_whose_history_was_pruned_keep_their_figures(
    admin, worker, workshop, at_noon
):
    for days in (-3, -2, -1):
        moment = at_noon(days)
        job = order_with_panes(admin, workshop, steps=1)
        pass_station(worker, job.numbers[0], job.stations[0])
        history.update()
    before = daily_figures.stored()
    # the second day is pruned in part
    assert history.prune(moment - timedelta(days=1)) > 0
    assert daily_figures.rebuild().differing == []
    assert daily_figures.stored() == before
    assert history.prune(clock.now() + timedelta(days=1)) > 0
    assert daily_figures.rebuild().differing == []
    assert daily_figures.stored() == before


def test_change_in_the_form_of_another_release_neither_counts_nor_stops_the_history(
    app, admin, worker, workshop, monkeypatch
):
    job = order_with_panes(admin, workshop, steps=1)
    pass_station(worker, job.numbers[0], job.stations[0])
    app.extensions["realtime"].flush()
    events_after = chain._events_after

    def with_other_forms(*numbers):
        for event in events_after(*numbers):
            known = event["history"]["changes"]
            other = [{**one, "now": dict.fromkeys(one["now"], 7)} for one in known]
            yield {**event, "history": {**event["history"], "changes": other + known}}

    monkeypatch.setattr(chain, "_events_after", with_other_forms)
    history.append()
    monkeypatch.undo()
    assert not outbox_batches.pending(1)
    assert figures(job.stations[0]) == {"arrived": 1, "left": 1}
    assert daily_figures.rebuild().differing == []
