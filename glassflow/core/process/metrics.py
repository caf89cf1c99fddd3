"""What this process counts and measures for Prometheus, and all processes added up.

Import the module and use its metrics as `metrics.NAME`. docs/operations.md lists them;
what is read from the store at each scrape is in `services.reports.store_metrics`.

Where gunicorn's master has made a directory for it (`glassflow.host.metrics_files`), the
values are in files, else in memory. The choice is made by this import, which is why the
master must not import this module.

Labels have few values: names of routes, actions, outcomes. Never a path, an id or a text
that a client has sent.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from gevent.lock import BoundedSemaphore
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
    values,
)
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from pymongo.errors import PyMongoError

from glassflow.core.process import deadlines, native_threads
from glassflow.core.process.errors import RolledBack
from glassflow.domain.errors import Busy, Contention, Refusal
from glassflow.host import metrics_files

DIRECTORY = os.environ.get(metrics_files.VARIABLE, "")
DONE = "done"

if DIRECTORY:
    _slot = metrics_files.take_slot(DIRECTORY)
    mark_process_dead(_slot, DIRECTORY)  # the gauges of the process that had it before
    # by slot and not by process id: files of ended processes would stay for ever
    values.ValueClass = values.MultiProcessValue(lambda: _slot)
disable_created_metrics()  # files have no times of creation

_REGISTRY = CollectorRegistry()
_turns = BoundedSemaphore(1)
_REQUEST_BUCKETS_S = (0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 5)
_CALL_BUCKETS_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5)
_EVENT_BUCKETS_S = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60)


def _counter(name: str, text: str, *labels: str) -> Counter:
    return Counter(f"glassflow_{name}", text, labels, registry=_REGISTRY)


def _gauge(name: str, text: str, mode: Literal["livesum", "livemax"]) -> Gauge:
    return Gauge(f"glassflow_{name}", text, multiprocess_mode=mode, registry=_REGISTRY)


def _histogram(
    name: str, text: str, *labels: str, buckets: tuple[float, ...]
) -> Histogram:
    return Histogram(
        f"glassflow_{name}", text, labels, buckets=buckets, registry=_REGISTRY
    )


requests = _histogram(
    "http_request_seconds",
    "Time from the arrival of a request to the begin of its answer",
    "method",
    "route",
    "status",
    buckets=_REQUEST_BUCKETS_S,
)
refused_busy = _counter(
    "http_refused_busy_total", "Requests answered 503 because no slot became free"
)
scans = _counter(
    "scans_total", "Scans of panes, each pane of a batch", "action", "outcome"
)
scan_refusals = _counter(
    "scan_refusals_total", "Refused scans by the code of the error", "action", "code"
)
units_of_work = _counter("unit_of_work_total", "Transactions by outcome", "outcome")
unit_of_work_retries = _counter(
    "unit_of_work_retries_total", "Transactions repeated after a conflict or an outage"
)
store_seconds = _histogram(
    "store_seconds",
    "Time of one command to the store",
    "command",
    buckets=_CALL_BUCKETS_S,
)
store_failures = _counter(
    "store_failures_total", "Commands that the store refused or lost", "command"
)
events = _counter("events_total", "Events published, by name", "event")
event_lag = _gauge(
    "event_lag", "Events that the slowest process has still to send", "livemax"
)
event_delivery = _histogram(
    "event_delivery_seconds",
    "Time from a change until a process sends its event to its clients",
    buckets=_EVENT_BUCKETS_S,
)
sockets = _gauge("sockets", "Open sockets", "livesum")
streams = _gauge("streams", "Open event streams", "livesum")
hung_up = _counter("hung_up_total", "Connections that the service has ended", "reason")
logins = _counter("logins_total", "Attempts to log in", "method", "outcome")
throttled = _counter(
    "throttled_total", "Attempts beyond a limit, by its setting", "limit"
)
mails = _counter(
    "mails_total", "Attempts to send a mail to a server, by outcome", "outcome"
)


@dataclass(slots=True)
class Outcome:
    """How a counted block ended; the block may give its success another name."""

    name: str = DONE
    amount: int = 1


@contextmanager
def counted(counter: Counter, *labels: str) -> Iterator[Outcome]:
    """Count the block, or the decorated function, by outcome; this is the last label."""
    outcome = Outcome()
    try:
        yield outcome
    except BaseException as error:
        outcome.name = _outcome_of(error)
        raise
    finally:
        counter.labels(*labels, outcome.name).inc(outcome.amount)


def _outcome_of(error: BaseException) -> str:
    if isinstance(error, Contention):
        return "contention"
    if isinstance(error, Refusal):
        return "refused"
    if isinstance(error, RolledBack):
        return "rolled_back"
    return "store_failed" if isinstance(error, PyMongoError) else "failed"


def exposition(more: Iterable[Metric] = ()) -> bytes:
    """Return all metrics in the text format of Prometheus, of all processes together.

    Many files take a while to add up, so that happens on a thread. Raises `Busy` if others
    ask for the same at once.
    """
    everything = _Everything(more)
    if not DIRECTORY:
        return generate_latest(everything)
    try:
        return native_threads.run_in_turn(
            _turns, deadlines.METRICS_TIMEOUT_S, generate_latest, everything
        )
    except native_threads.NoTurn:
        raise Busy from None


class _Everything(Collector):
    """The metrics of all processes, how many these are, and further ones."""

    def __init__(self, more: Iterable[Metric]) -> None:
        self._more = list(more)

    def collect(self) -> Iterator[Metric]:
        """Yield them."""
        processes = _forget_dead() if DIRECTORY else 1
        yield GaugeMetricFamily(
            "glassflow_processes", "Worker processes of this master", processes
        )
        if DIRECTORY:
            yield from MultiProcessCollector(None, DIRECTORY).collect()
        else:
            yield from _REGISTRY.collect()
        yield from self._more


def _forget_dead() -> int:
    """Remove the gauges of processes that have ended; return how many live."""
    live = 0
    for slot in metrics_files.slots(DIRECTORY):
        with metrics_files.reserved(DIRECTORY, slot) as is_free:
            if is_free:
                mark_process_dead(slot, DIRECTORY)
            else:
                live += 1
    return live
