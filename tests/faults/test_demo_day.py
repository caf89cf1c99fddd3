"""The demo, smaller, as a user runs it: its own service, real HTTP and sockets."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HOME = Path(__file__).resolve().parents[2]
NOBODY_THERE = "http://127.0.0.1:9"  # the discard port: the demo starts a service
HAPPENED = (
    "checks failed",
    "claims approved",
    "claims rejected",
    "pieces made again",
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
@pytest.mark.timeout(180)
def test_a_small_day_ends_with_every_pane_finished_and_every_event_counted():
    command = [sys.executable, "-m", "demo", "--url", NOBODY_THERE]
    environment = {k: v for k, v in os.environ.items() if k != "MONGODB_URI"}
    done = subprocess.run(
        [*command, "--requests", "12", "--panes", "2"],
        cwd=HOME,
        env=environment,
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert re.search(r"panes finished +(\d+) of \1$", done.stdout, re.MULTILINE)
    assert re.search(r"orders completed +12 ", done.stdout)
    assert re.search(r"^ +all( +\d+)+ +0 +0$", done.stdout, re.MULTILINE)
    assert re.search(r"^  refused +[1-9]", done.stdout, re.MULTILINE)
    assert "the stock equals its log" in done.stdout
    for kind in HAPPENED:  # else the day would prove nothing of it
        assert re.search(rf"^ +{kind} +[1-9]", done.stdout, re.MULTILINE), kind
