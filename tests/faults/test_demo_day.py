"""`make demo` with fewer requests, on a separate service, over HTTP and sockets."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service import QUICK_HASHES
from sizes import size

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
UNUSED_URL = "http://127.0.0.1:9"  # the discard port: the demo starts a service
REQUESTS, PANES = size(("8", "1"), long=("12", "2"))
EXPECTED_KINDS = (
    "checks failed",
    "claims approved",
    "claims rejected",
    "panes remade",
    "units laminated",
    "lots moved",
    "withdrawals approved",
    "withdrawals rejected",
    "withdrawals deleted",
    "dormant parent",
    "laminated too early",
    "merged sheet",
)


@pytest.mark.slow
@pytest.mark.embedded_store
@pytest.mark.timeout(600)
def test_demo_day_finishes_every_pane_and_counts_every_event():
    command = [sys.executable, "-m", "demo", "--url", UNUSED_URL]
    done = subprocess.run(
        [*command, "--requests", REQUESTS, "--panes", PANES],
        cwd=ROOT,
        env=os.environ | QUICK_HASHES,
        capture_output=True,
        text=True,
        timeout=590,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert re.search(
        r"on the board: http://\S+/floor/board$", done.stdout, re.MULTILINE
    )
    assert re.search(r"panes finished +(\d+) of \1$", done.stdout, re.MULTILINE)
    completed = rf"orders completed +{REQUESTS}$"
    assert re.search(completed, done.stdout, re.MULTILINE)
    assert re.search(r"^ +all( +\d+)+ +0 +0$", done.stdout, re.MULTILINE)
    assert re.search(r"^  refused +[1-9]", done.stdout, re.MULTILINE)
    assert "the stock equals its ledger" in done.stdout
    for kind in EXPECTED_KINDS:  # the day must contain each of them
        assert re.search(rf"^ +{kind} +[1-9]", done.stdout, re.MULTILINE), kind
