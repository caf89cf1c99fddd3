"""Material logs: notes can change, entries that the service wrote cannot."""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import Conflict
from glassflow.models.material_log import MaterialLog
from glassflow.services import records
from glassflow.services.records import references


@unit_of_work
def update(
    *,
    model: type[MaterialLog],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> MaterialLog:
    """Change a note. Raises `Conflict` for an entry written by the service."""
    entry = records.load(MaterialLog, record_id)
    references.require_exist(
        references.references_in(MaterialLog, values, stored=entry)
    )
    records.apply_changes(entry, values)
    if entry.is_changed and entry.by_service:
        raise Conflict(texts.LEDGER_ENTRY_IMMUTABLE, code="IMMUTABLE_LOG")
    records.store(entry)
    return entry
