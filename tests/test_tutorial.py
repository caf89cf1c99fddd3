"""docs/tutorial-add-a-field.md, followed in a copy of the repository."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/tutorial-add-a-field.md").read_text("utf-8")
#: A block that changes a file: its path, and lines that stay, go or come.
CHANGE = re.compile(r"^```diff\n--- (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_COPIED = shutil.ignore_patterns(
    ".*", "__pycache__", "*.egg-info", "build", "node_modules", "var"
)
#: `make examples`, and the tests of the new field in the API, with one store for both.
IN_THE_API = (
    "tests/api_docs/test_examples.py",
    "tests/api/test_customers.py",
    "tests/api/test_unset_values.py",
)
ON_THE_PAGES = "tests/pages/test_column_titles.py"


def changes():
    """Yield the path, the old and the new lines of each block, in the order of the page."""
    for path, block in CHANGE.findall(PAGE):
        lines = block.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if not line.startswith("+"))
        new = "".join(line[1:] for line in lines if not line.startswith("-"))
        yield path, old, new


def run(folder, *command, **environment):
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env={**os.environ, "FLASK_APP": "wsgi.py", **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def copy(tmp_path):
    """A copy of the repository in which the changes of the page have been made."""
    folder = tmp_path / "glassflow"
    shutil.copytree(ROOT, folder, symlinks=True, ignore=NOT_COPIED)
    for path, old, new in changes():
        text = (folder / path).read_text("utf-8")
        assert text.count(old) == 1, (path, old)
        (folder / path).write_text(text.replace(old, new), "utf-8")
    return folder


def test_the_table_of_the_tutorial_names_the_files_that_it_changes():
    table = PAGE.split("## The files\n")[1].split("\n## ")[0]
    named = set(re.findall(r"^\| `([\w/.]+)` \|", table, re.MULTILINE))
    assert named == {path for path, _, _ in changes()}


@pytest.mark.slow
def test_changes_of_the_tutorial_fit_the_code_and_describe_the_new_field(copy):
    run(copy, "flask", "docs")
    require_described(copy)


@pytest.mark.long
def test_whoever_follows_the_tutorial_has_a_new_field(copy):
    pytest_options = ("pytest", "-q", "-n", "0", "-p", "no:randomly")
    run(copy, *pytest_options, *IN_THE_API, GLASSFLOW_RECORD_EXAMPLES="1")
    run(copy, "flask", "docs")
    require_described(copy)
    assert "lineId" in (copy / "glassflow/api_docs/examples.json").read_text("utf-8")
    assert "passed" in run(copy, *pytest_options, ON_THE_PAGES)


def require_described(copy):
    """The field is in the printed description, and the code has the format of ruff."""
    assert "lineId" in (copy / "docs/openapi.json").read_text("utf-8")
    run(copy, "ruff", "format", "--check", "glassflow", "tests")
