"""Job types: kinds of work."""

from glassflow.core.channel import Channel
from glassflow.models.job_type import JobType
from glassflow.schemas.job_type import JobTypeSchema
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="job-types",
    model=JobType,
    schema=JobTypeSchema(),
    keys=Keys.of("job_types"),
    channel=Channel("jobType:updated", rooms=("dashboard",)),
)
blueprint = resource.blueprint()
