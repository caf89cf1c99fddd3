"""The plans of packingsolver: a program for an environment that has it.

Reads a task as `glassflow.planner` does, and writes an answer for each plan that is better
than the ones before.
"""

from __future__ import annotations

import os
import sys

from glassflow.domain.cutting.aims import choose, evaluate
from glassflow.planner import solver
from glassflow.planner.messages import Answer, Task


def main() -> None:
    """Search."""
    task = Task.decode(sys.stdin.buffer.read())
    pieces, stocks, measures = task.pieces, task.stocks, task.measures
    best = None
    for plan in solver.plans(pieces, stocks, measures, seconds=task.seconds):
        found = evaluate(plan, pieces, stocks, measures)
        better = choose([best, found]) if best else found
        if better != best:
            best = better
            sys.stdout.buffer.write(Answer(best, "solver").encode())
            sys.stdout.buffer.flush()
    os._exit(0)  # without waiting for threads of the solver


if __name__ == "__main__":
    main()
