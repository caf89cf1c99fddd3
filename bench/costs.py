"""What processes cost, as the kernel counts it."""

from __future__ import annotations

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def seconds_of(pids: list[int]) -> float:
    """Tell the processor time that processes have had so far."""
    return sum(_nanoseconds(task) for pid in pids for task in _tasks(pid)) / 1e9


def _tasks(pid: int) -> list[Path]:
    return list(Path(f"/proc/{pid}/task").iterdir())


def _nanoseconds(task: Path) -> int:
    counted = int((task / "schedstat").read_text().split()[0])
    if counted:
        return counted
    ticks = (task / "stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) * 1_000_000_000 // TICKS


def kilobytes_of(pids: list[int]) -> int:
    """Tell the memory that processes have in use now."""
    total = 0
    for pid in pids:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                total += int(line.split()[1])
    return total
