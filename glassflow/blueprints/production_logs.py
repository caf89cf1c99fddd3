"""Production logs: reports of the work at stations."""

from glassflow.domain import error_codes
from glassflow.models.production_log import ProductionLog
from glassflow.schemas.production_log import ProductionLogSchema
from glassflow.web.event_route import EventRoute
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="production-logs",
    model=ProductionLog,
    schema=ProductionLogSchema(),
    codes=tuple(error_codes.WORK),
    keys=Keys.of("production_logs"),
    events=EventRoute("production-log:updated", rooms=("dashboard", "production")),
)
blueprint = resource.blueprint()
