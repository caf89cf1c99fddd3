"""Production logs: reports of the work at stations."""

from glassflow.models.production_log import ProductionLog
from glassflow.schemas.production_log import ProductionLogSchema
from glassflow.services import production_logs
from glassflow.services.events.event_route import EventRoute
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="production-logs",
    model=ProductionLog,
    schema=ProductionLogSchema(),
    create_with=production_logs.create,
    update_with=production_logs.update,
    codes=("OTHER_ORDER",),
    keys=Keys.of("production_logs"),
    events=EventRoute("production-log:updated", rooms=("dashboard", "production")),
)
blueprint = resource.blueprint()
