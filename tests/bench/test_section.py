"""A table names the commit of what was measured."""

import subprocess

import pytest

from bench.section import commit_of


@pytest.fixture
def repository(tmp_path):
    """One commit, with a program and the page of the tables."""
    (tmp_path / "docs").mkdir()
    for name in ("program.py", "docs/performance.md"):
        (tmp_path / name).write_text("1")
    person = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    for command in (["init", "-q"], ["add", "."], [*person, "commit", "-qm", "First"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return tmp_path


def test_page_that_earlier_sections_have_changed_does_not_count(repository):
    clean = commit_of(repository)
    (repository / "docs" / "performance.md").write_text("2")
    assert commit_of(repository) == clean
    assert not clean.endswith("-dirty")


def test_changed_program_is_marked(repository):
    clean = commit_of(repository)
    (repository / "program.py").write_text("2")
    assert commit_of(repository) == f"{clean}-dirty"


def test_without_a_repository_the_commit_is_unknown(tmp_path):
    assert commit_of(tmp_path) == "unknown commit"
