"""The stock book at the end of the day: what it says has happened, and its balance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from demo.client import Api, Record
from demo.expected import Ledger
from demo.heard import id_of

LOGS, LOTS = "/api/material-logs", "/api/inventories"


class Bookmark:
    """How far the book was written when the day began."""

    def __init__(self, admin: Api) -> None:
        last = admin.get(LOGS, limit=1, sort="-createdAt")
        self.since = {"createdAt_gte": last[0]["createdAt"]} if last else {}
        self.known = {row["_id"] for row in admin.all(LOGS, **self.since)}

    def entries(self, admin: Api) -> Iterator[Record]:
        """What has been written since, by whomever: all share the lots."""
        for row in admin.all(LOGS, **self.since):
            if row["_id"] not in self.known:
                yield row


def enter(ledger: Ledger, entries: Iterable[Record]) -> None:
    """Enter in the ledger what the stock book shows."""
    for row in entries:
        ledger.stock_entry(row)


def differences(admin: Api) -> list[str]:
    """The lots whose quantity is not the sum of what the book says of them."""
    sums: defaultdict[str, float] = defaultdict(float)
    for row in admin.all(LOGS, inventory_ne="null", sort="createdAt"):
        sums[id_of(row["inventory"])] += row["quantityChanged"]
    lots = admin.all(LOTS, sort="createdAt")
    wrong = [
        f"{lot['inventoryNumber']} holds {lot['quantity']}, its log says"
        f" {sums[lot['_id']]}"
        for lot in lots
        if lot["quantity"] < 0 or abs(lot["quantity"] - sums[lot["_id"]]) > 1e-6
    ]
    if not lots:
        wrong.append("there is no stock: the balance proves nothing")
    return wrong
