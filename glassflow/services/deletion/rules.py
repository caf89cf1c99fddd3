"""The rules of deletion as tables: what blocks a delete, what is deleted, what is emptied.

`delete.py` applies them, `docs/deletion.md` is printed from them. Every reference field
of every model is in one of these tables or in `KEPT`; a test compares them.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bson import ObjectId

from glassflow.domain.calls import OPEN_CALLS
from glassflow.domain.claims import ClaimStatus
from glassflow.domain.cutting.stages import RESERVING
from glassflow.domain.deliveries import DeliveryStatus
from glassflow.domain.orders import OPEN_ORDERS, OrderStatus
from glassflow.domain.panes.status import OPEN, LaminateRole, Status
from glassflow.domain.quotes import QuoteStatus
from glassflow.domain.stock import WithdrawalStatus
from glassflow.models import BY_NAME
from glassflow.services.records.lookup import chunked

Raw = dict[str, Any]  # a stored record

# Filters of the store, used as `where` below.
OPEN_ORDER = {"status": {"$in": sorted(map(str, OPEN_ORDERS))}}
OPEN_PANE = {
    "$or": [
        {"currentStatus": {"$in": sorted(str(status) for status in OPEN)}},
        {"currentStatus": str(Status.CLAIMED), "heldFrom": {"$ne": None}},
    ]
}
CLAIMED_PANE = {"currentStatus": str(Status.CLAIMED)}
# A claimed pane may never have been scanned, and its claim blocks the delete anyway.
SCANNED = {
    "$or": [
        {"startedAt": {"$ne": None}},
        {"currentStatus": {"$nin": [str(Status.PENDING), str(Status.CLAIMED)]}},
    ]
}
STARTED_ORDER = {
    "status": {"$in": [str(OrderStatus.IN_PROGRESS), str(OrderStatus.COMPLETED)]}
}
HOLDS_STOCK = {
    "status": {"$in": [str(WithdrawalStatus.PENDING), str(WithdrawalStatus.APPROVED)]}
}
PENDING = {"status": str(ClaimStatus.PENDING)}  # a withdrawal's is the same
OPEN_CALL = {"status": {"$in": sorted(map(str, OPEN_CALLS))}}
SENT_QUOTE = {"status": {"$ne": str(QuoteStatus.DRAFT)}}
RELEASED_PLAN = {"status": {"$in": sorted(map(str, RESERVING))}}
RESERVED_LOT = {"reservations.quantity": {"$gt": 0}}
DELIVERED = {"status": {"$ne": str(DeliveryStatus.PLANNED)}}
SHEET = {"laminateRole": str(LaminateRole.SHEET)}
SCANNED_SHEET = {**SHEET, **SCANNED, "currentStatus": {"$ne": str(Status.MERGED_INTO)}}
SHEET_TO_LAMINATE = {**SHEET, **OPEN_PANE}


def _own_id(row: Raw) -> Any:
    return row["_id"]


def _parent_of_sheet(row: Raw) -> Any:
    """Return the parent of a sheet that is not laminated yet, None for other panes."""
    unmerged = row.get("laminateRole") == LaminateRole.SHEET and not _survivor(row)
    return row.get("parentPane") if unmerged else None


def _id_of_parent(row: Raw) -> Any:
    """Return the id of a pane that consists of sheets; others need no query."""
    return row["_id"] if row.get("laminateRole") == LaminateRole.PARENT else None


def _id_of_survivor(row: Raw) -> Any:
    """Return the id of a pane that others were merged into; others need no query."""
    return row["_id"] if row.get("laminateMergedAt") else None


def _survivor(row: Raw) -> Any:
    """Return the survivor that a retired pane was merged into, None for other panes."""
    retired = row.get("currentStatus") == Status.MERGED_INTO
    return row.get("mergedInto") if retired else None


@dataclass(frozen=True, slots=True)
class Dependent:
    """Records of `model` whose stored field `path` has the key of a record to delete.

    `label` is what people call one of them (`texts.PLURALS` has the plural). `where` is a filter that they
    match besides. `key` takes the value to look for from the record to delete: its id,
    unless given. `unless_deleted_too` does not count those that are deleted as well.
    """

    model: str
    path: str
    label: str
    where: Mapping[str, Any] = field(default_factory=dict)
    key: Callable[[Raw], Any] = _own_id
    unless_deleted_too: bool = False

    @property
    def attribute(self) -> str:
        """The name that the field `path` has in the model's class."""
        fields = BY_NAME[self.model]._fields
        return next(name for name, one in fields.items() if one.db_field == self.path)

    def rows(self, deleted: Collection[Raw], *fields: str) -> Iterator[Raw]:
        """Read the stored dependents of records, whole or only these fields, once each.

        One query for up to 100 records, none if no record has a key.
        """
        keys = [value for value in map(self.key, deleted) if value]
        if not keys:
            return
        collection, seen = BY_NAME[self.model].collection(), set()
        for part in chunked(keys):
            query = {self.path: {"$in": part}, **self.where}
            for row in collection.find(query, list(fields) or None):
                if row["_id"] not in seen:  # a list may refer to several of the keys
                    seen.add(row["_id"])
                    yield row

    def counts(
        self, deleted: Collection[Raw], deleted_too: Collection[ObjectId]
    ) -> Mapping[ObjectId, int]:
        """Count the dependents of each record that has any, by the record's id.

        `deleted_too` are the ids of this model that are deleted in the same delete.
        """
        ids = defaultdict(list)
        for row in deleted:
            ids[self.key(row)].append(row["_id"])
        counts: dict[ObjectId, int] = defaultdict(int)
        for row in self.rows(deleted, self.path):
            if not (self.unless_deleted_too and row["_id"] in deleted_too):
                for value in set(values_at(row, self.path)):
                    for record_id in ids.get(value, ()):
                        counts[record_id] += 1
        return counts


