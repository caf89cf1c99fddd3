"""Stations: where panes are worked on."""

from glassflow.models.station import Station
from glassflow.schemas.station import StationSchema
from glassflow.services import calls
from glassflow.services.events.event_route import EventRoute
from glassflow.web.import_rows import ImportRows
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="stations",
    model=Station,
    schema=StationSchema(),
    keys=Keys.of("stations"),
    events=EventRoute("station:updated", rooms=("dashboard", "station")),
    create_with=calls.create_station,
    update_with=calls.update_station,
    importing=ImportRows(),
)
blueprint = resource.blueprint()
