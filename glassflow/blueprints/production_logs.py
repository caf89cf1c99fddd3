"""Production logs: what was done at a station."""

from glassflow.core.channel import Channel
from glassflow.models.production_log import ProductionLog
from glassflow.schemas.production_log import ProductionLogSchema
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="production-logs",
    model=ProductionLog,
    schema=ProductionLogSchema(),
    keys=Keys.of("production_logs"),
    channel=Channel("production-log:updated", rooms=("dashboard", "production")),
)
blueprint = resource.blueprint()
