"""Starts the process of the floor and gives it operations to run."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from demo.service import ROOT


class Floor:
    """The running process; `pid` is its id."""

    def __init__(self, uri: str, worker: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.floor", uri, worker],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self._process.pid
        self._read_line()  # it is ready

    def run(
        self, operation: str, items: Sequence[Any], concurrency: int
    ) -> list[float]:
        """Run an operation for each item, so many at once; return the times in ms."""
        order = {"operation": operation, "items": items, "concurrency": concurrency}
        assert self._process.stdin
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        times: list[float] = json.loads(self._read_line())
        return times

    def stop(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.communicate()

    def _read_line(self) -> str:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the process of the floor has ended")
        return line
