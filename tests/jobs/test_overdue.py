"""Quotes expire in the process that publishes; `tests/api/test_quotes.py` has what that does."""

import pytest

from glassflow.jobs import overdue
from glassflow.jobs.overdue import Overdue
from glassflow.services.quotes import quotes
from waiting import wait_until


@pytest.fixture
def often(monkeypatch):
    """Let jobs look all the time."""
    monkeypatch.setattr(overdue, "FIRST_LOOK_S", 0)
    monkeypatch.setattr(overdue, "POLL_INTERVAL_S", 0.01)


@pytest.fixture
def begin():
    """Starts a job, which is stopped at the end."""
    started = []

    def begin(is_holder):
        started.append(Overdue(is_holder=is_holder))
        started[-1].start()

    yield begin
    for one in started:
        one.stop()


def test_only_the_process_that_publishes_looks_for_overdue_quotes(
    app, often, begin, monkeypatch
):
    asked, looked, is_holder = [], [], []
    monkeypatch.setattr(Overdue, "look", lambda job: looked.append(job))
    begin(lambda: asked.append(1) or bool(is_holder))
    wait_until(lambda: len(asked) > 3)
    assert looked == []
    is_holder.append(True)
    wait_until(lambda: len(looked) > 1)


def test_job_goes_on_after_a_failure_of_the_store(
    app, often, begin, monkeypatch, caplog
):
    calls = []

    def fail_once():
        calls.append(1)
        if len(calls) == 1:
            raise ConnectionError("away")

    monkeypatch.setattr(quotes, "expire_overdue", fail_once)
    begin(lambda: True)
    wait_until(lambda: len(calls) > 2)
    assert "cannot look for overdue quotes" in caplog.text
