"""More requests than the service can process, for half a minute, and what comes of it."""

from typing import NamedTuple


class Size(NamedTuple):
    """How long the overload lasts, and the measurement of the peak before it, in s.

    `turns` is how often both are done.
    """

    seconds: float
    peak_seconds: float
    turns: int


WHOLE = Size(seconds=30, peak_seconds=10, turns=3)
QUICK = Size(seconds=5, peak_seconds=2, turns=1)
