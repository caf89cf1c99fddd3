"""Panes have no indexes of rare filters, and the embedded store deletes what expires.

Lists with such a filter are read in the order of the list; docs/decisions/0037 says why.
The service deleted expired documents of the embedded store by what it kept of them.
"""

from typing import Any

from glassflow.services import prepare

KEPT_OF_EXPIRY = "retentions"
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
    """Drop these indexes and that collection."""
    for name in DROPPED:
        prepare.drop(db["panes"], name)
    db.drop_collection(KEPT_OF_EXPIRY)