def values_at(value: Any, path: str) -> Iterator[Any]:
    """Yield the values at a dotted path, also of the members of lists on the way."""
    if isinstance(value, list):
        for member in value:
            yield from values_at(member, path)
    elif not path:
        yield value
    elif isinstance(value, Mapping):
        first, _, rest = path.partition(".")
        yield from values_at(value.get(first), rest)


# By the model of the record to delete.
Table = Mapping[str, tuple[Dependent, ...]]

# What was paid is deleted with its customer only.
_PAYMENT_OF_QUOTE = Dependent("Payment", "quote", "payment", unless_deleted_too=True)
_PAYMENT_OF_REQUEST = Dependent(
    "Payment", "request", "payment", unless_deleted_too=True
)

# Dependents that block a delete under the policy `restrict`.
BLOCKS: Table = {
    "Customer": (
        Dependent("Quote", "customer", "quote"),
        Dependent("Request", "customer", "request"),
        Dependent("Order", "customer", "order"),
        Dependent("Delivery", "customer", "delivery"),
        Dependent("BillingEntry", "customer", "billing entry"),
        Dependent("Payment", "customer", "payment"),
    ),
    "Quote": (
        Dependent("Quote", "_id", "sent quote", SENT_QUOTE),
        _PAYMENT_OF_QUOTE,
    ),
    "Delivery": (Dependent("Delivery", "_id", "finished delivery", DELIVERED),),
    "Material": (
        Dependent("Inventory", "material", "lot"),
        Dependent("Order", "material", "order"),
        Dependent("Pane", "material", "pane"),
        Dependent("Withdrawal", "material", "withdrawal"),
        Dependent("CuttingPlan", "material", "cutting plan"),
    ),
    "Inventory": (
        Dependent("Withdrawal", "allocations.inventory", "pending withdrawal", PENDING),
    ),
    "Worker": (
        Dependent("Request", "assignedTo", "request"),
        Dependent("Order", "assignedTo", "order"),
        Dependent("Claim", "reportedBy", "claim"),
        Dependent("Withdrawal", "withdrawnBy", "withdrawal"),
        Dependent("PaneLog", "worker", "pane log"),
        Dependent("ProductionLog", "operator", "production log"),
    ),
    "Station": (
        Dependent("Order", "stations", "open order", OPEN_ORDER),
        Dependent("Pane", "routing", "open pane", OPEN_PANE),
        Dependent("Pane", "currentStation", "pane"),
        Dependent("Pane", "heldFrom.station", "claimed pane", CLAIMED_PANE),
    ),
    "StationTemplate": (Dependent("Station", "templateId", "station"),),
    "Role": (Dependent("Worker", "role", "worker"),),
    "PriceList": (Dependent("Customer", "priceList", "customer"),),
    "Request": (
        Dependent("Order", "request", "order", STARTED_ORDER),
        Dependent("Pane", "request", "scanned pane", SCANNED),
        Dependent("BillingEntry", "parts.request", "billing entry"),
        _PAYMENT_OF_REQUEST,
    ),
    "Order": (
        Dependent("Pane", "order", "scanned pane", SCANNED),
        Dependent("BillingEntry", "parts.order", "billing entry"),
        Dependent("Claim", "order", "claim"),
        Dependent("Withdrawal", "order", "withdrawal", HOLDS_STOCK),
    ),
    "Pane": (
        Dependent("Claim", "pane", "claim"),
        Dependent("Claim", "remadePane", "approved claim"),
        Dependent("Pane", "remakeOf", "remake", unless_deleted_too=True),
        Dependent(
            "Pane", "parentPane", "scanned sheet", SCANNED_SHEET, key=_id_of_parent
        ),
        Dependent(
            "Pane",
            "mergedInto",
            "merged pane",
            key=_id_of_survivor,
            unless_deleted_too=True,
        ),
        Dependent("Pane", "_id", "survivor", key=_survivor, unless_deleted_too=True),
        Dependent("Pane", "_id", "unit", key=_parent_of_sheet, unless_deleted_too=True),
    ),
}

