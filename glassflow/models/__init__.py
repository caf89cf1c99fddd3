"""The stored records, one aggregate a file. `ALL` lists every model."""

from glassflow.core import counters, event_log
from glassflow.models.base import Record
from glassflow.models.claim import Claim
from glassflow.models.customer import Customer
from glassflow.models.inventory import Inventory
from glassflow.models.job_type import JobType
from glassflow.models.material import Material
from glassflow.models.material_log import MaterialLog
from glassflow.models.notification import Notification
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.models.pricing_settings import PricingSettings
from glassflow.models.production_log import ProductionLog
from glassflow.models.request import Request
from glassflow.models.role import Role
from glassflow.models.station import Station
from glassflow.models.station_template import StationTemplate
from glassflow.models.sticker_template import StickerTemplate
from glassflow.models.withdrawal import Withdrawal
from glassflow.models.worker import Worker

# In the order of the specification.
ALL: tuple[type[Record], ...] = (
    Worker,
    Role,
    Customer,
    Material,
    Inventory,
    MaterialLog,
    Request,
    Order,
    Claim,
    Pane,
    PaneLog,
    ProductionLog,
    Station,
    StationTemplate,
    StickerTemplate,
    JobType,
    PricingSettings,
    Notification,
    Withdrawal,
)
BY_NAME: dict[str, type[Record]] = {model.__name__: model for model in ALL}

# Every list is sorted so, unless it is asked otherwise; no model has to say it.
BY_AGE = [("createdAt", 1), ("_id", 1)]


def ensure_indexes() -> int:
    """Make every index and counter that is missing, and tell how many indexes are kept.

    It also makes the collections, which a transaction should not have to.
    """
    for model in ALL:
        model._get_collection().create_index(BY_AGE)
        model.ensure_indexes()
    counters.ensure(model.numbered[1] for model in ALL if model.numbered)
    event_log.ensure()
    kept = (model._get_collection().index_information() for model in ALL)
    return sum(len(names) - 1 for names in kept)  # `_id_` is the store's own
