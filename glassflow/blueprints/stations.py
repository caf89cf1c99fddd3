"""Stations: where panes are worked on."""

from glassflow.core.channel import Channel
from glassflow.models.station import Station
from glassflow.schemas.station import StationSchema
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="stations",
    model=Station,
    schema=StationSchema(),
    keys=Keys.of("stations"),
    channel=Channel("station:updated", rooms=("dashboard", "station")),
)
blueprint = resource.blueprint()
