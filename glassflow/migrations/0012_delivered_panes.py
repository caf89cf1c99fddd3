"""Orders count the panes that were delivered, which earlier releases did not."""

from typing import Any

from glassflow.services.orders import recount


def up(db: Any) -> None:
    """Count every order again, in a store that has delivered panes."""
    if db.panes.find_one({"deliveredAt": {"$ne": None}}, {"_id": 1}):
        recount.recount_stored()
