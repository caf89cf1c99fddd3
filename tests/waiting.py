"""Waiting for a condition, with a generous end: a slow machine only takes longer."""

import time

from glassflow.core.process import time_limit

WAIT_TIMEOUT_S = 60.0
START_TIMEOUT_S = 120.0  # for a whole program to start
STOP_TIMEOUT_S = 60.0  # for a whole program to end
REQUEST_TIMEOUT_S = 60.0  # for the answer to one request
MIN_POLL_INTERVAL_S, MAX_POLL_INTERVAL_S = 0.02, 0.2


def wait_until(condition, timeout_s=WAIT_TIMEOUT_S, describe=lambda: ""):
    """Wait until `condition()` is true and return its value.

    Raises `AssertionError` with the text of `describe()` after `timeout_s` seconds.
    """
    begin = time.monotonic()
    while not (value := condition()):
        waited = time.monotonic() - begin
        if waited > timeout_s:
            raise AssertionError(f"not within {timeout_s} s: {describe()}")
        # to ask a service or a page at a high rate takes its processor time from it
        time.sleep(min(max(waited / 10, MIN_POLL_INTERVAL_S), MAX_POLL_INTERVAL_S))
    return value


def use_up_time_limit():
    """End the time that the current request has for the store, however fast the machine."""
    limit = time_limit._current.get()
    limit.stop()
    limit._left = 0.0
    limit.start()
    time.sleep(2 * time_limit.SHORTEST_S)
