"""Attempts are counted in windows, for all processes together."""

from datetime import timedelta
from functools import partial

import pytest
from mongoengine.connection import get_db

from concurrency import run_concurrently
from glassflow.core.access import rate_limits
from glassflow.core.access.rate_limits import Window
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain.errors import Busy
from retention import retention_s

WINDOW = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _no_attempts(app):
    get_db()[rate_limits.COLLECTION].delete_many({})


def test_attempts_are_counted_by_key_from_the_first_one_on(clock_at):
    until = clock_at(0) + WINDOW
    assert rate_limits.count("a", WINDOW) == Window(1, until)
    clock_at(59)
    assert rate_limits.count("a", WINDOW) == Window(2, until)
    assert rate_limits.count("b", WINDOW) == Window(1, clock_at(59) + WINDOW)


def test_first_attempt_after_a_window_begins_the_next_one(clock_at):
    rate_limits.count("a", WINDOW)
    rate_limits.count("a", WINDOW)
    until = clock_at(60) + WINDOW
    assert rate_limits.count("a", WINDOW) == Window(1, until)
    assert rate_limits.count("a", WINDOW) == Window(2, until)


def test_window_that_ends_in_the_far_future_is_replaced(clock_at):
    clock_at(10**6)
    rate_limits.count("a", WINDOW)
    until = clock_at(0) + WINDOW
    assert rate_limits.count("a", WINDOW) == Window(1, until)


@pytest.mark.parametrize("begun", [False, True])
def test_attempts_at_once_are_counted_one_by_one(clock_at, begun):
    if begun:
        rate_limits.count("a", WINDOW)
        clock_at(61)  # all of them find that the window has ended
    counted = run_concurrently([partial(rate_limits.count, "a", WINDOW)] * 20)
    assert sorted(one.attempts for one in counted) == list(range(1, 21))


@pytest.mark.parametrize("begun", [False, True])
def test_attempt_in_a_unit_of_work_is_counted_with_its_commit(clock_at, begun):
    if begun:
        rate_limits.count("a", WINDOW)

    @unit_of_work
    def work(error):
        counted = rate_limits.count("a", WINDOW).attempts
        if error:
            raise error
        return counted

    for _ in range(2):
        with pytest.raises(Busy):
            work(Busy())
    assert work(None) == 1 + begun
    assert rate_limits.count("a", WINDOW).attempts == 2 + begun


def test_store_removes_windows_that_have_ended(app):
    assert retention_s(rate_limits.COLLECTION, "until") == 0
