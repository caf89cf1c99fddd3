"""The solver alone: a program for an environment that has packingsolver.

Reads a task as `glassflow.planner` does, and writes each plan of the solver as an answer. An
argument says how many of the last pieces are due later: then the plan of the others, which
the search makes, is filled up with them.
"""

import os
import sys
from collections.abc import Iterator

from glassflow.domain.cutting import heuristic
from glassflow.domain.cutting.aims import evaluate
from glassflow.domain.cutting.plan import Plan
from glassflow.planner import solver
from glassflow.planner.messages import Answer, Task


def found_plans(task: Task, later: int) -> Iterator[Plan]:
    """Yield the plans of the solver."""
    pieces, stocks, measures = task.pieces, task.stocks, task.measures
    if not later:
        return solver.plans(pieces, stocks, measures, seconds=task.seconds)
    due, rest = pieces[:-later], pieces[-later:]
    first = next(heuristic.plans(due, stocks, measures)).plan
    return solver.fill(first, due, rest, stocks, measures, seconds=task.seconds)


def main() -> None:
    """Write the plans as they come."""
    later = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    for task in map(Task.decode, sys.stdin.buffer):
        for plan in found_plans(task, later):
            found = evaluate(plan, task.pieces, task.stocks, task.measures)
            sys.stdout.buffer.write(Answer(found, "solver").encode())
        sys.stdout.buffer.write(b"\n")
        sys.stdout.buffer.flush()
    os._exit(0)  # without waiting for threads of the solver


if __name__ == "__main__":
    main()
