"""A section of docs/performance.md: what a load program has measured."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
Figures = Mapping[str, float]  # by name; names end in their unit


@dataclass(frozen=True)
class Measured:
    """The lines of a section, figures for the limits, and what is not good enough."""

    lines: Sequence[str]
    figures: Figures = field(default_factory=dict)
    faults: Sequence[str] = ()


Section = Callable[[bool], Measured]  # takes whether to measure little, to try it


def circumstances(quick: bool) -> str:
    """Return when, where and on which commit a section was measured."""
    short = ", a short run" if quick else ""
    python = f"Python {platform.python_version()}"
    return f"{date.today()}, {_commit()}, {os.cpu_count()} cores, {python}{short}."


def _commit() -> str:
    """Return the commit, with a mark if files have changed since."""
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return "unknown commit"
    return f"commit {done.stdout.strip()}" if done.stdout else "unknown commit"
