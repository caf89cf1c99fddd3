"""Workers of the workshop, who log in, scan and are notified."""

from glassflow.models.worker import Worker
from glassflow.schemas.worker import WorkerSchema
from glassflow.services import workers
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="workers",
    model=Worker,
    schema=WorkerSchema(),
    keys=Keys.of("workers"),
    create_with=workers.create,
    update_with=workers.update,
    delete_with=workers.delete,
)
blueprint = resource.blueprint()