# Dependents that block a delete under `cascade` too: nothing could replace the reference.
BLOCKS_ALWAYS: Table = {
    "Quote": (_PAYMENT_OF_QUOTE,),
    "Request": (_PAYMENT_OF_REQUEST,),
    "Role": BLOCKS["Role"],
    "Call": (Dependent("Call", "_id", "open call", OPEN_CALL),),
    "Inventory": (Dependent("Inventory", "_id", "reserved lot", RESERVED_LOT),),
    "Rack": (Dependent("Pane", "rack", "pane"),),
    "CuttingPlan": (
        Dependent("CuttingPlan", "_id", "released cutting plan", RELEASED_PLAN),
    ),
    "Station": (
        Dependent("Pane", "laminateStation", "pane to laminate", SHEET_TO_LAMINATE),
        Dependent("Call", "station", "open call", OPEN_CALL),
        # without it, a device that is bound to the station would be allowed everywhere
        Dependent("Worker", "station", "shared device"),
    ),
}

# Dependents that are deleted too under `restrict`: work that was never scanned, and
# the notifications of a worker, which only they can read, and their saved exports.
TAKES_ALONG: Table = {
    "Request": (
        Dependent("Pane", "request", "pane"),
        Dependent("Order", "request", "order"),
    ),
    "Order": (Dependent("Pane", "order", "pane"),),
    # only a void one: what was handed over is not deleted
    "Delivery": (Dependent("BillingEntry", "delivery", "billing entry"),),
    "Pane": (Dependent("Pane", "parentPane", "sheet", SHEET, key=_id_of_parent),),
    "Worker": (
        Dependent("Notification", "recipient", "notification"),
        Dependent("SavedExport", "owner", "saved export"),
    ),
}

# Dependents that are deleted too under `cascade`: not a worker's work, and no logs but
# those of a material, which would be the ledger of no material.
CASCADES_TO: Table = {
    "Customer": (
        Dependent("Quote", "customer", "quote"),
        Dependent("Request", "customer", "request"),
        Dependent("Order", "customer", "order"),
        Dependent("Delivery", "customer", "delivery"),
        Dependent("BillingEntry", "customer", "billing entry"),
        Dependent("Payment", "customer", "payment"),
    ),
    "Delivery": (Dependent("BillingEntry", "delivery", "billing entry"),),
    "Material": (
        Dependent("Order", "material", "order"),
        Dependent("Pane", "material", "pane"),
        Dependent("Claim", "material", "claim"),
        Dependent("Withdrawal", "material", "withdrawal"),
        Dependent("CuttingPlan", "material", "cutting plan"),
        Dependent("Inventory", "material", "lot"),
        Dependent("MaterialLog", "material", "material log"),
    ),
    "StationTemplate": (Dependent("Station", "templateId", "station"),),
    "Request": (
        Dependent("Order", "request", "order"),
        Dependent("Pane", "request", "pane"),
    ),
    "Order": (
        Dependent("Pane", "order", "pane"),
        Dependent("Claim", "order", "claim"),
        Dependent("Withdrawal", "order", "withdrawal"),
    ),
    "Pane": (
        Dependent("Claim", "pane", "claim"),
        Dependent("Pane", "_id", "unit", key=_parent_of_sheet),
        Dependent("Pane", "parentPane", "sheet", SHEET, key=_id_of_parent),
        Dependent("Pane", "mergedInto", "merged pane", key=_id_of_survivor),
        Dependent("Pane", "_id", "survivor", key=_survivor),
    ),
    "Worker": (
        Dependent("Notification", "recipient", "notification"),
        Dependent("SavedExport", "owner", "saved export"),
    ),
}

