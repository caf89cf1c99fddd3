"""Audit: compares lots, materials and withdrawals with the stock ledger."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import fsum
from typing import Any, NamedTuple

from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain.stock import LedgerReferenceType, Quantity, round_quantity
from glassflow.models.base import Record
from glassflow.models.inventory import Inventory
from glassflow.models.material import Material
from glassflow.models.material_log import MaterialLog
from glassflow.models.withdrawal import Withdrawal

TOLERANCE = 1e-6
DELETED = "(deleted)"

Sums = Mapping[Any, float]


class Difference(NamedTuple):
    """A quantity that differs from the sum of its ledger entries.

    `kind` is `lot`, `material` or `withdrawal`, `name` its number or name; a deleted
    record has its id as the name, and holds 0.
    """

    kind: str
    name: str
    material: str
    holds: Quantity
    ledger_sum: Quantity

    def __str__(self) -> str:
        of = f" of {self.material}" if self.kind != "material" else ""
        return (
            f"{self.kind} {self.name}{of}: "
            f"it holds {self.holds}, the ledger says {self.ledger_sum}"
        )


def lots() -> int:
    """Return the number of lots."""
    return Inventory.collection().count_documents({})


@unit_of_work
def differences() -> list[Difference]:
    """Compare every quantity with the ledger, in one snapshot."""
    return compare()


def compare() -> list[Difference]:
    """Compare every quantity with the ledger, in the snapshot of the caller."""
    entries = list(_entries())
    names = {row["_id"]: row["name"] for row in _rows(Material, "name")}
    return [
        *_lots(entries, names),
        *_materials(entries, names),
        *_withdrawals(entries, names),
    ]


def _rows(model: type[Record], *fields: str) -> list[dict[str, Any]]:
    return list(model.collection().find({}, dict.fromkeys(fields, 1)))


def _entries() -> Iterator[dict[str, Any]]:
    fields = ("material", "inventory", "quantityChanged", "referenceType")
    wanted = dict.fromkeys((*fields, "referenceId"), 1)
    yield from MaterialLog.collection().find({"byService": True}, wanted)


def _summed(rows: list[dict[str, Any]], by: str, quantity: str) -> Sums:
    parts: dict[Any, list[float]] = defaultdict(list)
    for row in rows:
        parts[row.get(by)].append(row[quantity])
    return {key: fsum(each) for key, each in parts.items()}


def _lots(entries: list[dict[str, Any]], names: Mapping[Any, str]) -> list[Difference]:
    lots = _rows(Inventory, "inventoryNumber", "material", "quantity")
    labels = {
        row["_id"]: (row.get("inventoryNumber"), names.get(row["material"], DELETED))
        for row in lots
    }
    held = {row["_id"]: row["quantity"] for row in lots}
    moving = [row for row in entries if row.get("inventory")]
    ledger_sum = _summed(moving, "inventory", "quantityChanged")
    return _differing("lot", labels, held, ledger_sum)


def _materials(
    entries: list[dict[str, Any]], names: Mapping[Any, str]
) -> list[Difference]:
    labels = {key: (name, name) for key, name in names.items()}
    held = _summed(_rows(Inventory, "material", "quantity"), "material", "quantity")
    ledger_sum = _summed(entries, "material", "quantityChanged")
    return _differing("material", labels, held, ledger_sum)


def _withdrawals(
    entries: list[dict[str, Any]], names: Mapping[Any, str]
) -> list[Difference]:
    rows = _rows(Withdrawal, "withdrawalNumber", "material", "allocations")
    labels = {
        str(row["_id"]): (
            row.get("withdrawalNumber"),
            names.get(row["material"], DELETED),
        )
        for row in rows
    }
    held = {
        str(row["_id"]): fsum(one["quantity"] for one in row.get("allocations", ()))
        for row in rows
    }
    of_them = [
        row
        for row in entries
        if row.get("referenceType") == LedgerReferenceType.WITHDRAWAL
    ]
    ledger_sum = _summed(of_them, "referenceId", "quantityChanged")
    taken = {key: -quantity for key, quantity in ledger_sum.items()}
    return _differing("withdrawal", labels, held, taken)


def _differing(
    kind: str, labels: Mapping[Any, tuple[Any, str]], held: Sums, ledger_sum: Sums
) -> list[Difference]:
    found = []
    for key in {**held, **ledger_sum}:
        holds, says = held.get(key, 0), ledger_sum.get(key, 0)
        if abs(holds - says) > TOLERANCE:
            number, material = labels.get(key, (None, DELETED))
            name = number or str(key)
            found.append(
                Difference(
                    kind, name, material, round_quantity(holds), round_quantity(says)
                )
            )
    return found
