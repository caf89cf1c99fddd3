"""`make bench`: all load programs except the soak, each on a service of its own.

Prints the tables and writes them into docs/performance.md. With `--quick` it measures
little, to try whether everything works, and writes nothing. With `--against COMMIT` it
measures requests in turns with the service of another commit, and writes nothing. The exit
code is 1 if a section could not be measured, or if a limit was not kept.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from functools import partial

from bench import (
    at_rest,
    cutting,
    exports,
    fan_out,
    forecasts,
    hot_order,
    labels,
    lists,
    long_work,
    overload,
    pages,
    reports,
    request_costs,
    years,
)
from bench.page import require_sections, write_section
from bench.section import PAGE, Measured, Section, circumstances

SECTIONS: dict[str, Section] = {
    "requests": request_costs.section,
    "hot-order": hot_order.section,
    "lists": lists.section,
    "reports": reports.section,
    "forecasts": forecasts.section,
    "cutting": cutting.section,
    "long-work": long_work.section,
    "at-rest": at_rest.section,
    "overload": overload.section,
    "fan-out": fan_out.section,
    "labels": labels.section,
    "exports": exports.section,
    "pages": pages.section,
    "years": years.section,
}


def main() -> int:
    """Measure as the arguments say; return the exit code."""
    options = _options()
    sections, is_written = SECTIONS, not (options.quick or options.against)
    if options.against:
        compare = partial(request_costs.compare, options.against)
        sections = {"requests": compare}
    if is_written:
        require_sections(PAGE, SECTIONS)
    failed = False
    for name in options.sections or sections:
        measured = _measure(name, sections[name], options.quick)
        if measured is None:
            failed = True
            continue
        failed = failed or bool(measured.faults)
        lines = [*measured.lines, ""]
        if measured.faults:
            lines += [f"Not good enough: {'; '.join(measured.faults)}.", ""]
        lines.append(circumstances(options.quick))
        print(f"# {name}", "", *lines, sep="\n", end="\n\n", flush=True)
        if is_written:
            write_section(PAGE, name, lines)
    return 1 if failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--against", metavar="COMMIT", default="")
    parser.add_argument("sections", nargs="*", metavar="SECTION")
    options = parser.parse_args()
    unknown = set(options.sections) - SECTIONS.keys()
    if unknown:
        parser.error(f"no such section: {', '.join(unknown)}; {', '.join(SECTIONS)}")
    if options.against and set(options.sections) - {"requests"}:
        parser.error("only requests are compared with another commit")
    return options


def _measure(name: str, section: Section, quick: bool) -> Measured | None:
    """Measure a section; one that fails does not stop the others."""
    started = time.monotonic()
    try:
        return section(quick)
    except Exception:
        traceback.print_exc()
        return None
    finally:
        took = time.monotonic() - started
        print(f"{name}: {took:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
