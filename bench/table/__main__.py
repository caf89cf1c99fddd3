"""`python -m bench.table [--quick] [--panes N] [NAME ...]`: prints the table.

`NAME` selects the scenarios whose names contain it.
"""

from __future__ import annotations

import argparse

from bench.table import QUICK, WHOLE, report
from bench.table.run import measure_all


def main() -> None:
    """Measure as the arguments say."""
    parser = argparse.ArgumentParser(prog="bench.table", description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--panes", type=int)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    size = QUICK if options.quick else WHOLE
    rows = measure_all(size, options.names, panes=options.panes)
    print("\n".join(report.lines(rows)))


if __name__ == "__main__":
    main()
