"""The planned delivery of a pane follows the pane that takes its place.

A remake takes the place of the pane that failed, the laminated pane that of its parent.
"""

from bson import ObjectId

from glassflow.domain.deliveries import DeliveryStatus
from glassflow.models.delivery import Delivery
from glassflow.services import records


def hand_on(pane: ObjectId, successor: ObjectId) -> None:
    """Put a pane on a planned delivery in the place of another one, if that is on any.

    Call it inside the unit of work that stores both panes.
    """
    query = {"panes": pane, "status": str(DeliveryStatus.PLANNED)}
    delivery = Delivery.find_one(query)
    if delivery is None:
        return
    delivery.panes = [successor if one == pane else one for one in delivery.panes]
    delivery.loaded_panes = [one for one in delivery.loaded_panes if one != pane]
    records.save_all([delivery])
