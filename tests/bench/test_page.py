"""The page of measurements: a new run replaces the tables, never the text."""

import shutil
import sys
from datetime import date
from pathlib import Path

import pytest

from bench import __main__ as program
from bench.page import (
    MarkerMissingError,
    replace_section,
    require_sections,
    write_section,
)
from bench.section import PAGE, ROOT, Measured

TEXT = """# Page

Written by hand.

<!-- measured: one -->

| old |

<!-- end: one -->

Between.

<!-- measured: two -->
<!-- end: two -->

After.
"""


def test_only_what_is_between_the_markers_of_the_section_is_replaced():
    replaced = replace_section(TEXT, "one", ["| new |", "| 1 |"])
    assert replaced == TEXT.replace("| old |", "| new |\n| 1 |")


def test_second_run_replaces_what_the_first_one_wrote():
    once = replace_section(TEXT, "two", ["a"])
    assert replace_section(once, "two", ["b"]) == replace_section(TEXT, "two", ["b"])


@pytest.mark.parametrize("line", ["<!-- measured: one -->\n", "<!-- end: one -->\n"])
def test_page_without_a_marker_is_refused_and_stays(tmp_path, line):
    page = tmp_path / "page.md"
    page.write_text(TEXT.replace(line, ""))
    with pytest.raises(MarkerMissingError):
        write_section(page, "one", ["| new |"])
    assert page.read_text() == TEXT.replace(line, "")


def test_every_section_has_its_place_on_the_page_and_is_explained_in_the_readme():
    require_sections(PAGE, program.SECTIONS)
    readme = (ROOT / "bench" / "README.md").read_text("utf-8")
    missing = [name for name in program.SECTIONS if f"| `{name}` |" not in readme]
    assert missing == []


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A copy of the page of the repository, which runs write."""
    copy = Path(shutil.copy(PAGE, tmp_path / "page.md"))
    monkeypatch.setattr(program, "PAGE", copy)
    return copy


@pytest.fixture
def run(monkeypatch, page):
    """Runs `make bench` with functions that return at once in place of sections."""

    def run_with(*options, **sections):
        for name, section in sections.items():
            monkeypatch.setitem(program.SECTIONS, name, section)
        monkeypatch.setattr(sys, "argv", ["bench", *options, *sections])
        return program.main()

    return run_with


def test_run_writes_what_it_measured_and_keeps_the_other_sections(run, page):
    assert run(labels=lambda quick: Measured(["| first |"])) == 0
    assert run(pages=lambda quick: Measured(["| second |"])) == 0
    text = page.read_text()
    assert "| first |" in text
    assert "| second |" in text
    assert f"{date.today()}, commit " in text


def test_section_that_fails_keeps_its_table_and_stops_no_other(run, page, capfd):
    run(labels=lambda quick: Measured(["| kept |"]))

    def failing(quick):
        raise RuntimeError("no such program")

    assert run(labels=failing, pages=lambda quick: Measured(["| other |"])) == 1
    text = page.read_text()
    assert "| kept |" in text
    assert "| other |" in text
    assert "no such program" in capfd.readouterr().err


def test_limit_that_is_not_kept_is_named_and_fails_the_run(run, page):
    result = Measured(["| a |"], faults=["p99 is 5 times p50"])
    assert run(labels=lambda quick: result) == 1
    assert "Not good enough: p99 is 5 times p50." in page.read_text()


def test_page_without_a_place_for_the_results_is_refused_before_anything_is_measured(
    run, page
):
    page.write_text(TEXT)
    measured = []
    with pytest.raises(MarkerMissingError):
        run(overload=measured.append)
    assert measured == []


def test_short_run_and_a_comparison_are_shown_and_not_written(
    run, page, monkeypatch, capsys
):
    before = page.read_text()
    assert (
        run("--quick", labels=lambda quick: Measured(["quick" if quick else ""])) == 0
    )
    assert "quick\n\n" in capsys.readouterr().out
    compared = []
    monkeypatch.setattr(
        program.request_costs,
        "compare",
        lambda commit, quick: compared.append(commit) or Measured([]),
    )
    assert run("--against", "HEAD~1") == 0
    assert compared == ["HEAD~1"]
    assert page.read_text() == before
