"""What metrics and the access log cost: measured by a process of its own.

Below gunicorn the values of metrics are in files. Where they are is decided by the first
import of the module, so `bench.metrics_costs` gets its directory by the environment.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

from bench.figures import number, table
from bench.section import ROOT, Measured
from glassflow.host import metrics_files

WHOLE, QUICK = 100, 10  # turns


def section(quick: bool) -> Measured:
    """Measure requests, commands to the store and scrapes."""
    turns = str(QUICK if quick else WHOLE)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "bench.metrics_costs", turns],
            cwd=ROOT,
            env=os.environ | {metrics_files.VARIABLE: folder},
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        )
    found: dict[str, float] = json.loads(done.stdout)
    rows = [[name, number(us)] for name, us in found.items()]
    return Measured(list(table(("processor time", "microseconds"), rows)))
