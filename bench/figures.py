"""Figures and tables of the reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that so many percent of the values do not exceed."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    rank = -(-len(ordered) * share // 100)  # rounded up
    return ordered[max(int(rank), 1) - 1]


def number(value: float) -> str:
    """Return a number with three significant digits, at most two after the point."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table; all columns but the first are numbers."""
    yield f"| {' | '.join(head)} |"
    yield f"|---|{'---:|' * (len(head) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
