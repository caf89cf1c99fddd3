"""Materials: kinds of stock, their units and reorder points."""

from glassflow.core.channel import Channel
from glassflow.models.material import Material
from glassflow.schemas.material import MaterialSchema
from glassflow.services import materials
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="materials",
    model=Material,
    schema=MaterialSchema(),
    keys=Keys.of("materials"),
    channel=Channel("material:updated", rooms=("dashboard", "inventory")),
    update_with=materials.update,
)
blueprint = resource.blueprint()
