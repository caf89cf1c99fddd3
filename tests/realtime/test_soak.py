"""A short run of bench/soak, with fewer clients and less time."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from optional_tools import require_redis
from service import QUICK_HASHES
from sizes import size

MINUTES = size("0.2", long="0.5")
ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.mark.parametrize("processes", [1, 2])
def test_every_client_gets_exactly_its_events(processes):
    if processes > 1:
        require_redis()
    soak = [sys.executable, "-m", "bench.soak", "--clients", "40", "--minutes", MINUTES]
    done = subprocess.run(
        [*soak, "--processes", str(processes)],
        cwd=ROOT,
        env=os.environ | QUICK_HASHES,
        capture_output=True,
        text=True,
        timeout=590,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]
    counts = dict(re.findall(r"^(\S.*?)  +(\d+)$", done.stdout, re.MULTILINE))
    assert counts["missing"] == counts["doubled"] == "0"
    assert int(counts["times resumed"]) > 0  # how many depends on the machine
