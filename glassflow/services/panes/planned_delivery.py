"""The delivery on which a pane is planned, or waits, follows the pane that takes its place.

A remake takes the place of the pane that failed, the laminated pane that of its parent.
"""

from bson import ObjectId

from glassflow.domain.deliveries import DeliveryStatus
from glassflow.models.delivery import Delivery
from glassflow.services import records


def hand_on(pane: ObjectId, successor: ObjectId) -> None:
    """Put a pane on a delivery in the place of another one, if that is planned or waits there.

    Call it inside the unit of work that stores both panes.
    """
    planned = {"panes": pane, "status": str(DeliveryStatus.PLANNED)}
    query = {"$or": [planned, {"missingPanes": pane}]}
    delivery = Delivery.find_one(query)
    if delivery is None:
        return
    for name in ("panes", "missing_panes"):
        delivery[name] = [successor if one == pane else one for one in delivery[name]]
    delivery.loaded_panes = [one for one in delivery.loaded_panes if one != pane]
    records.store(delivery)
