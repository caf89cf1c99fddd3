"""A section of docs/performance.md: what a load program has measured."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"


@dataclass(frozen=True)
class Measured:
    """The lines of a section, and what is not good enough."""

    lines: Sequence[str]
    faults: Sequence[str] = ()


Section = Callable[[bool], Measured]  # takes whether to measure little, to try it


def circumstances(quick: bool) -> str:
    """Return when, where and on which commit a section was measured."""
    short = ", a short run" if quick else ""
    python = f"Python {platform.python_version()}"
    return (
        f"{date.today()}, {commit_of(ROOT)}, {os.cpu_count()} cores, {python}{short}."
    )


def commit_of(repository: Path) -> str:
    """Return the commit, with a mark if files have changed since.

    `PAGE` does not count: the sections that were measured before have changed it.
    """
    changed = ["git", "status", "--porcelain", "--untracked-files=no", "--"]
    others = [".", f":(exclude){PAGE.relative_to(ROOT)}"]
    try:
        commit = _output(repository, ["git", "describe", "--always", "--exclude=*"])
        is_dirty = bool(_output(repository, [*changed, *others]))
    except FileNotFoundError:
        return "unknown commit"
    return f"commit {commit}{'-dirty' * is_dirty}" if commit else "unknown commit"


def _output(folder: Path, command: Sequence[str]) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.stdout.strip()
