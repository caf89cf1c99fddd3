"""Deliveries: panes that are handed over to a customer together.

A delivery is planned until panes of it are handed over, or come back. A pane is on one
planned delivery at most. What came back waits: it is handed over with a further hand-over
of the delivery, or planned again. A hand-over may be undone for an hour by the worker who
recorded it, and by order managers; later by order managers only, with a reason.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Any

from glassflow.domain.panes.status import LaminateRole, Status

UNDO_WINDOW = timedelta(hours=1)
MAX_PHOTOS = 5
MAX_LEFT_PHOTOS = 2  # of a pane that came back
MAX_PANES = 1000

_RETIRED = frozenset({Status.MERGED_INTO, Status.DEFECTED, Status.CANCELLED})


class DeliveryStatus(StrEnum):
    """Where a delivery is."""

    PLANNED = "planned"
    DELIVERED = "delivered"
    RETURNED = "returned"


class LeftReason(StrEnum):
    """Why a pane was not handed over; `later` is with another vehicle or trip."""

    BROKEN = "broken"
    REFUSED = "refused"
    ABSENT = "absent"
    FORGOTTEN = "forgotten"
    DOES_NOT_FIT = "does_not_fit"
    LATER = "later"


# Reasons after which a loaded pane is still on the vehicle.
ON_VEHICLE = frozenset({None, LeftReason.ABSENT, LeftReason.LATER})


class PaneState(StrEnum):
    """What a pane of a delivery is to the person who loads it."""

    READY = "ready"
    UNFINISHED = "unfinished"
    CLAIMED = "claimed"
    LOST = "lost"
    DELIVERED = "delivered"


class Obstacle(StrEnum):
    """Why a pane is not planned, loaded or handed over."""

    UNFINISHED = "unfinished"
    CLAIMED = "claimed"
    LOST = "lost"
    DELIVERED = "delivered"
    SHEET = "sheet"
    OTHER_CUSTOMER = "other_customer"
    OTHER_DELIVERY = "other_delivery"
    NOT_PLANNED = "not_planned"


def state_of(pane: Mapping[str, Any]) -> PaneState:
    """Return the state of a pane in stored form.

    A finished pane with an open claim is not handed over before the claim is decided. Lost
    is a pane that was scrapped, cancelled, or written off by an approved claim.
    """
    status = pane["currentStatus"]
    if pane.get("deliveredAt"):
        return PaneState.DELIVERED
    if status in _RETIRED or pane.get("writtenOff"):
        return PaneState.LOST
    if status == Status.CLAIMED or pane.get("heldFrom"):
        return PaneState.CLAIMED
    return PaneState.READY if status == Status.COMPLETED else PaneState.UNFINISHED


Judge = Callable[[Mapping[str, Any]], Obstacle | None]


def obstacle_to_planning(pane: Mapping[str, Any]) -> Obstacle | None:
    """Return why a pane in stored form cannot be on a delivery, None where it can.

    An unfinished one can: it is expected to be finished on the day.
    """
    if pane.get("laminateRole") == LaminateRole.SHEET:
        return Obstacle.SHEET
    state = state_of(pane)
    if state in (PaneState.LOST, PaneState.DELIVERED):
        return Obstacle(state)
    return None


def obstacle_to_handing_over(pane: Mapping[str, Any]) -> Obstacle | None:
    """Return why a pane in stored form cannot be loaded or handed over."""
    state = state_of(pane)
    return None if state == PaneState.READY else Obstacle(state)
