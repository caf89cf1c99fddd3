"""Price lists of customers."""

from glassflow.models.price_list import PriceList
from glassflow.schemas.price_list import PriceListSchema
from glassflow.services import price_lists
from glassflow.services.events.event_route import EventRoute
from glassflow.web.import_rows import ImportRows
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="price-lists",
    model=PriceList,
    schema=PriceListSchema(),
    keys=Keys.of("pricing"),
    events=EventRoute("priceList:updated", rooms=("pricing",)),
    create_with=price_lists.create,
    update_with=price_lists.update,
    importing=ImportRows(),
)
blueprint = resource.blueprint()
