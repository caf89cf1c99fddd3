"""Requests of customers, made along with their panes."""

from glassflow.core.channel import Channel
from glassflow.models.request import Request
from glassflow.schemas.request import RequestSchema
from glassflow.services import requests
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="requests",
    model=Request,
    schema=RequestSchema(),
    keys=Keys.of("requests"),
    channel=Channel("request:updated", rooms=("dashboard", "request")),
    create_with=requests.create,
    update_with=requests.update,
)
blueprint = resource.blueprint()
