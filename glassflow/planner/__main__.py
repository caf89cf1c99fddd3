"""Search cutting plans: a task comes on the standard input, plans go to the standard output.

The program is its own process, because a search takes all the time of a processor for up to
a minute. It is started by `jobs.cutting_searches`, with little priority, and ends by itself
when its time is over. It imports nothing of the service but the rules of cutting.
"""

import os
import resource
import sys
import time
from collections.abc import Iterator

from glassflow.domain.cutting import heuristic
from glassflow.domain.cutting.aims import Found
from glassflow.domain.cutting.check import faults
from glassflow.planner.messages import Answer, Task

NICENESS = 10
MEMORY = 600 * 2**20  # bytes of data
MOST_THREADS = 2
SPARE_S = 10  # of processor time


def main() -> None:
    """Read a task, and write each plan that is better than the one before."""
    began = time.monotonic()
    task = Task.decode(sys.stdin.buffer.read())
    os.nice(NICENESS)
    cpu_s = int(task.seconds) * MOST_THREADS + SPARE_S
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    best: Found | None = None
    for found, maker in _candidates(task, began + task.seconds):
        if (best is None or found.aims < best.aims) and _is_right(found, maker, task):
            best = found
            sys.stdout.buffer.write(Answer(found, maker).encode())
            sys.stdout.buffer.flush()


def _candidates(task: Task, until: float) -> Iterator[tuple[Found, str]]:
    """Yield plans until the time is over, one at least."""
    search = heuristic.plans(task.pieces, task.stocks, task.measures, seed=task.seed)
    for found in search:
        yield found, "search"
        if time.monotonic() >= until:
            return


def _is_right(found: Found, maker: str, task: Task) -> bool:
    """Return whether a plan passes the proof; one that does not is dropped and logged."""
    fault = next(faults(found.plan, task.pieces, task.stocks, task.measures), None)
    if fault is not None:
        print(f"dropped a plan of {maker}: {fault}", file=sys.stderr, flush=True)
    return fault is None


if __name__ == "__main__":
    main()
