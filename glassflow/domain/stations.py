"""Stations: their statuses and the colours that boards show them in."""

from enum import StrEnum


class StationStatus(StrEnum):
    """Whether a station works; one in maintenance takes no panes in."""

    ONLINE = "online"
    OFFLINE = "offline"
    MAINTENANCE = "maintenance"


class StationColor(StrEnum):
    """The names of the colours that a screen has for stations."""

    SKY = "sky"
    BLUE = "blue"
    VIOLET = "violet"
    PINK = "pink"
    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    TEAL = "teal"
    SLATE = "slate"
