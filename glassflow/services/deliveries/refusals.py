"""Why a delivery is not changed, and why panes are not planned, loaded or handed over."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import listed
from glassflow.domain.deliveries import Obstacle
from glassflow.domain.errors import Conflict, Forbidden
from glassflow.models.delivery import Delivery


class PaneObstacle(NamedTuple):
    """A pane and why it is not taken; `delivery` is the number of the one it is on."""

    number: str
    obstacle: Obstacle
    delivery: str = ""

    def details(self) -> dict[str, Any]:
        """Return the obstacle as clients read it."""
        shown = {"paneNumber": self.number, "reason": str(self.obstacle)}
        return {**shown, "delivery": self.delivery} if self.delivery else shown


class PanesRefused(Conflict):
    """Panes cannot be planned, loaded or handed over; nothing is changed."""

    code = "PANES_REFUSED"

    def __init__(self, obstacles: list[PaneObstacle]) -> None:
        super().__init__(
            texts.PANES_REFUSED.format(
                panes=listed(
                    texts.PANE_OBSTACLES[one.obstacle].format(
                        number=one.number, delivery=one.delivery
                    )
                    for one in obstacles
                )
            ),
            details={"panes": [one.details() for one in obstacles]},
        )


class Place(NamedTuple):
    """An address, and the panes in stored form that go there."""

    address: str
    panes: list[Raw]


class SeveralPlaces(Conflict):
    """Panes go to several places, and no address was given for all of them."""

    code = "SEVERAL_PLACES"

    def __init__(self, places: Sequence[Place]) -> None:
        super().__init__(
            texts.SEVERAL_PLACES.format(
                places=" / ".join(one.address or "–" for one in places)
            ),
            details={
                "places": [
                    {
                        "address": one.address,
                        "panes": [
                            {"_id": pane["_id"], "paneNumber": pane["paneNumber"]}
                            for pane in one.panes
                        ],
                    }
                    for one in places
                ]
            },
        )


class AlreadyDelivered(Conflict):
    """The panes of the delivery have been handed over, so it does not change."""

    code = "ALREADY_DELIVERED"

    def __init__(self, delivery: Delivery) -> None:
        super().__init__(
            texts.ALREADY_DELIVERED.format(number=delivery.delivery_number),
            details={"deliveredAt": delivery.delivered_at},
        )


class NotDelivered(Conflict):
    """There is no hand-over to undo."""

    code = "NOT_DELIVERED"

    def __init__(self, delivery: Delivery) -> None:
        super().__init__(texts.NOT_DELIVERED.format(number=delivery.delivery_number))


class HandOverFinal(Conflict):
    """The time in which the hand-over could be undone is over."""

    code = "HAND_OVER_FINAL"

    def __init__(self, delivery: Delivery, until: datetime) -> None:
        super().__init__(
            texts.HAND_OVER_FINAL.format(number=delivery.delivery_number),
            details={"undoableUntil": until},
        )


class NotOwnHandOver(Forbidden):
    """Another worker has recorded the hand-over; `orders:manage` may undo that too."""

    code = "NOT_OWN_HAND_OVER"
