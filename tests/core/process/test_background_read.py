"""Reads that outlive the request which needs them."""

from threading import Event

import pytest

from glassflow.core.process.background_read import BackgroundRead, StillReading


def test_read_is_waited_for_and_goes_on_if_it_takes_longer():
    may_end = Event()
    read = BackgroundRead("figures", lambda: may_end.wait(60) and 7)
    read.start()
    with pytest.raises(StillReading):
        read.result(0.01)
    may_end.set()
    assert read.result(60) == read.result(60) == 7


def test_error_of_a_read_reaches_its_callers():
    def fail():
        raise ConnectionError("away")

    read = BackgroundRead("figures", fail)
    read.start()
    for _ in range(2):
        with pytest.raises(ConnectionError, match="away"):
            read.result(60)
