"""Panes that a withdrawal names: they belong to its order, and say who took for them."""

from collections.abc import Collection

from bson import ObjectId

from glassflow.core import outbox
from glassflow.domain.errors import Refusal
from glassflow.domain.stock import REJECTED
from glassflow.models.pane import Pane
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import records
from glassflow.services.representation import stored


def refuse_strangers(withdrawal: Withdrawal) -> None:
    """Raise `Refusal` if one of the panes is not of the order that is named."""
    if not (withdrawal.order and withdrawal.panes):
        return
    query = {"_id": {"$in": withdrawal.panes}}
    for row in Pane._get_collection().find(query, {"order": 1, "paneNumber": 1}):
        if row.get("order") != withdrawal.order:
            raise Refusal(
                "The pane does not belong to the order",
                code="OTHER_ORDER",
                facts={"paneNumber": row.get("paneNumber")},
            )


def follow(withdrawal: Withdrawal, before: Collection[ObjectId] = ()) -> None:
    """Let the panes that came to be named say who took for them, those dropped not.

    `before` are those that were marked already. Of several withdrawals that name a
    pane, it says the last.
    """
    named = marked(withdrawal)
    concerned = list(set(before).symmetric_difference(named))
    changed = []
    for pane in Pane.objects(pk__in=concerned) if concerned else ():
        if pane.pk in named:
            pane.withdrawal, pane.is_withdrawn = withdrawal.pk, True
        elif pane.withdrawal == withdrawal.pk:
            pane.withdrawal, pane.is_withdrawn = None, False
        else:
            continue
        pane.stamp()
        outbox.record("Pane", stored(pane), "updated")
        changed.append(pane)
    records.replace_all(changed)


def marked(withdrawal: Withdrawal) -> list[ObjectId]:
    """List the panes that a withdrawal takes for; a rejected one takes for nobody."""
    return [] if withdrawal.status == REJECTED else list(withdrawal.panes)
