"""The files for contributors: valid, and they call what exists."""

import configparser
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest
import yaml

from glassflow.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
WORKFLOW = ".github/workflows/ci.yml"
LINK = re.compile(r"\]\(([^)#\s]+)(?:#([^)\s]+))?\)")
#: The sections of Keep a Changelog 1.1.0, in its order.
KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def read(name):
    return (ROOT / name).read_text("utf-8")


def makefile_targets():
    return set(re.findall(r"^([a-z-]+):(?!=)", read("Makefile"), re.MULTILINE))


def test_hooks_run_the_tools_of_the_environment_and_all_checks_of_lint():
    (repository,) = yaml.safe_load(read(".pre-commit-config.yaml"))["repos"]
    assert repository["repo"] == "local"
    entries = [hook["entry"] for hook in repository["hooks"]]
    for hook in repository["hooks"]:
        program, *arguments = hook["entry"].split()
        assert hook["language"] == "system"
        assert not hook["pass_filenames"]
        if program == "make":
            assert arguments[-1] in makefile_targets()
        else:
            assert program.startswith(".venv/bin/")
            assert (ROOT / program).exists(), program
    lint = read("Makefile").split("\nlint:")[1].split("\n\n")[0].splitlines()[1:]
    checks = [
        line.strip().removeprefix("@").replace("$(BIN)", ".venv/bin") for line in lint
    ]
    assert entries == [line.replace("$(MAKE)", "make") for line in checks]


def test_workflow_runs_the_program_of_ci_with_few_rights_and_a_time_limit():
    check = [sys.executable, "-m", "check_jsonschema"]
    schema = ["--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run(
        [*check, *schema, WORKFLOW], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    workflow = yaml.safe_load(read(WORKFLOW))
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["concurrency"]["cancel-in-progress"] is True
    (job,) = workflow["jobs"].values()
    assert job["timeout-minutes"] <= 120
    program = ROOT / job["steps"][-1]["run"]
    assert program == ROOT / ".ci/run"
    assert program.stat().st_mode & 0o111, "it can be executed"


def test_editorconfig_has_the_line_width_of_ruff():
    rules = configparser.ConfigParser()
    rules.read_string("[top]\n" + read(".editorconfig"))
    width = tomllib.loads(read("pyproject.toml"))["tool"]["ruff"]["line-length"]
    assert rules.getint("*.py", "max_line_length") == width


@pytest.mark.parametrize("page", PAGES)
def test_page_names_files_sections_and_commands_that_exist(page):
    text = read(page)
    for target, section in LINK.findall(text):
        if not target.startswith("https://"):
            assert (ROOT / target).exists(), target
            assert not section or section in sections(target), f"{target}#{section}"
    commands = set(re.findall(r"`make ([a-z-]+)", text))
    commands |= set(re.findall(r"^make ([a-z-]+)", text, re.MULTILINE))
    assert commands - makefile_targets() == set()


def sections(page):
    """Return the anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", read(page), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


def test_readme_is_short():
    text = read("README.md")
    assert len(text.splitlines()) <= 120
    assert len(text.split()) <= 1000


def test_changelog_has_the_sections_of_keep_a_changelog():
    releases = read("CHANGELOG.md").split("\n## ")[1:]
    assert releases[0].startswith("[Unreleased]\n")
    for release in releases:
        kinds = re.findall(r"^### (.+)$", release, re.MULTILINE)
        assert kinds == [kind for kind in KINDS if kind in kinds]


def test_page_of_commands_has_all_of_them_and_no_others():
    page = read("docs/commands.md")
    shown = re.findall(r"^[a-z-]+(?=:.*## )", read("Makefile"), re.MULTILINE)
    assert set(re.findall(r"`make ([a-z-]+)", page)) == set(shown)
    rows = [line for line in page.splitlines() if line.startswith("| `flask ")]
    cells = " ".join(row.split(" | ")[0] for row in rows)
    named = re.findall(r"`flask ([^`]+)`", cells)
    missing = [one for one in flask_commands() if not is_named(one, named)]
    assert missing == []
    unknown = [text for text in named if not is_command(text)]
    assert unknown == []


def flask_commands():
    """Yield the commands of the service, such as `stock check`."""
    for command in COMMANDS:
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield command.name
        if isinstance(command, click.Group):
            yield from (f"{command.name} {name}" for name in command.commands)


def is_named(command, texts):
    return any(f"{text} ".startswith(f"{command} ") for text in texts)


def is_command(text):
    return any(f"{text} ".startswith(f"{one} ") for one in flask_commands())
