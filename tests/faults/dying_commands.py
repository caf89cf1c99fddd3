"""Runs `flask` commands that die at some moment."""

import signal
import subprocess
import sys

from service import ROOT
from waiting import WAIT_TIMEOUT_S

PROGRAM = ROOT / "tests/faults/dying_command.py"


def run_until_killed(service, moment, *words):
    """Run a command that dies before a command to the store: database, name, collection.

    Or before a rename of the files: "files", "before", its number. Where the service has no
    MONGODB_URI the command starts its own store.
    """
    done = subprocess.run(
        [sys.executable, str(PROGRAM), *moment, *words],
        cwd=ROOT,
        env=service.environment
        | {"PYTHONPATH": str(ROOT), "FLASK_RUN_FROM_CLI": "true"},
        capture_output=True,
        text=True,
        timeout=WAIT_TIMEOUT_S,
    )
    assert done.returncode == -signal.SIGKILL, done.stdout + done.stderr
