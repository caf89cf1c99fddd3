"""Panes have no indexes of filters that are rarely asked for.

Their lists are read in the order of the list; docs/decisions.md says why.
"""

from typing import Any

from glassflow.models import indexes

DROPPED = (
    "routing_1",
    *(
        f"{field}_1_listed_1_createdAt_1__id_1"
        for field in (
            "glassType",
            "inventory",
            "isWithdrawn",
            "jobType",
            "laminateStation",
        )
    ),
)


def up(db: Any) -> None:
    """Drop these indexes."""
    for name in DROPPED:
        indexes.drop(db["panes"], name)
