"""Materials: a raised reorder point can make one low without any movement."""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.models.material import Material
from glassflow.services import records
from glassflow.services.stock import low_stock


@unit_of_work
def update(
    *,
    model: type[Material],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Material:
    """Change a material. Raises `NotFound`.

    If the material becomes low, the stock managers are notified; the event is the one
    of every change.
    """
    material = records.load(Material, record_id)
    before = (material.reorder_point, material.is_active)
    records.apply_changes(material, values)
    judged_anew = (material.reorder_point, material.is_active) != before
    was_low = judged_anew and low_stock.shortages([record_id])
    records.store(material)
    if judged_anew and not was_low and (low := low_stock.shortages([record_id])):
        low_stock.notify(low)
    return material
