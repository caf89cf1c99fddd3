"""Which references can be populated, and how much of the referenced record is shown."""

from collections.abc import Mapping
from typing import NamedTuple

from glassflow.domain.aliases import May
from glassflow.domain.permissions import CUSTOMER_NAMES, view_key
from glassflow.models.base import Record
from glassflow.models.fields import Ref, element_field

Fields = tuple[str, ...] | None  # the fields that are shown; None: all


class Target(NamedTuple):
    """The model that a reference names, and the fields that are shown.

    A target that shows selected fields is open to every caller. All others, and those
    that name a worker, are shown to holders of the model's view key, who also see the
    fields `with_key` of an open one.
    """

    model: str
    fields: Fields = None
    with_key: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Return whether a caller without the view key sees the fields too."""
        return self.fields is not None and self.model != "Worker"


# No reference to a worker shows more than these fields.
WORKER_FIELDS = ("_id", "name", "username", "position")
WORKER = Target("Worker", WORKER_FIELDS)
STATION = Target("Station", ("_id", "name"))
RACK = Target("Rack", ("_id", "rackNumber", "name", "place"))

# What `populate=true` populates, by model.
POPULATED_BY_DEFAULT: Mapping[str, Mapping[str, Target]] = {
    "Worker": {"role": Target("Role")},
    "Customer": {"priceList": Target("PriceList")},
    "Quote": {
        "customer": Target("Customer"),
        "revises": Target("Quote", ("_id", "quoteNumber", "status")),
        "request": Target("Request", ("_id", "requestNumber")),
        "order": Target("Order", ("_id", "orderNumber")),
        "sentBy": WORKER,
        "overriddenBy": WORKER,
        "answeredBy": WORKER,
    },
    "Delivery": {
        "customer": Target("Customer"),
        "panes": Target("Pane", ("_id", "paneNumber")),
        "loadedPanes": Target("Pane", ("_id", "paneNumber")),
        "missingPanes": Target("Pane", ("_id", "paneNumber")),
        "driver": WORKER,
    },
    "BillingEntry": {
        "customer": Target("Customer"),
        "delivery": Target("Delivery", ("_id", "deliveryNumber")),
        "creditOf": Target("BillingEntry", ("_id", "entryNumber")),
        "billedBy": WORKER,
    },
    "Payment": {
        "customer": Target("Customer"),
        "quote": Target("Quote", ("_id", "quoteNumber")),
        "request": Target("Request", ("_id", "requestNumber")),
        "recordedBy": WORKER,
        "voidedBy": WORKER,
    },
    "Request": {
        "customer": Target("Customer"),
        "assignedTo": WORKER,
        "cancelledBy": WORKER,
    },
    "Order": {
        "request": Target("Request"),
        "customer": Target("Customer"),
        "material": Target("Material"),
        "claim": Target("Claim"),
        "withdrawal": Target("Withdrawal"),
        "assignedTo": WORKER,
        "stations": STATION,
        "stationHistory.station": STATION,
    },
    "Pane": {
        "order": Target(
            "Order",
            ("_id", "orderNumber", "priority", "customer", "material"),
            with_key=("paneCount",),
        ),
        "request": Target("Request", ("_id", "requestNumber", "deadline")),
        "withdrawal": Target("Withdrawal"),
        "remakeOf": Target("Pane"),
        "material": Target("Material", ("_id", "name")),
        "currentStation": STATION,
        "rack": RACK,
        "routing": STATION,
        "laminateStation": STATION,
        "parentPane": Target("Pane", ("_id", "paneNumber", "laminateRole")),
        "childPanes": Target(
            "Pane",
            (
                "_id",
                "paneNumber",
                "sheetLabel",
                "currentStatus",
                "currentStation",
                "laminateRole",
            ),
        ),
        "mergedInto": Target(
            "Pane", ("_id", "paneNumber", "currentStatus", "laminateRole")
        ),
    },
    "Inventory": {"material": Target("Material")},
    "CuttingPlan": {
        "material": Target("Material", ("_id", "name")),
        "releasedBy": WORKER,
        "cancelledBy": WORKER,
    },
    "MaterialLog": {
        "material": Target("Material"),
        "order": Target("Order"),
        "panes": Target("Pane"),
        "worker": WORKER,
        "parentLog": Target("MaterialLog"),
    },
    "Claim": {
        "order": Target("Order"),
        "material": Target("Material"),
        "pane": Target("Pane"),
        "reportedBy": WORKER,
        "approvedBy": WORKER,
        "remadePane": Target("Pane"),
        "defectStation": STATION,
    },
    "Withdrawal": {
        "order": Target("Order"),
        "panes": Target("Pane"),
        "withdrawnBy": WORKER,
        "material": Target("Material"),
        "approvedBy": WORKER,
        "inventory": Target("Inventory"),
    },
    "Call": {
        "station": STATION,
        "calledFrom": STATION,
        "pane": Target("Pane", ("_id", "paneNumber")),
        "calledBy": WORKER,
        "takenBy": WORKER,
        "endedBy": WORKER,
    },
    "Rack": {"station": STATION},
    "Station": {"templateId": Target("StationTemplate")},
    "Notification": {"recipient": WORKER},
    "SavedExport": {"owner": WORKER},
    "PaneLog": {
        "pane": Target("Pane", ("_id", "paneNumber", "glassTypeLabel")),
        "station": STATION,
    },
    "ProductionLog": {
        "pane": Target("Pane"),
        "order": Target("Order"),
        "operator": WORKER,
        "station": STATION,
    },
}

_NAMED_ONLY = "the interface's table of usual references does not list it"

# References that `populate=true` leaves as ids, as `Model.field`, with the reason. A
# request can name them: `populate=remakeStation`. A test finds a reference field that is
# in neither table.
NOT_POPULATED: Mapping[str, str] = {
    "Worker.station": _NAMED_ONLY,
    "JobType.defaultRouting": "forms take the ids over",
    "JobType.defaultMaterial": "forms take the id over",
    "Pane.inventory": _NAMED_ONLY,
    "Inventory.parentLot": _NAMED_ONLY,
    "Inventory.cuttingPlan": _NAMED_ONLY,
    "Pane.cuttingPlan": _NAMED_ONLY,
    "CuttingPlan.panes": "there are up to 500; the sheets of the plan have their numbers",
    "MaterialLog.inventory": _NAMED_ONLY,
    "Claim.createdBy": _NAMED_ONLY,
    "Claim.remakeStation": _NAMED_ONLY,
    "PaneLog.order": _NAMED_ONLY,
    "PaneLog.material": _NAMED_ONLY,
    "PaneLog.worker": _NAMED_ONLY,
    "PaneLog.movedTo": _NAMED_ONLY,
    "PaneLog.skippedStations": _NAMED_ONLY,
    "Webhook.owner": _NAMED_ONLY,
    "MakeabilityLimits.updatedBy": _NAMED_ONLY,
    "CuttingSettings.updatedBy": _NAMED_ONLY,
    "Workshop.updatedBy": _NAMED_ONLY,
    "WorkingHours.updatedBy": _NAMED_ONLY,
    "PricingSettings.updatedBy": "the prices of the workshop are one record, read for its rates",
}

# The key that a caller needs to read the records of a model that references name, or that
# a search finds.
VIEW_KEYS: Mapping[str, str] = {
    "Worker": view_key("workers"),
    "Role": view_key("roles"),
    "Customer": view_key("customers"),
    "PriceList": view_key("pricing"),
    "Material": view_key("materials"),
    "Inventory": view_key("inventory"),
    "CuttingPlan": view_key("inventory"),
    "MaterialLog": view_key("material_logs"),
    "BillingEntry": view_key("pricing"),
    "Payment": view_key("pricing"),
    "Quote": view_key("pricing"),
    "Delivery": view_key("orders"),
    "Request": view_key("requests"),
    "Order": view_key("orders"),
    "Claim": view_key("claims"),
    "Pane": view_key("panes"),
    "Rack": view_key("panes"),
    "Station": view_key("stations"),
    "StationTemplate": view_key("station_templates"),
    "Withdrawal": view_key("withdrawals"),
}

# What callers who lack the view key of a model read of its records with another key. Others
# ask for it by a name that ends with `SHORT_FORM`.
SHORT_FORMS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "Customer": (CUSTOMER_NAMES, ("_id", "shortName")),
}
SHORT_FORM = ".shortName"


def brief_fields(model: type[Record]) -> tuple[str, ...]:
    """Return the fields that identify a record to people: `_id`, its number or name."""
    name = model.numbered[0] if model.numbered else "name"
    field = model._fields.get(name)
    return ("_id", field.db_field) if field else ("_id",)


def reference_target(model: type[Record], path: str) -> Target | None:
    """Return the target of a reference field; None if the field is no reference."""
    default = POPULATED_BY_DEFAULT.get(model.__name__, {}).get(path)
    if default:
        return default
    if path and path == model.successor:
        return Target(model.__name__)
    for field in model._fields.values():
        if field.db_field == path and path not in model.hidden:
            inner = element_field(field)
            if isinstance(inner, Ref):
                return WORKER if inner.target == "Worker" else Target(inner.target)
    return None


def may_read(model: type[Record], path: str, field: str, may: May) -> bool:
    """Return whether a caller is shown a field of the records that a reference names."""
    target = reference_target(model, path)
    if target is None:
        return False
    is_shown = target.fields is not None and field in target.fields
    if may(VIEW_KEYS[target.model]):
        return is_shown or target.model != WORKER.model
    return is_shown and target.is_open
