"""The book of a material: its log, and the balance after each entry."""

from collections.abc import Sequence
from typing import Any

from bson import ObjectId

from glassflow.domain.aliases import Raw
from glassflow.domain.stock import Quantity, round_quantity
from glassflow.models.material_log import MaterialLog


def account(conditions: Sequence[Raw]) -> Raw:
    """Return the condition of the entries that a balance adds up.

    `conditions` are those of a list of the log; of them count the material and a single
    lot, whatever else the list is filtered by.
    """
    fields = ("material", "inventory")
    found = {n: one[n] for one in conditions for n in fields if n in one}
    return {n: value for n, value in found.items() if isinstance(value, ObjectId)}


def added_fields(rows: Sequence[Raw], of: Raw) -> list[dict[str, Any]]:
    """Return what the book adds to each row: `balance` after it, and `isCounted`.

    The balance is the sum of the entries of the account `of` up to the row. Entries of
    the service count, also archived ones; notes do not. Two queries for any number of
    rows.
    """
    if not rows:
        return []
    after = _balances(rows, {**of, "byService": True})
    return [
        {"balance": after[row["_id"]], "isCounted": bool(row.get("byService"))}
        for row in rows
    ]


def _balances(rows: Sequence[Raw], counted: Raw) -> dict[ObjectId, Quantity]:
    moments = [row["createdAt"] for row in rows]
    first, last = min(moments), max(moments)
    entries = _entries({**counted, "createdAt": {"$gte": first, "$lte": last}})
    notes = [{**row, "quantityChanged": 0} for row in rows if not row.get("byService")]
    balance = _sum({**counted, "createdAt": {"$lt": first}})
    found = {}
    for row in sorted(
        [*entries, *notes], key=lambda row: (row["createdAt"], row["_id"])
    ):
        balance = round_quantity(balance + row["quantityChanged"])
        found[row["_id"]] = balance
    return found


def _sum(query: Raw) -> Quantity:
    group = {"_id": None, "quantity": {"$sum": "$quantityChanged"}}
    steps: list[Raw] = [{"$match": query}, {"$group": group}]
    rows = MaterialLog.collection().aggregate(steps)
    return sum(round_quantity(row["quantity"]) for row in rows)


def _entries(query: Raw) -> list[Raw]:
    fields = {"createdAt": 1, "quantityChanged": 1}
    return list(MaterialLog.collection().find(query, fields))