# Dependents that stay, under either policy, with their reference emptied.
NULLIFIES: Table = {
    "Worker": (
        Dependent("Request", "assignedTo", "request"),
        Dependent("Order", "assignedTo", "order"),
        Dependent("Delivery", "driver", "delivery"),
        Dependent("Webhook", "owner", "webhook"),
    ),
    "Quote": (Dependent("Quote", "revises", "quote"),),
    "Request": (Dependent("Quote", "request", "quote"),),
    "Order": (Dependent("Quote", "order", "quote"),),
    "Claim": (Dependent("Order", "claim", "order"),),
    "Withdrawal": (
        Dependent("Order", "withdrawal", "order"),
        Dependent("Pane", "withdrawal", "pane"),
    ),
    "Inventory": (
        Dependent("Inventory", "parentLot", "lot"),
        Dependent("Pane", "inventory", "pane"),
        Dependent("Withdrawal", "inventory", "withdrawal"),
    ),
    "Pane": (
        Dependent("Pane", "remakeOf", "remake"),
        Dependent("Pane", "parentPane", "sheet", key=_id_of_parent),
        Dependent("Withdrawal", "panes", "withdrawal"),
        Dependent("Delivery", "panes", "delivery"),
        Dependent("Delivery", "loadedPanes", "delivery"),
        Dependent("Delivery", "missingPanes", "delivery"),
        Dependent("Claim", "remadePane", "claim"),
    ),
    "CuttingPlan": (
        Dependent("Pane", "cuttingPlan", "pane"),
        Dependent("Inventory", "cuttingPlan", "lot"),
    ),
    "Material": (Dependent("JobType", "defaultMaterial", "job type"),),
    "PriceList": (Dependent("Customer", "priceList", "customer"),),
    "Station": (
        Dependent("Claim", "remakeStation", "pending claim", PENDING),
        Dependent("JobType", "defaultRouting", "job type"),
        Dependent("Rack", "station", "rack"),
    ),
}

_LOG = "a log keeps the ids of what it is about"
_PERSON = "who did something stays on record"
_ROUTE = (
    "under `cascade` a hook removes the station from open routes; finished ones stay"
)
# References that may keep the id of a deleted record, with the reason; `populate` shows
# them as null, or leaves them out of a list.
KEPT: Mapping[str, str] = {
    "MaterialLog.material": "under `restrict` the book of a material outlives it",
    "MaterialLog.order": _LOG,
    "MaterialLog.panes": _LOG,
    "MaterialLog.parentLog": _LOG,
    "MaterialLog.worker": _LOG,
    "MaterialLog.inventory": _LOG,
    "PaneLog.pane": _LOG,
    "PaneLog.order": _LOG,
    "PaneLog.material": _LOG,
    "PaneLog.worker": _LOG,
    "PaneLog.station": _LOG,
    "PaneLog.movedTo": _LOG,
    "PaneLog.skippedStations": _LOG,
    "ProductionLog.pane": _LOG,
    "ProductionLog.order": _LOG,
    "ProductionLog.station": _LOG,
    "ProductionLog.operator": _LOG,
    "Quote.sentBy": _PERSON,
    "Quote.overriddenBy": _PERSON,
    "Quote.answeredBy": _PERSON,
    "BillingEntry.billedBy": _PERSON,
    "Payment.recordedBy": _PERSON,
    "Payment.voidedBy": _PERSON,
    "BillingEntry.creditOf": "a billed entry is not deleted, and a credit counts without it",
    "Call.pane": _LOG,
    "Call.calledFrom": _LOG,
    "Call.calledBy": _PERSON,
    "Call.takenBy": _PERSON,
    "Call.endedBy": _PERSON,
    "Request.cancelledBy": _PERSON,
    "Claim.reportedBy": _PERSON,
    "Claim.createdBy": _PERSON,
    "Claim.approvedBy": _PERSON,
    "Withdrawal.withdrawnBy": _PERSON,
    "Withdrawal.approvedBy": _PERSON,
    "PricingSettings.updatedBy": _PERSON,
    "MakeabilityLimits.updatedBy": _PERSON,
    "CuttingSettings.updatedBy": _PERSON,
    "CuttingPlan.panes": "a plan says that a pane is deleted, and is made without it",
    "CuttingPlan.releasedBy": _PERSON,
    "CuttingPlan.cancelledBy": _PERSON,
    "Workshop.updatedBy": _PERSON,
    "WorkingHours.updatedBy": _PERSON,
    "Order.stations": _ROUTE,
    "Pane.routing": _ROUTE,
    "Pane.currentStation": "under `cascade` a hook moves the pane to its next station",
    "Claim.defectStation": "where a defect was found is part of the report",
    "Claim.material": "under `restrict` the order or pane of the claim, which had the "
    "same material when the claim was made, blocks the delete",
    "Pane.childPanes": "a unit is deleted as a whole before it is laminated; afterwards "
    "the list says which sheets it was made of",
}

# The order in which kinds are deleted: a record before those that it refers to.
DELETE_ORDER = (
    "Webhook",
    "Notification",
    "SavedExport",
    "Call",
    "MaterialLog",
    "ProductionLog",
    "Claim",
    "Withdrawal",
    "Payment",
    "BillingEntry",
    "Delivery",
    "CuttingPlan",
    "Pane",
    "Order",
    "Quote",
    "Request",
    "Inventory",
    "Material",
    "Customer",
    "PriceList",
    "Rack",
    "Station",
    "StationTemplate",
    "StickerTemplate",
    "JobType",
    "Worker",
    "Role",
)
