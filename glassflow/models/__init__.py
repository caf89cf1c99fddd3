"""The stored records, one aggregate a file. `ALL` lists every model."""

from glassflow.core.access import (
    browser_sessions,
    device_sessions,
    idempotency_store,
    logins,
    rate_limits,
)
from glassflow.core.events import event_log, history, webhook_log
from glassflow.core.store import counters, files, locks, outbox, reference_locks
from glassflow.models import indexes
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
from glassflow.models.saved_export import SavedExport
from glassflow.models.station import Station
from glassflow.models.station_template import StationTemplate
from glassflow.models.sticker_template import StickerTemplate
from glassflow.models.webhook import Webhook
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
    SavedExport,
    Webhook,
)
BY_NAME: dict[str, type[Record]] = {model.__name__: model for model in ALL}


@indexes.new_ones_whole()
def ensure_indexes() -> int:
    """Create missing indexes and counters, and return the number of indexes.

    It also creates the collections, so that no transaction has to. On the embedded store
    it checks that the new indexes are whole. Raises `indexes.IndexRefused`.
    """
    indexes.create(ALL)
    counters.ensure(model.numbered[1] for model in ALL if model.numbered)
    outbox.ensure()
    event_log.ensure()
    history.ensure()
    locks.ensure()
    reference_locks.ensure()
    rate_limits.ensure()
    files.ensure()
    browser_sessions.ensure()
    device_sessions.ensure()
    logins.ensure()
    idempotency_store.ensure()
    webhook_log.ensure()
    found = (model._get_collection().index_information() for model in ALL)
    return sum(len(names) - 1 for names in found)  # `_id_` is the store's own
