"""Measures the commands that the driver sends to the store, and counts those of a request.

The driver calls a listener in the greenlet that sends the command, so a count by greenlet
has the commands of one request, with those outside its transaction (drawn numbers), and
without those on threads (long counts).
"""

import threading
import time
from functools import cache

from prometheus_client import Histogram
from pymongo.monitoring import (
    CommandFailedEvent,
    CommandListener,
    CommandStartedEvent,
    CommandSucceededEvent,
)

from glassflow.core.process import metrics


class _Made(threading.local):
    count = 0


_made = _Made()
_answered_at = 0.0  # on the monotonic clock


def made() -> int:
    """Return how many commands this greenlet has sent so far."""
    return _made.count


def seconds_since_answer() -> float:
    """Return when the store last carried out a command of this process, in seconds."""
    return time.monotonic() - _answered_at


class StoreCalls(CommandListener):
    """Adds each command to the metrics, and to the count of its greenlet."""

    def started(self, event: CommandStartedEvent) -> None:
        """Do nothing: a command counts once it has ended."""

    def succeeded(self, event: CommandSucceededEvent) -> None:
        """Measure a command."""
        global _answered_at
        _answered_at = time.monotonic()
        _measure(event)

    def failed(self, event: CommandFailedEvent) -> None:
        """Measure a command that the store has refused, or has not answered."""
        _measure(event)
        metrics.store_failures.labels(event.command_name).inc()


def _measure(event: CommandSucceededEvent | CommandFailedEvent) -> None:
    _made.count += 1
    _seconds(event.command_name).observe(event.duration_micros / 1e6)


@cache  # looking up labels takes as long as observing
def _seconds(command: str) -> Histogram:
    return metrics.store_seconds.labels(command)
