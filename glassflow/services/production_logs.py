"""Production logs: each is about a pane of its order, and ends after it begins."""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import FieldFault, Invalid, Refusal
from glassflow.models.pane import Pane
from glassflow.models.production_log import ProductionLog
from glassflow.services import records
from glassflow.services.records import references


@unit_of_work
def create(
    *, model: type[ProductionLog], values: Mapping[str, Any], actor: Identity
) -> ProductionLog:
    """Create a production log.

    Raises `UnknownReference`, `Invalid` for an end before the begin, and `Refusal` for a
    pane of another order or of none.
    """
    references.require_exist(references.references_in(ProductionLog, values))
    log = records.new(ProductionLog, values)
    _check(log)
    records.store(log)
    return log


@unit_of_work
def update(
    *,
    model: type[ProductionLog],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> ProductionLog:
    """Change a production log; raises what `create` raises, and `NotFound`.

    Times, pane and order are judged only where they change: the pane may have moved to
    another order since.
    """
    log = records.load(ProductionLog, record_id)
    references.require_exist(references.references_in(ProductionLog, values))
    records.apply_changes(log, values)
    _check(log)
    records.store(log)
    return log


def _check(log: ProductionLog) -> None:
    if log.is_changed_in("startedAt", "completedAt"):
        _require_end_after_begin(log)
    if log.is_changed_in("pane", "order"):
        _require_pane_of_order(log)


def _require_end_after_begin(log: ProductionLog) -> None:
    begin, end = log.started_at, log.completed_at
    if begin and end and end < begin:
        message = texts.BEFORE_BEGIN.format(begin="startedAt")
        fault: FieldFault = {"field": "completedAt", "message": message}
        raise Invalid([fault])


def _require_pane_of_order(log: ProductionLog) -> None:
    pane = records.read_raw(Pane, log.pane)
    if pane.get("order") != log.order:
        raise Refusal(
            texts.PANE_OF_OTHER_ORDER,
            code="OTHER_ORDER",
            details={"paneNumber": pane.get("paneNumber")},
        )
