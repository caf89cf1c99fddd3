"""The tables of the fan-out: each size in two lines and their ratio."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import subprocess
from collections.abc import Callable, Iterator, Sequence

from bench.fanout.measure import Result, p50, p95
from bench.fanout.sides import NODE

Column = tuple[str, Callable[[Result], float]]
CHANGES: list[Column] = [
    ("request to last p50", lambda one: p50(one.changes)),
    ("p95", lambda one: p95(one.changes)),
]
ONE: list[Column] = [
    ("emit to last p50", lambda one: p50(one.emits)),
    ("p95", lambda one: p95(one.emits)),
    ("us/message", lambda one: p50(one.microseconds)),
    ("KB/client", lambda one: one.kilobytes),
    *CHANGES,
    ("health p50", lambda one: p50(one.quiet)),
    ("p95", lambda one: p95(one.quiet)),
    ("broadcasting p50", lambda one: p50(one.lively)),
    ("p95", lambda one: p95(one.lively)),
]
LOST: Column = ("lost", lambda one: float(one.lost))


def of_one(found: Sequence[Result]) -> Iterator[str]:
    """The table of one process."""
    yield "One process; times in ms, processor in microseconds a delivered message."
    yield from _table(found, [*ONE, LOST])


def of_two(found: Sequence[Result]) -> Iterator[str]:
    """The table of two processes with Redis, each with half of the clients."""
    yield "Two processes with Redis, half of the clients on each; times in ms."
    yield from _table(found, [*CHANGES, ("KB/client", ONE[3][1]), LOST])


def _table(found: Sequence[Result], columns: Sequence[Column]) -> Iterator[str]:
    yield f"| clients | server | {' | '.join(name for name, _ in columns)} |"
    yield "|---:|---|" + "---:|" * len(columns)
    for ours, theirs in zip(found[::2], found[1::2], strict=True):
        for one in (ours, theirs):
            cells = [_number(read(one)) for _, read in columns]
            yield f"| {one.clients} | {one.side} | {' | '.join(cells)} |"
        ratios = [
            f"{read(ours) / read(theirs):.2f}" if read(theirs) else ""
            for _, read in columns
        ]
        yield f"| | ratio | {' | '.join(ratios)} |"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 or value == 0 else f"{value:.2f}"


def versions() -> Iterator[str]:
    """On what it was measured."""
    names = ("gevent", "gunicorn", "python-socketio", "python-engineio", "orjson")
    ours = [f"{name} {importlib.metadata.version(name)}" for name in names]
    node = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout
    wanted = json.loads((NODE / "package.json").read_text())["dependencies"]
    theirs = [f"{name} {version}" for name, version in wanted.items()]
    yield f"{os.cpu_count()} cores, Python {platform.python_version()}, {', '.join(ours)};"
    yield f"Node {node.strip()}, {', '.join(theirs)}."
