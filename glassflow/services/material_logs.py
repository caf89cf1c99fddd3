"""The stock book's entries: people's notes can change, the service's own cannot."""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import Conflict
from glassflow.models.material_log import MaterialLog
from glassflow.services import deletion, records
from glassflow.services.identity import Identity


@unit_of_work
def update(
    *,
    model: type[MaterialLog],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> MaterialLog:
    """Change a note. Raises `Conflict` for an entry that the service wrote."""
    _refuse_if_written_by_service(record_id)
    return records.update(
        model=MaterialLog, record_id=record_id, values=values, actor=actor
    )


@unit_of_work
def delete(
    *, model: type[MaterialLog], ids: Sequence[ObjectId], actor: Identity
) -> int:
    """Delete notes. Raises `Conflict` if the service wrote one of them."""
    for record_id in ids:
        _refuse_if_written_by_service(record_id)
    return deletion.delete(model=MaterialLog, ids=ids, actor=actor)


def _refuse_if_written_by_service(record_id: ObjectId) -> None:
    if records.get(MaterialLog, record_id).by_service:
        raise Conflict(
            "An entry that goes with a change of stock cannot be changed or deleted",
            code="IMMUTABLE_LOG",
        )
