"""The delivery on which a pane is planned, or waits, follows the pane that takes its place.

A remake takes the place of the pane that failed, the laminated pane that of its parent.
"""

from collections.abc import Mapping

from bson import ObjectId

from glassflow.domain.deliveries import DeliveryStatus
from glassflow.models.delivery import Delivery
from glassflow.services import records


def hand_on(successors: Mapping[ObjectId, ObjectId]) -> None:
    """Put panes on deliveries in the places of others, if those are planned or wait there.

    `successors` has the pane that takes the place of each. Call it inside the unit of work
    that stores the panes.
    """
    gone = {"$in": list(successors)}
    planned = {"panes": gone, "status": str(DeliveryStatus.PLANNED)}
    deliveries = Delivery.find_many({"$or": [planned, {"missingPanes": gone}]})
    for delivery in deliveries:
        for name in ("panes", "missing_panes"):
            delivery[name] = [successors.get(one, one) for one in delivery[name]]
        delivery.loaded_panes = [
            one for one in delivery.loaded_panes if one not in successors
        ]
    records.store(*deliveries)
