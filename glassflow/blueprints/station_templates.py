"""Station templates: what a station's screen shows."""

from glassflow.core.channel import Channel
from glassflow.models.station_template import StationTemplate
from glassflow.schemas.station_template import StationTemplateSchema
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="station-templates",
    model=StationTemplate,
    schema=StationTemplateSchema(),
    keys=Keys.of("station_templates"),
    channel=Channel("station-template:updated", rooms=("dashboard", "station")),
)
blueprint = resource.blueprint()
