"""Audit: compares what lots and panes say of cutting plans with the plans themselves."""

from collections import Counter
from collections.abc import Iterator

from bson import ObjectId

from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain.cutting.stages import RESERVING
from glassflow.models.cutting_plan import CuttingPlan
from glassflow.models.inventory import Inventory
from glassflow.models.pane import Pane
from glassflow.services.cutting.layout import Layout

FIRST_ID = ObjectId("0" * 24)


@unit_of_work
def differences() -> list[str]:
    """Compare reservations with the sheets that are still to be cut, in one snapshot."""
    return list(compare())


def compare() -> Iterator[str]:
    """Yield what differs, in the snapshot of the caller: a sentence each."""
    query = {"status": {"$in": sorted(map(str, RESERVING))}}
    needed: Counter[tuple[ObjectId, ObjectId]] = Counter()
    numbers: dict[ObjectId, str] = {}
    planned: set[tuple[ObjectId, ObjectId]] = set()
    for row in CuttingPlan.collection().find(query):
        layout = Layout.of(row.get("layout"))
        numbers[row["_id"]] = row.get("planNumber") or str(row["_id"])
        for lot_id, sheets in layout.lots.items():
            needed[lot_id, row["_id"]] += sheets
        planned |= {(pane, row["_id"]) for pane in layout.planned()}
    for lot in Inventory.collection().find({"reservations.quantity": {"$gt": 0}}):
        for one in lot["reservations"]:
            sheets = needed.pop((lot["_id"], one["plan"]), 0)
            if sheets != one["quantity"]:
                yield (
                    f"lot {lot.get('inventoryNumber')}: {one['quantity']} reserved for "
                    f"{numbers.get(one['plan'], 'no released plan')}, which needs {sheets}"
                )
    for (_, plan), missing in needed.items():
        yield f"plan {numbers[plan]}: {missing} sheets of a lot are not reserved"
    named = {"cuttingPlan": {"$gt": FIRST_ID}}  # by the index
    shown = {"paneNumber": 1, "cuttingPlan": 1}
    for pane in Pane.collection().find(named, shown):
        if (pane["_id"], pane["cuttingPlan"]) not in planned:
            yield f"pane {pane['paneNumber']}: it names a plan that does not cut it"
