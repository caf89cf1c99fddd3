"""Customers of the workshop."""

from glassflow.models.customer import Customer
from glassflow.schemas.customer import CustomerSchema
from glassflow.services import records
from glassflow.web.import_rows import ImportRows
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="customers",
    model=Customer,
    schema=CustomerSchema(),
    keys=Keys.of("customers"),
    create_all_with=records.create_all,
    importing=ImportRows(),
)
blueprint = resource.blueprint()
