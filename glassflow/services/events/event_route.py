"""How the changes of a record are announced: the event's name and its rooms."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EventRoute:
    """A row of the data events table; a resource declares it as `events=`.

    `rooms` are room names (`dashboard`, `order`). `station_field` is the stored field
    that holds the id of a station; the event goes to the room of that station too,
    `station:<id>`. With `bare` the payload is the record itself, without the wrapper
    `{action, data}`. `actions` are those besides created, updated and deleted.
    """

    event: str
    rooms: tuple[str, ...] = ()
    station_field: str | None = None
    bare: bool = False
    actions: tuple[str, ...] = ()
