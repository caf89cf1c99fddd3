"""The table of the bursts, and the limits that they have to keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.figures import number, percentile, table

MAX_P99_MS = 250.0  # of the health
MAX_DELAY_MS = 10.0  # of the customer's p95, over that while nothing happens
HEAD = (
    "meanwhile",
    "health p50 ms",
    "p95",
    "p99",
    "longest",
    "customer p95 ms",
    "over nothing",
    "refused",
    "requests",
)


@dataclass(frozen=True)
class Row:
    """The times in ms of the health and of a customer while something happened.

    `refused` is how often the service was too busy for the customer. `is_quiet` says that
    other requests should be answered as quickly as while nothing happens.
    """

    name: str
    health: Sequence[float]
    customer: Sequence[float]
    refused: int = 0
    is_quiet: bool = False

    def delay_ms(self, idle: Row) -> float:
        """Return by how much the customer's p95 is longer than while nothing happens."""
        return percentile(self.customer, 95) - percentile(idle.customer, 95)

    def cells(self, idle: Row) -> list[str]:
        """Return the row of the table."""
        shares = [percentile(self.health, share) for share in (50, 95, 99)]
        times = [*shares, max(self.health), percentile(self.customer, 95)]
        delay = number(max(self.delay_ms(idle), 0.0))
        counts = [str(self.refused), str(len(self.health))]
        return [self.name, *map(number, times), delay, *counts]


def lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the table; in the first row nothing happens."""
    yield from table(HEAD, [row.cells(rows[0]) for row in rows])


def faults(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the limits that were not kept; in the first row nothing happens."""
    idle, *others = rows
    for row in others:
        p99 = percentile(row.health, 99)
        if p99 > MAX_P99_MS:
            yield f"{row.name}: a p99 of {p99:.0f} ms"
        delay_ms = row.delay_ms(idle)
        if row.is_quiet and delay_ms > MAX_DELAY_MS:
            yield f"{row.name}: others wait {number(delay_ms)} ms, not {MAX_DELAY_MS:g}"
