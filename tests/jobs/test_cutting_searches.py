"""The search for a cutting plan runs in a child process, one plan at a time."""

import os
import signal
import sys
from pathlib import Path

import gevent
import pytest

from cutting_api import PLANS, act, job_to_cut, post_plan, read_plan, sheets_of
from glassflow.jobs import cutting_searches
from glassflow.jobs.cutting_searches import CuttingSearches
from glassflow.models.cutting_plan import CuttingPlan
from waiting import wait_until


@pytest.fixture
def job(admin, workshop):
    return job_to_cut(admin, workshop)


@pytest.fixture
def often(monkeypatch):
    monkeypatch.setattr(cutting_searches, "POLL_INTERVAL_S", 0.01)
    monkeypatch.setattr(cutting_searches, "LOOK_INTERVAL_S", 0.01)
    monkeypatch.setattr(cutting_searches, "FIRST_PAUSE_S", 0.01)


@pytest.fixture
def search(app, often):
    """Starts the job, which is stopped at the end."""
    started = []

    def begin(is_holder=lambda: True):
        with app.app_context():
            started.append(CuttingSearches(is_holder=is_holder))
            started[-1].start()
        return started[-1]

    yield begin
    for one in started:
        one.stop()
    gevent.sleep(0)


def children():
    """The process ids of the planners that this process has started."""
    own = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            command = (folder / "cmdline").read_text()
        except OSError:
            continue
        if int(parent) == os.getpid() and "glassflow.planner" in command:
            own.append(int(folder.name))
    return own


def is_found(api, plan):
    return read_plan(api, plan)["foundAt"] is not None


def test_a_plan_is_found_by_a_child_and_improved_until_its_time_is_over(
    admin, job, search
):
    plan = post_plan(admin, job, searchSeconds=5).data
    search()
    wait_until(lambda: is_found(admin, plan))
    found = read_plan(admin, plan)
    assert (found["searchStatus"], found["figures"]["sheets"]) == ("running", 2)
    assert len(sheets_of(admin, plan)) == 2
    (child,) = children()
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, child) == min(own + 10, 19)
    # it has neither the settings nor the address of the store
    environment = Path(f"/proc/{child}/environ").read_bytes().split(b"\0")
    assert {one.partition(b"=")[0] for one in environment} <= {b"PATH", b""}
    wait_until(lambda: read_plan(admin, plan)["searchStatus"] == "ended")
    assert children() == []


def test_a_search_ends_when_its_plan_is_stopped_released_or_deleted(admin, job, search):
    search()
    for end in (
        lambda plan: act(admin, plan, "stop"),
        lambda plan: admin.delete(f"{PLANS}/{plan['_id']}"),
        lambda plan: act(admin, plan, "release"),
    ):
        plan = post_plan(admin, job, searchSeconds=60).data
        wait_until(lambda plan=plan: is_found(admin, plan))
        assert len(children()) == 1
        assert end(plan).status == 200
        wait_until(lambda: children() == [])


def test_a_plan_that_waits_gets_its_turn(admin, job, search, monkeypatch):
    monkeypatch.setattr(cutting_searches, "LEAST_TURN_S", 0.1)
    first, second = (post_plan(admin, job, searchSeconds=60).data for _ in range(2))
    search()
    wait_until(lambda: is_found(admin, second))
    assert read_plan(admin, first)["searchStatus"] == "ended"
    assert len(children()) == 1
    act(admin, second, "stop")


def test_a_child_that_is_killed_leaves_the_last_plan(admin, job, search):
    plan = post_plan(admin, job, searchSeconds=60).data
    search()
    wait_until(lambda: is_found(admin, plan))
    for child in children():
        os.kill(child, signal.SIGKILL)
    wait_until(lambda: read_plan(admin, plan)["searchStatus"] == "ended")
    assert len(sheets_of(admin, plan)) == 2


def test_a_search_that_finds_nothing_has_failed_and_can_be_asked_again(
    admin, job, search, monkeypatch
):
    right = cutting_searches.COMMAND
    monkeypatch.setattr(cutting_searches, "COMMAND", (sys.executable, "-c", "1/0"))
    plan = post_plan(admin, job, searchSeconds=5).data
    search()
    wait_until(lambda: read_plan(admin, plan)["searchStatus"] == "failed")
    monkeypatch.setattr(cutting_searches, "COMMAND", right)
    act(admin, plan, "improve")
    wait_until(lambda: is_found(admin, plan))
    act(admin, plan, "stop")


def test_the_search_of_a_process_that_was_killed_is_begun_again(admin, job, search):
    plan = post_plan(admin, job, searchSeconds=60).data
    CuttingPlan.collection().update_one({}, {"$set": {"searchStatus": "running"}})
    asked, holds = [], []
    search(lambda: asked.append(1) or bool(holds))
    wait_until(lambda: len(asked) > 3)
    assert not is_found(admin, plan)  # another process publishes
    holds.append(True)
    wait_until(lambda: is_found(admin, plan))
    holds.clear()  # the process that publishes now goes on
    wait_until(lambda: children() == [])
    assert read_plan(admin, plan)["searchStatus"] == "running"


def test_the_job_goes_on_after_a_failure_of_the_store(
    admin, job, search, monkeypatch, caplog
):
    calls, begin = [], cutting_searches.searches.begin

    def fail_once():
        calls.append(1)
        if len(calls) == 1:
            raise ConnectionError("away")
        return begin()

    monkeypatch.setattr(cutting_searches.searches, "begin", fail_once)
    plan = post_plan(admin, job, searchSeconds=60).data
    search()
    wait_until(lambda: is_found(admin, plan))
    assert "cannot search a cutting plan" in caplog.text
    act(admin, plan, "stop")
