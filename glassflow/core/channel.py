"""How a record's changes are named on the floor: the event, and the rooms it goes to."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Channel:
    """A row of the data events table; a resource's card declares it.

    `rooms` are room names (`dashboard`, `order`). `station_field` is the stored field
    that holds the id of the station whose room, `station:<id>`, hears of it too.
    `bare` sends the record itself, without the `{action, data}` wrapper.
    """

    event: str
    rooms: tuple[str, ...] = ()
    station_field: str | None = None
    bare: bool = False
