"""Station templates: the layouts of station screens."""

from glassflow.models.station_template import StationTemplate
from glassflow.schemas.station_template import StationTemplateSchema
from glassflow.services.events.event_route import EventRoute
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="station-templates",
    model=StationTemplate,
    schema=StationTemplateSchema(),
    keys=Keys.of("station_templates"),
    events=EventRoute("station-template:updated", rooms=("dashboard", "station")),
)
blueprint = resource.blueprint()
