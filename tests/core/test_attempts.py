"""Attempts are counted in windows, for all processes together."""

from datetime import timedelta
from functools import partial

import pytest
from mongoengine.connection import get_db

from concurrency import run_concurrently
from glassflow.core import attempts
from glassflow.core.attempts import Window
from retention import retention_s

WINDOW = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _no_attempts(app):
    get_db()[attempts.COLLECTION].delete_many({})


def test_attempts_are_counted_by_key_from_the_first_one_on(clock_at):
    until = clock_at(0) + WINDOW
    assert attempts.count("a", WINDOW) == Window(1, until)
    clock_at(59)
    assert attempts.count("a", WINDOW) == Window(2, until)
    assert attempts.count("b", WINDOW) == Window(1, clock_at(59) + WINDOW)


def test_first_attempt_after_a_window_begins_the_next_one(clock_at):
    attempts.count("a", WINDOW)
    attempts.count("a", WINDOW)
    until = clock_at(60) + WINDOW
    assert attempts.count("a", WINDOW) == Window(1, until)
    assert attempts.count("a", WINDOW) == Window(2, until)


def test_window_that_ends_in_the_far_future_is_replaced(clock_at):
    clock_at(10**6)
    attempts.count("a", WINDOW)
    until = clock_at(0) + WINDOW
    assert attempts.count("a", WINDOW) == Window(1, until)


@pytest.mark.parametrize("begun", [False, True])
def test_attempts_at_once_are_counted_one_by_one(clock_at, begun):
    if begun:
        attempts.count("a", WINDOW)
        clock_at(61)  # all of them find that the window has ended
    counted = run_concurrently([partial(attempts.count, "a", WINDOW)] * 20)
    assert sorted(one.attempts for one in counted) == list(range(1, 21))


def test_store_removes_windows_that_have_ended(app):
    assert retention_s(attempts.COLLECTION, "until") == 0
