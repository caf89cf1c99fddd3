"""Processor time and memory of processes (Linux)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

CPUCLOCK_SCHED = (
    2  # of the kernel's clock ids: processor time as the scheduler counts it
)


def cpu_seconds(pids: Sequence[int]) -> float:
    """Return the processor time that the processes have used so far, in seconds.

    Threads that have ended count, too.
    """
    return sum(time.clock_gettime(_process_clock(pid)) for pid in pids)


def resident_kb(pids: Sequence[int]) -> int:
    """Return the resident memory of the processes, in KB, from /proc."""
    total = 0
    for pid in pids:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                total += int(line.split()[1])
    return total


def _process_clock(pid: int) -> int:
    """Return the id of another process's clock, as `clock_getcpuclockid` makes it."""
    return (~pid << 3) | CPUCLOCK_SCHED
