"""Processor time and memory of processes (Linux)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

CPUCLOCK_SCHED = 2  # the kernel's clock of processor time as the scheduler counts it


def cpu_seconds(pids: Sequence[int]) -> float:
    """Return the processor time that the processes have used so far, in seconds.

    Threads that have ended count, too.
    """
    return sum(time.clock_gettime(_process_clock(pid)) for pid in pids)


def resident_kb(pids: Sequence[int], *, most: bool = False) -> int:
    """Return the resident memory of the processes, in KB; or the most since `reset_most`."""
    name, total = "VmHWM:" if most else "VmRSS:", 0
    for pid in pids:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(name):
                total += int(line.split()[1])
    return total


def reset_most(pids: Sequence[int]) -> None:
    """Let the most memory of the processes count from now on."""
    for pid in pids:
        Path(f"/proc/{pid}/clear_refs").write_text("5")


def _process_clock(pid: int) -> int:
    """Return the id of another process's clock, as `clock_getcpuclockid` makes it."""
    return (~pid << 3) | CPUCLOCK_SCHED
