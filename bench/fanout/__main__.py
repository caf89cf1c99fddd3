"""`python -m bench.fanout`: one event to many clients, beside Node; prints the tables."""

from __future__ import annotations

import argparse
import tempfile
from contextlib import ExitStack
from pathlib import Path

from bench.fanout import report
from bench.fanout.measure import Result, measure, share_payload
from bench.fanout.sides import Glassflow, NodeServer, Side, set_up_node
from bench.processes import Redis


def main() -> None:
    """Measure as the arguments say."""
    made = argparse.ArgumentParser(prog="bench.fanout", description=__doc__)
    made.add_argument(
        "--clients", type=int, nargs="+", default=[50, 200, 500, 1000], metavar="N"
    )
    given = made.parse_args()
    set_up_node()
    print("\n".join(tables(given.clients)), flush=True)


def tables(sizes: list[int]) -> list[str]:
    """Measure one process of each, then two of each with Redis; give the lines."""
    with tempfile.TemporaryDirectory(prefix="glassflow-fanout-") as name:
        folder = Path(name)
        alone = _measure(folder / "alone", sizes, redis=False)
        together = _measure(folder / "together", sizes, redis=True)
    return [
        *report.of_one(alone),
        "",
        *report.of_two(together),
        "",
        *report.versions(),
    ]


def _measure(folder: Path, sizes: list[int], *, redis: bool) -> list[Result]:
    """Measure each size on fresh servers, whose memory nobody has used before."""
    found: list[Result] = []
    for clients in sizes:
        with ExitStack() as until_end:
            sides = _start(folder / str(clients), until_end, redis=redis)
            found += measure(sides, clients, pure=not redis)
    return found


def _start(folder: Path, until_end: ExitStack, *, redis: bool) -> list[Side]:
    folder.mkdir(parents=True)
    shared = Redis(folder) if redis else None
    if shared:
        until_end.callback(shared.stop)
    glassflow = Glassflow(folder, shared)
    until_end.callback(glassflow.stop)
    node = NodeServer(folder, shared)
    until_end.callback(node.stop)
    sides: list[Side] = [glassflow, node]
    share_payload(sides, {"action": "updated", "data": glassflow.material})
    return sides


if __name__ == "__main__":
    main()
