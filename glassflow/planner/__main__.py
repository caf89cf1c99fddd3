"""Search cutting plans: a task comes on the standard input, plans go to the standard output.

The program is its own process, because a search takes all the time of a processor for up to
a minute. It is started by `jobs.cutting_searches`, with little priority, and ends by itself
when its time is over. It imports nothing of the service but the rules of cutting.

The search of glassflow comes first, since it has a plan at once. Where packingsolver is
installed, that has the rest of the time.
"""

import logging
import os
import resource
import sys
import time
from collections.abc import Iterator

from glassflow.domain.cutting import heuristic
from glassflow.domain.cutting.aims import Found, choose, evaluate, is_better
from glassflow.domain.cutting.check import faults
from glassflow.domain.cutting.plan import Plan
from glassflow.planner import solver
from glassflow.planner.messages import Answer, Task

NICENESS = 10
MEMORY = 600 * 2**20  # bytes of data
MOST_THREADS = 2
SPARE_S = 10  # of processor time
FIRST_S = 2.0  # for the search of glassflow, where packingsolver has the rest
LEAST_S = 0.5  # for which packingsolver is begun

log = logging.getLogger("glassflow.planner")


def main() -> None:
    """Read a task, and write each plan that is better than the one before."""
    began = time.monotonic()
    logging.basicConfig(format="%(name)s: %(message)s")
    task = Task.decode(sys.stdin.buffer.read())
    os.nice(NICENESS)
    cpu_s = int(task.seconds) * MOST_THREADS + SPARE_S
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    best: Found | None = None
    for found, maker in _candidates(task, began + task.seconds):
        better = choose([found] if best is None else [best, found])
        if is_better(found, best):
            sys.stdout.buffer.write(Answer(better, maker).encode())
            sys.stdout.buffer.flush()
        best = better


def _candidates(task: Task, until: float) -> Iterator[tuple[Found, str]]:
    """Yield plans that are right until the time is over, one at least."""
    has_solver = solver.is_available()
    ends = min(until, time.monotonic() + FIRST_S) if has_solver else until
    search = heuristic.plans(task.pieces, task.stocks, task.measures, seed=task.seed)
    last: Found | None = None
    for found in search:
        if found != last and _is_right(found.plan, "search", task):
            yield found, "search"
        last = found
        if time.monotonic() >= ends:
            break
    left = until - time.monotonic()
    if has_solver and left >= LEAST_S:
        given = (task.pieces, task.stocks, task.measures)
        is_short = bool(last and last.plan.left_out)
        for plan in solver.plans(*given, seconds=left, is_short=is_short):
            if _is_right(plan, "packingsolver", task):
                yield evaluate(plan, *given), "packingsolver"


def _is_right(plan: Plan, maker: str, task: Task) -> bool:
    """Return whether a plan passes the proof; one that does not is dropped and logged."""
    fault = next(faults(plan, task.pieces, task.stocks, task.measures), None)
    if fault is not None:
        log.error("dropped a plan of %s: %s", maker, fault)
    return fault is None


if __name__ == "__main__":
    main()
    # threads of packingsolver that do not end would be waited for
    sys.stderr.flush()
    os._exit(0)
