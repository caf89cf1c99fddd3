"""Whether the stock is what its book says: lot by lot, by material, by withdrawal."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import fsum
from typing import Any, NamedTuple

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.stock import Quantity, exact
from glassflow.models.inventory import Inventory
from glassflow.models.material import Material
from glassflow.models.material_log import MaterialLog
from glassflow.models.withdrawal import Withdrawal

TOLERANCE = 1e-6
GONE = "(deleted)"

Sums = Mapping[Any, float]


class Difference(NamedTuple):
    """Something whose quantity is not the sum of its entries.

    `kind` is `lot`, `material` or `withdrawal`, `name` its number or name; a record
    that is gone has its id for a name, and holds nothing.
    """

    kind: str
    name: str
    material: str
    holds: Quantity
    booked: Quantity

    def __str__(self) -> str:
        of = f" of {self.material}" if self.kind != "material" else ""
        return (
            f"{self.kind} {self.name}{of}: "
            f"it says {self.holds}, the book says {self.booked}"
        )


def lots() -> int:
    """Count the lots that there are to be checked."""
    return int(Inventory._get_collection().count_documents({}))


@unit_of_work
def differences() -> list[Difference]:
    """Compare all that is held with the book, as of one moment."""
    entries = list(_entries())
    names = {row["_id"]: row["name"] for row in _rows(Material, "name")}
    return [
        *_lots(entries, names),
        *_materials(entries, names),
        *_withdrawals(entries, names),
    ]


def _rows(model: Any, *fields: str) -> list[dict[str, Any]]:
    return list(model._get_collection().find({}, dict.fromkeys(fields, 1)))


def _entries() -> Iterator[dict[str, Any]]:
    fields = ("material", "inventory", "quantityChanged", "referenceType")
    wanted = dict.fromkeys((*fields, "referenceId"), 1)
    yield from MaterialLog._get_collection().find({"byService": True}, wanted)


def _summed(rows: list[dict[str, Any]], by: str, quantity: str) -> Sums:
    parts: dict[Any, list[float]] = defaultdict(list)
    for row in rows:
        parts[row.get(by)].append(row[quantity])
    return {key: fsum(each) for key, each in parts.items()}


def _lots(entries: list[dict[str, Any]], names: Mapping[Any, str]) -> list[Difference]:
    lots = _rows(Inventory, "inventoryNumber", "material", "quantity")
    titles = {
        row["_id"]: (row.get("inventoryNumber"), names.get(row["material"], GONE))
        for row in lots
    }
    held = {row["_id"]: row["quantity"] for row in lots}
    moving = [row for row in entries if row.get("inventory")]
    booked = _summed(moving, "inventory", "quantityChanged")
    return _unequal("lot", titles, held, booked)


def _materials(
    entries: list[dict[str, Any]], names: Mapping[Any, str]
) -> list[Difference]:
    titles = {key: (name, name) for key, name in names.items()}
    held = _summed(_rows(Inventory, "material", "quantity"), "material", "quantity")
    booked = _summed(entries, "material", "quantityChanged")
    return _unequal("material", titles, held, booked)


def _withdrawals(
    entries: list[dict[str, Any]], names: Mapping[Any, str]
) -> list[Difference]:
    rows = _rows(Withdrawal, "withdrawalNumber", "material", "allocations")
    titles = {
        str(row["_id"]): (
            row.get("withdrawalNumber"),
            names.get(row["material"], GONE),
        )
        for row in rows
    }
    held = {
        str(row["_id"]): fsum(one["quantity"] for one in row.get("allocations", ()))
        for row in rows
    }
    of_them = [row for row in entries if row.get("referenceType") == "withdrawal"]
    booked = _summed(of_them, "referenceId", "quantityChanged")
    taken = {key: -quantity for key, quantity in booked.items()}
    return _unequal("withdrawal", titles, held, taken)


def _unequal(
    kind: str, titles: Mapping[Any, tuple[Any, str]], held: Sums, booked: Sums
) -> list[Difference]:
    found = []
    for key in {**held, **booked}:
        holds, says = held.get(key, 0), booked.get(key, 0)
        if abs(holds - says) > TOLERANCE:
            number, material = titles.get(key, (None, GONE))
            name = number or str(key)
            found.append(Difference(kind, name, material, exact(holds), exact(says)))
    return found
