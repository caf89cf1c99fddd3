"""A pane that was handed over does not change: it is what was signed for and charged.

Its hand-over is undone first. A claim about it is recorded beside it.
"""

from collections.abc import Collection, Iterable, Mapping

from bson import ObjectId

from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import listed
from glassflow.domain.deliveries import DeliveryStatus
from glassflow.domain.errors import Conflict
from glassflow.models.delivery import Delivery
from glassflow.models.pane import Pane

DELIVERED_AT = "deliveredAt"
# Stored fields that may change: remarks, and where its glass came from.
CHANGEABLE = frozenset({"notes", "material", "inventory", "withdrawal"})


class PaneDelivered(Conflict):
    """Panes were handed over, so they are not changed or deleted.

    `deliveries` are the numbers of their deliveries by the numbers of the panes, None for
    a pane that was noted as delivered by hand.
    """

    code = "PANE_DELIVERED"

    def __init__(self, deliveries: Mapping[str, str | None]) -> None:
        super().__init__(
            texts.PANE_DELIVERED.format(
                panes=listed(
                    texts.DELIVERED_WITH.format(number=pane, delivery=delivery)
                    if delivery
                    else texts.NOTED_AS_DELIVERED.format(number=pane)
                    for pane, delivery in deliveries.items()
                )
            ),
            details={
                "panes": [
                    {"paneNumber": pane, "delivery": delivery}
                    for pane, delivery in deliveries.items()
                ]
            },
        )


def require_none(panes: Iterable[Raw], *, deleted: Collection[ObjectId] = ()) -> None:
    """Raise `PaneDelivered` if one of these panes, in stored form, was handed over.

    `deleted` are deliveries that are deleted with the panes. One query, if a pane was
    handed over.
    """
    delivered = {
        one["_id"]: one["paneNumber"] for one in panes if one.get(DELIVERED_AT)
    }
    if not delivered:
        return
    found: dict[str, str | None] = dict.fromkeys(delivered.values())
    for delivery in _deliveries_of(delivered):
        for pane in delivery["panes"]:
            number = delivered.get(pane)
            if number and delivery["_id"] in deleted:
                found.pop(number, None)
            elif number:
                found[number] = delivery.get("deliveryNumber")
    if found:
        raise PaneDelivered(found)


def require_changeable(pane: Pane, stored: Raw) -> None:
    """Raise `PaneDelivered` for a change of a pane that was handed over.

    `pane` is as it would be stored, `stored` as it is stored. The note that it was
    delivered may be taken back where no delivery has set it. A part of a laminated pane
    was handed over with that pane.
    """
    changed = pane.changed_fields() - CHANGEABLE
    if not changed:
        return
    if stored.get("mergedInto"):
        query = {"_id": stored["mergedInto"]}
        found = Pane.collection().find_one(query, {"paneNumber": 1, DELIVERED_AT: 1})
        require_none([found] if found else [])
    if not stored.get(DELIVERED_AT):
        return
    is_noted = not list(_deliveries_of([pane.pk]))
    if is_noted and (pane.delivered_at is None or changed == {DELIVERED_AT}):
        return
    require_none([stored])


def _deliveries_of(panes: Collection[ObjectId]) -> Iterable[Raw]:
    query = {"panes": {"$in": list(panes)}, "status": str(DeliveryStatus.DELIVERED)}
    return Delivery.collection().find(query, {"deliveryNumber": 1, "panes": 1})
