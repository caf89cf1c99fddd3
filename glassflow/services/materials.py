"""Materials: a reorder point that is raised can make one low without any movement."""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.models.material import Material
from glassflow.services import low_stock, records
from glassflow.services.identity import Identity

JUDGED_BY = ("reorder_point", "is_active")


@unit_of_work
def update(
    *,
    model: type[Material],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Material:
    """Change a material. Raises `NotFound`, `UnknownReference`.

    If it is low from now on, those who see to it are notified; the event is that of
    every change.
    """
    if not any(name in values for name in JUDGED_BY):
        return records.update(
            model=Material, record_id=record_id, values=values, actor=actor
        )
    with low_stock.watched(record_id, announce=False):
        return records.update(
            model=Material, record_id=record_id, values=values, actor=actor
        )
