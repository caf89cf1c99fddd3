"""Customers of the workshop."""

from glassflow.models.customer import Customer
from glassflow.schemas.customer import CustomerSchema
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="customers",
    model=Customer,
    schema=CustomerSchema(),
    keys=Keys.of("customers"),
)
blueprint = resource.blueprint()
