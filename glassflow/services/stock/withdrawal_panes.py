"""The panes of a withdrawal: of its order, in open work, and named by them in turn.

A pane is withdrawn (`isWithdrawn`) while it names a withdrawal, whichever way it came to.
"""

from collections.abc import Collection, Sequence

from bson import ObjectId

from glassflow.core.store import locks
from glassflow.domain import texts
from glassflow.domain.errors import Refusal
from glassflow.domain.stock import WithdrawalDecided, WithdrawalStatus
from glassflow.models.pane import Pane
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import cancelled_guard, records


def settle_order(withdrawal: Withdrawal) -> None:
    """Set the order of a withdrawal without one to that of all its panes, if they have one.

    So it is rejected if that order is cancelled. Raises `Refusal` if one of the panes does
    not belong to the withdrawal's order.
    """
    if not withdrawal.panes:
        return
    query = {"_id": {"$in": withdrawal.panes}}
    rows = list(Pane.collection().find(query, {"order": 1, "paneNumber": 1}))
    if withdrawal.order is None:
        orders = {row.get("order") for row in rows}
        withdrawal.order = orders.pop() if len(orders) == 1 else None
        return
    for row in rows:
        if row.get("order") != withdrawal.order:
            raise Refusal(
                texts.PANE_OF_OTHER_ORDER,
                code="OTHER_ORDER",
                details={"paneNumber": row.get("paneNumber")},
            )


def require_open_work(withdrawal: Withdrawal) -> None:
    """Raise `OrderCancelled` or `RequestCancelled` if its order or panes are cancelled."""
    orders, requests = {withdrawal.order}, set()
    if withdrawal.panes:
        query = {"_id": {"$in": withdrawal.panes}}
        for row in Pane.collection().find(query, {"order": 1, "request": 1}):
            orders.add(row.get("order"))
            requests.add(row.get("request"))
    cancelled_guard.require_open(orders=orders, requests=requests)


def sync_marks(withdrawal: Withdrawal, before: Collection[ObjectId] = ()) -> None:
    """Let the panes that were added to the withdrawal name it, and not those removed.

    `before` are its panes before. A rejected one is named by no pane, whichever way the
    pane came to name it. Of several withdrawals with a pane, the pane names the last.
    """
    if withdrawal.status == WithdrawalStatus.REJECTED:
        unmark([withdrawal])
        return
    affected = list(set(before).symmetric_difference(withdrawal.panes))
    changed = []
    for pane in Pane.objects(pk__in=affected) if affected else ():
        if pane.pk in withdrawal.panes:
            pane.withdrawal = withdrawal.pk
        elif pane.withdrawal == withdrawal.pk:
            pane.withdrawal = None
        else:
            continue
        changed.append(pane)
    records.store(*changed)


def unmark(withdrawals: Sequence[Withdrawal]) -> None:
    """Let no pane name these withdrawals, which are rejected or deleted."""
    ids = [one.pk for one in withdrawals]
    changed = list(Pane.objects(withdrawal__in=ids)) if ids else []
    for pane in changed:
        pane.withdrawal = None
    records.store(*changed)


def require_not_rejected(withdrawal_id: ObjectId) -> None:
    """Raise `WithdrawalDecided` if a withdrawal that a pane is to name is rejected.

    Writes the withdrawal, so that a rejection at the same time conflicts.
    """
    found = locks.touch_and_read(Withdrawal, withdrawal_id)
    if found is not None and found["status"] == WithdrawalStatus.REJECTED:
        raise WithdrawalDecided(found["status"])
