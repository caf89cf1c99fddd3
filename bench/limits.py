"""At which numbers each step to a larger installation is due.

Derived from what the other sections have measured, so the numbers are true for the
machine, the store and the requests of that run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench.figures import table
from bench.section import Figures, Measured

BUSY = 0.7  # of a core: beyond it, requests wait for each other
SCAN_INTERVAL_S = 5  # of a scanner
EVENTS_PER_S = 10  # that a socket receives
SOCKETS_SHARE = 0.3  # of a core, for writing events to sockets
LONGEST_READ_MS = 1000  # that people at a screen accept
PROCESS_MB = 1024  # of memory, for a process with its sockets
DIGITS = 2  # of a derived number: more would pretend to be exact


def _scans_a_second(known: Figures) -> float:
    return BUSY * 1000 / known["scan_service_ms"]


def _embedded_scans_a_second(known: Figures) -> float:
    # on two cores, one for the process and one for the store
    return BUSY * 1000 / max(known["scan_service_ms"], known["scan_store_ms"])


def _sockets(known: Figures) -> float:
    return SOCKETS_SHARE * 1e6 / known["message_us"] / EVENTS_PER_S


def _sockets_in_memory(known: Figures) -> float:
    return (PROCESS_MB - known["service_mb"]) * 1024 / known["socket_kb"]


# What one process or the embedded store can do, and what it follows from.
CAPACITIES: tuple[tuple[str, Callable[[Figures], float]], ...] = (
    (
        "scans a second, one process and the embedded store on two cores",
        _embedded_scans_a_second,
    ),
    (
        f"scanners of such an installation, with a scan every {SCAN_INTERVAL_S} s",
        lambda known: _embedded_scans_a_second(known) * SCAN_INTERVAL_S,
    ),
    ("scans a second for each process, with a quicker store", _scans_a_second),
    ("scans a second of one order", lambda known: known["hot_order_scans_per_s"]),
    ("customers read and created a second", lambda known: known["peak_requests_per_s"]),
    (f"sockets of a process, {EVENTS_PER_S} events a second for each", _sockets),
    (f"sockets of a process in {PROCESS_MB} MB", _sockets_in_memory),
    (
        "panes in the embedded store, for a search of any word within a second",
        lambda known: LONGEST_READ_MS * 1000 / known["rare_search_us_per_pane"],
    ),
)


def derive(known: Figures) -> Measured:
    """Return the table; what was not measured is left open."""
    return Measured(list(table(("capacity", "up to"), list(_rows(known)))))


def _rows(known: Figures) -> Iterator[list[str]]:
    for name, capacity in CAPACITIES:
        try:
            yield [name, f"{_rounded(capacity(known)):,.0f}"]
        except KeyError:
            yield [name, "not measured"]


def _rounded(value: float) -> float:
    """Return a number with few significant digits."""
    return float(f"{value:.{DIGITS}g}")
