"""Material logs: the stock ledger, and notes in it."""

from glassflow.models.material_log import MaterialLog
from glassflow.schemas.material_log import MaterialLogSchema
from glassflow.services.events.event_route import EventRoute
from glassflow.services.stock import material_logs
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="material-logs",
    model=MaterialLog,
    schema=MaterialLogSchema(),
    keys=Keys.of("material_logs"),
    events=EventRoute("log:updated", rooms=("dashboard", "log")),
    update_with=material_logs.update,
    aliases={"materialId": "material"},
    codes=("IMMUTABLE_LOG",),
)
blueprint = resource.blueprint()
