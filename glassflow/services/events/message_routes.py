"""Where live events go: one row for each class of `core.store.live_events.LiveEvent`.

The table is checked when this module is imported, so that the service does not start
with an event that no client would receive.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields

from glassflow.core.store.live_events import LiveEvent, event_classes
from glassflow.services.events.room_map import EVERYBODY, STATION_KEY, MessageRoute
from glassflow.services.notices.events import (
    CheckInConfirmed,
    OrderCheckedIn,
    PaneArrived,
    PanesLaminated,
    SheetsReady,
    SheetsWaiting,
    StationNotification,
    SystemAlert,
)

Routes = Mapping[type[LiveEvent], MessageRoute]

_PANE_ROOMS = ("dashboard", "pane", "production")
# The interface's tables of movement and notification events.
MESSAGE_ROUTES: Routes = {
    PaneArrived: MessageRoute("panes:view", rooms=("station",)),
    SheetsReady: MessageRoute("panes:view", rooms=_PANE_ROOMS),
    SheetsWaiting: MessageRoute("panes:view"),
    PanesLaminated: MessageRoute(
        "panes:view", rooms=_PANE_ROOMS, panes=("survivor", "parent")
    ),
    OrderCheckedIn: MessageRoute("orders:view"),
    StationNotification: MessageRoute(STATION_KEY),
    CheckInConfirmed: MessageRoute(STATION_KEY),
    SystemAlert: MessageRoute(None, rooms=(EVERYBODY,)),
}


def check_routes(routes: Routes, classes: Iterable[type[LiveEvent]]) -> None:
    """Raise `TypeError` unless routes and event classes match one to one.

    Event names have to be unique, because the outbox stores an event under its name,
    and the panes of a route have to be fields of its class.
    """
    classes = set(classes)
    problems = [f"{cls.__name__} has no route" for cls in classes - routes.keys()]
    for cls in routes.keys() - classes:
        problems.append(f"{cls.__name__} has a route, but is no event class")
    names = [cls.event_name for cls in classes]
    for name in {name for name in names if names.count(name) > 1}:
        problems.append(f"{name} is the name of several event classes")
    for cls, route in routes.items():
        for member in set(route.panes) - {field.name for field in fields(cls)}:
            problems.append(f"{cls.__name__} has no field {member}")
    if problems:
        raise TypeError("; ".join(sorted(problems)))


check_routes(MESSAGE_ROUTES, event_classes())
# Stored messages have the name of their event.
ROUTES_BY_NAME: Mapping[str, MessageRoute] = {
    cls.event_name: route for cls, route in MESSAGE_ROUTES.items()
}
