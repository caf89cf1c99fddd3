"""Withdrawn is a pane that names a withdrawal; orders begin with their first pane.

An earlier release let some panes name a withdrawal without being withdrawn, or one that is
rejected, and let orders wait as pending whose panes had begun.
"""

from typing import Any

from glassflow.domain.stock import WithdrawalStatus
from glassflow.services.orders import recount


def up(db: Any) -> None:
    """Mend the panes, without new versions or events, and count every order again."""
    rejected = {"status": str(WithdrawalStatus.REJECTED)}
    ids = [row["_id"] for row in db.withdrawals.find(rejected, {"_id": 1})]
    naming = {"withdrawal": {"$in": ids}}
    db.panes.update_many(naming, {"$unset": {"withdrawal": 1}})
    for condition, flag in (({"$ne": None}, True), ({"$eq": None}, False)):
        wrong = {"withdrawal": condition, "isWithdrawn": not flag}
        db.panes.update_many(wrong, {"$set": {"isWithdrawn": flag}})
    recount.recount_stored()
