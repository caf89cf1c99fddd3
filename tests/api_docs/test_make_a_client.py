"""The programs of docs/make-a-client.md and README.md work as they stand there."""

import json
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
README = (REPOSITORY / "README.md").read_text("utf-8")
#: The service of `make run`, and the login of its demo workshop.
DEMO_SERVICE = "http://127.0.0.1:8000"
DEMO_LOGIN = '{"username":"admin","password":"admin1234"}'
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
        cwd=REPOSITORY,
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


def test_first_scan_of_the_readme_works(admin, workshop):
    require_curl()
    workshop.station()
    workshop.customer()
    section = README.split("## A first scan\n")[1].split("\n## ")[0]
    program = re.search(r"```sh\n(.*?)```", section, re.DOTALL)[1]
    login = {"username": admin.worker.username, "password": PASSWORD}
    for written, here in ((DEMO_SERVICE, admin.url), (DEMO_LOGIN, json.dumps(login))):
        assert written in program
        program = program.replace(written, here)
    shown = run(["bash", "-e"], program, admin)
    assert shown.splitlines()[-1] == "completed"
