"""The stored records, one aggregate a file. `ALL` lists every model."""

from glassflow.models.base import Record
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.call import Call
from glassflow.models.claim import Claim
from glassflow.models.customer import Customer
from glassflow.models.cutting_plan import CuttingPlan
from glassflow.models.cutting_settings import CuttingSettings
from glassflow.models.delivery import Delivery
from glassflow.models.inventory import Inventory
from glassflow.models.job_type import JobType
from glassflow.models.makeability_limits import MakeabilityLimits
from glassflow.models.material import Material
from glassflow.models.material_log import MaterialLog
from glassflow.models.notification import Notification
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.models.payment import Payment
from glassflow.models.price_list import PriceList
from glassflow.models.pricing_settings import PricingSettings
from glassflow.models.production_log import ProductionLog
from glassflow.models.quote import Quote
from glassflow.models.rack import Rack
from glassflow.models.request import Request
from glassflow.models.role import Role
from glassflow.models.saved_export import SavedExport
from glassflow.models.station import Station
from glassflow.models.station_template import StationTemplate
from glassflow.models.sticker_template import StickerTemplate
from glassflow.models.webhook import Webhook
from glassflow.models.withdrawal import Withdrawal
from glassflow.models.worker import Worker
from glassflow.models.working_hours import WorkingHours
from glassflow.models.workshop import Workshop

# In the order of the specification.
ALL: tuple[type[Record], ...] = (
    Worker,
    Role,
    Customer,
    Material,
    Inventory,
    MaterialLog,
    Quote,
    Delivery,
    BillingEntry,
    Payment,
    Request,
    Order,
    Claim,
    Pane,
    PaneLog,
    ProductionLog,
    Station,
    Rack,
    Call,
    StationTemplate,
    StickerTemplate,
    JobType,
    PricingSettings,
    PriceList,
    MakeabilityLimits,
    CuttingSettings,
    CuttingPlan,
    WorkingHours,
    Workshop,
    Notification,
    Withdrawal,
    SavedExport,
    Webhook,
)
BY_NAME: dict[str, type[Record]] = {model.__name__: model for model in ALL}
