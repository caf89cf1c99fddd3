"""The tables of the fan-out: two lines and their ratio for each number of clients."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import subprocess
from collections.abc import Callable, Iterator, Sequence

from bench.fanout.measure import Result, p50, p95
from bench.fanout.servers import NODE

Column = tuple[str, Callable[[Result], float]]
MEMORY: Column = ("KB/client", lambda one: one.client_kb)
LOST: Column = ("lost", lambda one: float(one.lost))
CHANGES: list[Column] = [
    ("request to last p50", lambda one: p50(one.request_to_last)),
    ("p95", lambda one: p95(one.request_to_last)),
]
ONE_PROCESS: list[Column] = [
    ("emit to last p50", lambda one: p50(one.emit_to_last)),
    ("p95", lambda one: p95(one.emit_to_last)),
    ("us/message", lambda one: p50(one.us_per_message)),
    MEMORY,
    *CHANGES,
    ("health p50", lambda one: p50(one.idle_requests)),
    ("p95", lambda one: p95(one.idle_requests)),
    ("broadcasting p50", lambda one: p50(one.broadcasting_requests)),
    ("p95", lambda one: p95(one.broadcasting_requests)),
    LOST,
]
TWO_PROCESSES: list[Column] = [*CHANGES, MEMORY, LOST]


def one_process(results: Sequence[Result]) -> Iterator[str]:
    """Yield the table of one process."""
    yield "One process; times in ms, processor time in us for a delivered message."
    yield ""
    yield from _table(results, ONE_PROCESS)


def two_processes(results: Sequence[Result]) -> Iterator[str]:
    """Yield the table of two processes with Redis, each with half of the clients."""
    yield "Two processes with Redis, half of the clients on each; times in ms."
    yield ""
    yield from _table(results, TWO_PROCESSES)


def us_per_message(results: Sequence[Result]) -> float:
    """Return what a delivered message costs glassflow with the most clients."""
    largest = max(results[::2], key=lambda one: one.clients)
    return p50(largest.us_per_message)


def versions() -> Iterator[str]:
    """Yield the machine and the versions that were measured."""
    names = ("gevent", "gunicorn", "python-socketio", "python-engineio", "orjson")
    ours = [f"{name} {importlib.metadata.version(name)}" for name in names]
    node = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout
    dependencies = json.loads((NODE / "package.json").read_text())["dependencies"]
    theirs = [f"{name} {version}" for name, version in dependencies.items()]
    yield f"{os.cpu_count()} cores, Python {platform.python_version()}, {', '.join(ours)};"
    yield f"Node {node.strip()}, {', '.join(theirs)}."


def _table(results: Sequence[Result], columns: Sequence[Column]) -> Iterator[str]:
    yield f"| clients | server | {' | '.join(name for name, _ in columns)} |"
    yield "|---:|---|" + "---:|" * len(columns)
    for ours, theirs in zip(results[::2], results[1::2], strict=True):
        for one in (ours, theirs):
            cells = [_number(figure(one)) for _, figure in columns]
            yield f"| {one.clients} | {one.server} | {' | '.join(cells)} |"
        ratios = [
            f"{figure(ours) / figure(theirs):.2f}" if figure(theirs) else ""
            for _, figure in columns
        ]
        yield f"| | ratio | {' | '.join(ratios)} |"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 or value == 0 else f"{value:.2f}"
