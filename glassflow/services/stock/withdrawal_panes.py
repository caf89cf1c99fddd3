"""The panes of a withdrawal: of its order, in open work, and marked as withdrawn."""

from collections.abc import Collection, Sequence

from bson import ObjectId

from glassflow.domain import texts
from glassflow.domain.errors import Refusal
from glassflow.domain.stock import WithdrawalStatus
from glassflow.models.pane import Pane
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import open_work, records


def require_same_order(withdrawal: Withdrawal) -> None:
    """Raise `Refusal` if one of the panes does not belong to the withdrawal's order."""
    if not (withdrawal.order and withdrawal.panes):
        return
    query = {"_id": {"$in": withdrawal.panes}}
    for row in Pane._get_collection().find(query, {"order": 1, "paneNumber": 1}):
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
        for row in Pane._get_collection().find(query, {"order": 1, "request": 1}):
            orders.add(row.get("order"))
            requests.add(row.get("request"))
    open_work.require_open(orders=orders, requests=requests)


def sync_marks(withdrawal: Withdrawal, before: Collection[ObjectId] = ()) -> None:
    """Mark the panes that were added to the withdrawal, and unmark those removed.

    `before` are the panes that were marked before. Of several withdrawals that name a
    pane, the pane shows the last.
    """
    marked = marked_panes(withdrawal)
    affected = list(set(before).symmetric_difference(marked))
    changed = []
    for pane in Pane.objects(pk__in=affected) if affected else ():
        if pane.pk in marked:
            pane.withdrawal, pane.is_withdrawn = withdrawal.pk, True
        elif pane.withdrawal == withdrawal.pk:
            pane.withdrawal, pane.is_withdrawn = None, False
        else:
            continue
        changed.append(pane)
    records.save_all(changed)


def unmark(withdrawals: Sequence[Withdrawal]) -> None:
    """Unmark the panes of withdrawals that are deleted."""
    ids = {one.pk for one in withdrawals}
    marked = list({pane for one in withdrawals for pane in marked_panes(one)})
    found = Pane.objects(pk__in=marked) if marked else ()
    changed = [pane for pane in found if pane.withdrawal in ids]
    for pane in changed:
        pane.withdrawal, pane.is_withdrawn = None, False
    records.save_all(changed)


def marked_panes(withdrawal: Withdrawal) -> list[ObjectId]:
    """List the panes that a withdrawal marks; a rejected one marks none."""
    return (
        [] if withdrawal.status == WithdrawalStatus.REJECTED else list(withdrawal.panes)
    )
