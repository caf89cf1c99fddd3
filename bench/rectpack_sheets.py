"""How many sheets rectpack needs: a program for an environment that has rectpack.

Reads `{"sheet": [width, height], "panes": [[width, height], ...]}`, and prints the number of
the best plan.
"""

from __future__ import annotations

import itertools
import json
import sys

import rectpack

BINS = ("BFF", "BBF", "Global")  # which open sheet a pane comes to
CHOICES = ("Bssf", "Blsf", "Baf")  # of the free rectangle
SPLITS = ("Sas", "Las", "Slas", "Llas", "Maxas", "Minas")  # of what is left of it
ORDERS = ("NONE", "AREA", "PERI", "DIFF", "SSIDE", "LSIDE", "RATIO")  # of the panes


def sheets(
    sheet: tuple[int, int],
    panes: list[tuple[int, int]],
    bins: str,
    algorithm: str,
    order: str,
) -> int:
    """Return how many sheets one algorithm needs."""
    packer = rectpack.newPacker(
        bin_algo=getattr(rectpack.PackingBin, bins),
        pack_algo=getattr(rectpack, algorithm),
        sort_algo=getattr(rectpack, order),
    )
    for pane in panes:
        packer.add_rect(*pane)
    packer.add_bin(*sheet, count=len(panes))
    packer.pack()
    if len(packer.rect_list()) != len(panes):
        raise RuntimeError(f"{algorithm}, {order}: panes are left out")
    return len(packer)


def main() -> None:
    """Try everything."""
    given = json.load(sys.stdin)
    tried = itertools.product(BINS, CHOICES, SPLITS, ORDERS)
    print(
        min(
            sheets(
                given["sheet"],
                given["panes"],
                bins,
                f"Guillotine{choice}{split}",
                f"SORT_{order}",
            )
            for bins, choice, split, order in tried
        )
    )


if __name__ == "__main__":
    main()
