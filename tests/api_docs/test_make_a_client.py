"""The programs of docs/make-a-client.md work as they stand there."""

import os
import re
import subprocess
import sys

import pytest

from factories import PASSWORD
from glassflow.host.data_files import REPOSITORY
from optional_tools import require_curl, require_node
from waiting import START_TIMEOUT_S

pytestmark = pytest.mark.slow
PAGE = (REPOSITORY / "docs" / "make-a-client.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"```(sh|python|js)\n(.*?)```", PAGE, re.DOTALL))


def run(command, program, admin):
    """Run a program of the page against the tests' service; return what it prints."""
    environment = {
        **os.environ,
        "URL": admin.url,
        "NAME": admin.worker.username,
        "PASSWORD": PASSWORD,
    }
    done = subprocess.run(
        command,
        input=program,
        env=environment,
        capture_output=True,
        text=True,
        timeout=START_TIMEOUT_S,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_program_for_curl_works_and_can_be_repeated(admin):
    require_curl()
    for _ in range(2):
        shown = run(["bash", "-eu"], BLOCKS["sh"], admin).splitlines()
        assert '"success":true' in shown[0]
        assert shown[1].count("Clear Glass Ltd.") == 1


def test_program_in_python_works(admin):
    shown = run([sys.executable, "-"], BLOCKS["python"], admin)
    assert shown.splitlines() == ["Clear Glass Ltd. 7.5", "Clear Glass Ltd."]


def test_program_in_javascript_works(admin):
    require_node()
    shown = run(["node", "--input-type=module"], BLOCKS["js"], admin)
    assert shown == "Clear Glass Ltd. 02-555-0199\n"
