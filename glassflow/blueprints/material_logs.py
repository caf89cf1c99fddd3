"""Material logs: the stock book, and people's notes in it."""

from glassflow.core.channel import Channel
from glassflow.models.material_log import MaterialLog
from glassflow.schemas.material_log import MaterialLogSchema
from glassflow.services import material_logs
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="material-logs",
    model=MaterialLog,
    schema=MaterialLogSchema(),
    keys=Keys.of("material_logs"),
    channel=Channel("log:updated", rooms=("dashboard", "log")),
    update_with=material_logs.update,
    delete_with=material_logs.delete,
    aliases={"materialId": "material"},
)
blueprint = resource.blueprint()
