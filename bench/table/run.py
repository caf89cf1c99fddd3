"""Measures the scenarios, one after another, on one service."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from http.client import HTTPException

from bench.processes import running_service
from bench.section import Measured
from bench.table import QUICK, WHOLE, Size, report
from bench.table.measure import Bench, Row
from bench.table.scenarios import SCENARIOS, Scenario
from bench.table.trips import count_trips
from demo.client import RequestRefused


def section(quick: bool) -> Measured:
    """Measure all scenarios."""
    rows = measure_all(QUICK if quick else WHOLE)
    return Measured(
        list(report.lines(rows)), report.figures(rows), list(report.faults(rows))
    )


def measure_all(
    size: Size, names: Sequence[str] = (), *, panes: int | None = None
) -> list[Row]:
    """Measure the scenarios whose names contain one of `names`, or all of them.

    Prints each row on standard error once it is known: a whole run takes its time.
    """
    chosen = [
        one for one in SCENARIOS if not names or any(name in one.name for name in names)
    ]
    trips = count_trips(chosen)
    rows = []
    with (
        running_service() as service,
        closing(Bench(service, panes or size.panes)) as bench,
    ):
        for scenario in chosen:
            row = _measure(bench, scenario, size)
            row.trips = trips.get(scenario.name)
            rows.append(row)
            print("  ".join(report.cells(row)), file=sys.stderr, flush=True)
    return rows


def _measure(bench: Bench, scenario: Scenario, size: Size) -> Row:
    """Measure a scenario; one that the service refuses does not stop the others."""
    try:
        return bench.measure(scenario, size.turns, size.rounds)
    except (RuntimeError, OSError, HTTPException, RequestRefused) as error:
        return Row(scenario.name, error=str(error))
