"""The modules of the pages in Node.js, without a browser."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from optional_tools import require
from waiting import WAIT_TIMEOUT_S

TESTS = sorted((Path(__file__).parent / "js").glob("*.test.mjs"))


@pytest.mark.parametrize("file", TESTS, ids=lambda path: path.name)
def test_modules_pass_their_tests_in_node(file):
    require(shutil.which("node"), "node", "nodejs")
    done = subprocess.run(
        ["node", "--test-reporter=tap", file],  # `--test` starts two processes
        capture_output=True,
        text=True,
        timeout=WAIT_TIMEOUT_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^# tests [1-9]", done.stdout, re.MULTILINE)
