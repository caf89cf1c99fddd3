"""The daily figures have their counters nested, so that a reader gets those it needs."""

from typing import Any

from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.services import daily_figures


def up(db: Any) -> None:
    """Nest the counters of each day, which had the names `finished:9` and `left:<station>`."""
    figures = db[daily_figures.COLLECTION]
    for row in list(figures.find({}, {"_id": 1})):
        _nest(figures, row["_id"])


@unit_of_work
def _nest(figures: Any, day: str) -> None:
    """Store a day anew; a process that counts at the same time conflicts, and repeats."""
    row = figures.find_one({"_id": day})
    if any(":" in name for name in row):
        nested = daily_figures.nested(daily_figures.by_name(row))
        figures.replace_one({"_id": day}, nested)
