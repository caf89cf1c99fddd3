"""The setting `EVENT_ROOMS`: rooms that hear an event besides those of the interface."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from glassflow.services.events.room_map import ROOM_EVENTS, AnnouncedModel, MessageRoute
from glassflow.settings_rules import SettingsError

ROOMS = tuple(row.room for row in ROOM_EVENTS)
EventRooms = Mapping[str, Sequence[str]]


def check_event_rooms(
    event_rooms: EventRooms,
    models: Iterable[AnnouncedModel],
    routes: Mapping[str, MessageRoute],
) -> None:
    """Raise `SettingsError` unless all events and rooms of the setting exist.

    An event that every client receives, whatever its worker holds, has no more rooms.
    """
    known = {model.events.event for model in models}
    known |= {name for name, route in routes.items() if route.key is not None}
    for event, rooms in event_rooms.items():
        if event not in known:
            raise SettingsError(
                f"EVENT_ROOMS names the event {event!r}, which is none of "
                f"{', '.join(sorted(known))}."
            )
        for room in rooms:
            if room not in ROOMS:
                raise SettingsError(
                    f"EVENT_ROOMS names the room {room!r}, which is none of "
                    f"{', '.join(ROOMS)}."
                )


def with_rooms(
    event_rooms: EventRooms, models: Iterable[AnnouncedModel]
) -> list[AnnouncedModel]:
    """Return the models, whose events also go to the rooms of the setting."""
    return [
        model._replace(
            events=replace(
                model.events,
                rooms=_merged(model.events.rooms, event_rooms.get(model.events.event)),
            )
        )
        for model in models
    ]


def routes_with_rooms(
    event_rooms: EventRooms, routes: Mapping[str, MessageRoute]
) -> dict[str, MessageRoute]:
    """Return the routes by event name, which also lead to the rooms of the setting."""
    return {
        name: route._replace(rooms=_merged(route.rooms, event_rooms.get(name)))
        for name, route in routes.items()
    }


def _merged(rooms: Sequence[str], more: Sequence[str] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*rooms, *(more or ())]))
