"""Deliveries: panes that are handed over to a customer together.

A delivery is planned until its panes are handed over. A pane is on one planned delivery at
most. What was not handed over stays open: it may be planned again. The hand-over may be
undone for an hour by the worker who recorded it, and by order managers; later by order
managers only, with a reason.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Any

from glassflow.domain.panes.status import LaminateRole, Status

UNDO_WINDOW = timedelta(hours=1)
MAX_PHOTOS = 5
MAX_PANES = 1000

_RETIRED = frozenset({Status.MERGED_INTO, Status.DEFECTED, Status.CANCELLED})


class DeliveryStatus(StrEnum):
    """Where a delivery is."""

    PLANNED = "planned"
    DELIVERED = "delivered"


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
