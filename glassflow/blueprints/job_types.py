"""Job types: kinds of work."""

from glassflow.models.job_type import JobType
from glassflow.schemas.job_type import JobTypeSchema
from glassflow.services.events.event_route import EventRoute
from glassflow.web.import_rows import ImportRows
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="job-types",
    model=JobType,
    schema=JobTypeSchema(),
    keys=Keys.of("job_types"),
    events=EventRoute("jobType:updated", rooms=("dashboard",)),
    importing=ImportRows(),
)
blueprint = resource.blueprint()
