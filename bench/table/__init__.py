"""The table of requests: round trips, times, processor time, and the ratio to the floor."""

from typing import NamedTuple


class Size(NamedTuple):
    """How much is measured: panes in the store, turns, and requests in a turn."""

    panes: int
    turns: int
    rounds: int


WHOLE = Size(panes=10_000, turns=5, rounds=40)
QUICK = Size(panes=300, turns=2, rounds=8)  # to try whether it works
