"""`make bench`: all load programs except the soak, each on a service of its own.

Prints the tables and writes them into docs/performance.md. With `--quick` it measures
little, to try whether everything works, and writes only to a page that `--page` names.
The exit code is 1 if a section could not be measured, or if a limit was not kept.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path

from bench import (
    burst,
    exports,
    first_picture,
    hot_order,
    labels,
    limits,
    lists,
    logins,
    long_work,
    metrics,
    publishing,
    reports,
    rest,
)
from bench import token_checks as tokens
from bench.board import run as board
from bench.fanout import run as fanout
from bench.overload import measure as overload
from bench.page import require_sections, section_figures, write_section
from bench.pages import run as pages
from bench.section import PAGE, Measured, Section, circumstances
from bench.table import run as table

SECTIONS: dict[str, Section] = {
    "requests": table.section,
    "hot-order": hot_order.section,
    "lists": lists.section,
    "reports": reports.section,
    "long-work": long_work.section,
    "tokens": tokens.section,
    "metrics": metrics.section,
    "at-rest": rest.section,
    "overload": overload.section,
    "logins": logins.section,
    "bursts": burst.section,
    "fan-out": fanout.section,
    "publishing": publishing.section,
    "labels": labels.section,
    "exports": exports.section,
    "board": board.section,
    "pages": pages.section,
    "first-picture": first_picture.section,
}
LIMITS = "limits"  # derived from the figures of the others, so it measures nothing


def main() -> int:
    """Measure as the arguments say; return the exit code."""
    options = _options()
    page = options.page or (None if options.quick else PAGE)
    names = options.sections or list(SECTIONS)
    if page:
        require_sections(page, [*SECTIONS, LIMITS])
    known: dict[str, float] = {}
    failed = False
    for name in names:
        measured = _measure(name, options.quick)
        if measured is None:
            failed = True
            continue
        failed = failed or bool(measured.faults)
        known |= measured.figures
        _report(page, name, measured, options.quick)
    _report(page, LIMITS, limits.derive(_kept_figures(page) | known), options.quick)
    return 1 if failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--page", type=Path)
    parser.add_argument("sections", nargs="*", metavar="SECTION")
    options = parser.parse_args()
    unknown = set(options.sections) - SECTIONS.keys()
    if unknown:
        parser.error(f"no such section: {', '.join(unknown)}; {', '.join(SECTIONS)}")
    return options


def _measure(name: str, quick: bool) -> Measured | None:
    """Measure a section; one that fails does not stop the others."""
    started = time.monotonic()
    try:
        return SECTIONS[name](quick)
    except Exception:
        traceback.print_exc()
        return None
    finally:
        took = time.monotonic() - started
        print(f"{name}: {took:.0f} s", file=sys.stderr, flush=True)


def _report(page: Path | None, name: str, measured: Measured, quick: bool) -> None:
    lines = [*measured.lines, ""]
    if measured.faults:
        lines += [f"Not good enough: {'; '.join(measured.faults)}.", ""]
    lines.append(circumstances(quick))
    print(f"# {name}", "", *lines, sep="\n", end="\n\n", flush=True)
    if page:
        write_section(page, name, lines, measured.figures)


def _kept_figures(page: Path | None) -> dict[str, float]:
    """Return the figures of all sections of a page, from this run or earlier ones."""
    text = page.read_text("utf-8") if page else ""
    figures: dict[str, float] = {}
    for name in SECTIONS if page else ():
        figures |= section_figures(text, name)
    return figures


if __name__ == "__main__":
    sys.exit(main())
