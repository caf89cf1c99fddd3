"""One event to many clients, beside Node."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from bench.fanout import report
from bench.fanout.measure import Result, measure, share_payload
from bench.fanout.servers import Glassflow, NodeServer, Server, set_up_node
from bench.processes import Redis
from bench.section import Measured

PROGRAMS = ("node", "npm", "redis-server")  # that it needs
WHOLE, QUICK = (50, 200, 500, 1000), (50,)  # clients


def section(quick: bool) -> Measured:
    """Measure one process of each, then two of each with Redis."""
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        raise RuntimeError(f"it needs {', '.join(missing)}")
    set_up_node()
    sizes = QUICK if quick else WHOLE
    with tempfile.TemporaryDirectory(prefix="glassflow-bench-") as name:
        folder = Path(name)
        one = _measure(folder / "one-process", sizes, redis=False)
        two = _measure(folder / "two-processes", sizes, redis=True)
    lines = [
        *report.one_process(one),
        "",
        *report.two_processes(two),
        "",
        *report.versions(),
    ]
    return Measured(lines, {"message_us": report.us_per_message(one)})


def _measure(folder: Path, sizes: Sequence[int], *, redis: bool) -> list[Result]:
    """Measure each size on new servers, whose memory has not been used before."""
    results: list[Result] = []
    for clients in sizes:
        with ExitStack() as cleanup:
            servers = _start(folder / str(clients), cleanup, redis=redis)
            results += measure(servers, clients, with_emits=not redis)
    return results


def _start(folder: Path, cleanup: ExitStack, *, redis: bool) -> list[Server]:
    folder.mkdir(parents=True)
    shared = Redis(folder) if redis else None
    if shared:
        cleanup.callback(shared.stop)
    glassflow = Glassflow(folder, shared)
    cleanup.callback(glassflow.stop)
    node = NodeServer(folder, shared)
    cleanup.callback(node.stop)
    servers: list[Server] = [glassflow, node]
    share_payload(servers, {"action": "updated", "data": glassflow.material})
    return servers
