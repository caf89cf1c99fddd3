"""A short soak: the program of the long one, with fewer clients and less time."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


@pytest.mark.parametrize("processes", [1, 2])
def test_everybody_ends_with_exactly_the_events_of_their_rooms(processes):
    soak = [sys.executable, "-m", "bench.soak", "--clients", "40", "--minutes", "0.5"]
    made = subprocess.run(
        [*soak, "--processes", str(processes)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=220,
    )
    assert made.returncode == 0, made.stdout + made.stderr[-4000:]
    counted = dict(re.findall(r"^(\S.*?)  +(\d+)$", made.stdout, re.MULTILINE))
    assert counted["missing"] == counted["doubled"] == "0"
    assert int(counted["times resumed"]) > 40
