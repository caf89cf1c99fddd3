"""Assignments: a worker is told of an order or a request that others assign to them."""

from glassflow.core.identity import Identity
from glassflow.domain import texts
from glassflow.domain.errors import Refusal
from glassflow.models.order import Order
from glassflow.models.request import Request
from glassflow.models.worker import Worker
from glassflow.services import records
from glassflow.services.notices import announcements


def notify(record: Order | Request, *, actor: Identity | None) -> None:
    """Notify the worker to whom the actor, None for the service, assigns a record.

    Call it in the unit of work that stores the record, before it is saved. An assignee
    who stays is neither notified nor refused, and nobody is notified of what they assign
    to themselves. Raises `Refusal` for a worker who is not active.
    """
    if not record.assigned_to or not record.is_changed_in("assignedTo"):
        return
    # Without a lock: who is deactivated meanwhile keeps what they have, in either order.
    worker = records.load(Worker, record.assigned_to)
    if not worker.is_active:
        raise Refusal(
            texts.WORKER_INACTIVE,
            code="WORKER_INACTIVE",
            details={"assignedTo": str(worker.pk)},
        )
    if actor is None or worker.pk != actor.worker_id:
        announcements.assigned(record, recipient=worker.pk)
