"""The table of usual references, and what callers without view keys see of them."""

import pytest

from glassflow.blueprints import RESOURCES
from glassflow.core.process import clock
from glassflow.domain.permissions import holds
from glassflow.models import BY_NAME
from glassflow.models.fields import Ref, element_field
from glassflow.services.records import singleton
from glassflow.services.records.populate import populate_for_event
from glassflow.services.records.populate_table import VIEW_KEYS, brief_fields
from glassflow.services.records.serialization import to_wire
from scenarios import PRICE_OF_NOTHING

WHOLE = None
PERSON = {"_id", "name", "username", "position"}
NAMED = {"_id", "name"}

#: What an open form has besides for holders of the view key.
WITH_KEY = {("Pane", "order"): {"paneCount"}}
#: What `populate=true` expands: resource, reference, the fields that are shown.
USUAL = {
    "workers": {"role": WHOLE},
    "customers": {"priceList": WHOLE},
    "quotes": {
        "customer": WHOLE,
        "revises": {"_id", "quoteNumber", "status"},
        "request": {"_id", "requestNumber"},
        "order": {"_id", "orderNumber"},
        "sentBy": PERSON,
        "overriddenBy": PERSON,
        "answeredBy": PERSON,
    },
    "deliveries": {
        "customer": WHOLE,
        "panes": {"_id", "paneNumber"},
        "loadedPanes": {"_id", "paneNumber"},
        "missingPanes": {"_id", "paneNumber"},
        "driver": PERSON,
    },
    "billing-entries": {
        "customer": WHOLE,
        "delivery": {"_id", "deliveryNumber"},
        "creditOf": {"_id", "entryNumber"},
        "billedBy": PERSON,
    },
    "payments": {
        "customer": WHOLE,
        "quote": {"_id", "quoteNumber"},
        "request": {"_id", "requestNumber"},
        "recordedBy": PERSON,
        "voidedBy": PERSON,
    },
    "requests": {"customer": WHOLE, "assignedTo": PERSON, "cancelledBy": PERSON},
    "orders": {
        "request": WHOLE,
        "customer": WHOLE,
        "material": WHOLE,
        "claim": WHOLE,
        "withdrawal": WHOLE,
        "assignedTo": PERSON,
        "stations": NAMED,
        "stationHistory.station": NAMED,
    },
    "panes": {
        "order": {"_id", "orderNumber", "priority", "customer", "material"},
        "request": {"_id", "requestNumber", "deadline"},
        "withdrawal": WHOLE,
        "remakeOf": WHOLE,
        "material": NAMED,
        "currentStation": NAMED,
        "rack": {"_id", "rackNumber", "name", "place"},
        "routing": NAMED,
        "laminateStation": NAMED,
        "parentPane": {"_id", "paneNumber", "laminateRole"},
        "childPanes": {
            "_id",
            "paneNumber",
            "sheetLabel",
            "currentStatus",
            "currentStation",
            "laminateRole",
        },
        "mergedInto": {"_id", "paneNumber", "currentStatus", "laminateRole"},
    },
    "inventories": {"material": WHOLE},
    "material-logs": {
        "material": WHOLE,
        "order": WHOLE,
        "panes": WHOLE,
        "worker": PERSON,
        "parentLog": WHOLE,
    },
    "claims": {
        "order": WHOLE,
        "material": WHOLE,
        "pane": WHOLE,
        "reportedBy": PERSON,
        "approvedBy": PERSON,
        "remadePane": WHOLE,
        "defectStation": NAMED,
    },
    "withdrawals": {
        "order": WHOLE,
        "panes": WHOLE,
        "withdrawnBy": PERSON,
        "material": WHOLE,
        "approvedBy": PERSON,
        "inventory": WHOLE,
    },
    "calls": {
        "station": NAMED,
        "calledFrom": NAMED,
        "pane": {"_id", "paneNumber"},
        "calledBy": PERSON,
        "takenBy": PERSON,
        "endedBy": PERSON,
    },
    "racks": {"station": NAMED},
    "cutting-plans": {
        "material": NAMED,
        "releasedBy": PERSON,
        "cancelledBy": PERSON,
    },
    "stations": {"templateId": WHOLE},
    "notifications": {"recipient": PERSON},
    "pane-logs": {"pane": {"_id", "paneNumber", "glassTypeLabel"}, "station": NAMED},
    "production-logs": {
        "pane": WHOLE,
        "order": WHOLE,
        "operator": PERSON,
        "station": NAMED,
    },
}


KINDS = {one.name: one.model.__name__ for one in RESOURCES}
#: What every caller sees of a reference, by model and reference.
OPEN_FORMS = {kind: {} for kind in BY_NAME} | {
    KINDS[name]: {
        path: shown
        for path, shown in table.items()
        if shown is not WHOLE and shown is not PERSON
    }
    for name, table in USUAL.items()
}


@pytest.fixture
def full(workshop):
    """One record of each model, with every reference set; ids by the model's name."""
    make = workshop.make
    material, customer = workshop.material().pk, workshop.customer().pk
    worker, station = workshop.worker(), workshop.station()
    work = {"material": material, "quantity": 1}
    order = make("Order", customer=customer, **work)
    pane = make("Pane", pane_number="PNE-9001")
    lot = make("Inventory", location="A", stock_type="Raw", **work)
    taken = make("Withdrawal", stock_type="Raw", withdrawn_by=worker.pk, **work)
    delivery = make("Delivery", customer=customer)
    details = {"type": "a", "quantity": 1}
    log = {"action_type": "cut", "quantity_changed": 1, "material": material}
    claim = {"source": "worker", "description": "x", "reported_by": worker.pk}
    note = {"recipient": worker.pk, "type": "a", "title": "b"}
    report = {"order": order.pk, "station": station.pk, "action": "start"}
    sticker = {"name": "a", "width": 1, "height": 1}
    records = [
        *(worker, station, order, pane, lot, taken),
        make("Request", customer=customer, details=details),
        make("MaterialLog", **log),
        make("Claim", order=order.pk, material=material, **claim),
        make("Notification", **note),
        make("PaneLog", pane=pane.pk, action="start"),
        make("ProductionLog", pane=pane.pk, **report),
        make("JobType", name="a", code="b"),
        make("PriceList", name="a"),
        make("Quote", customer=customer, price=PRICE_OF_NOTHING),
        delivery,
        make(
            "BillingEntry",
            customer=customer,
            delivery=delivery.pk,
            delivered_at=clock.now(),
        ),
        make("Rack", name="a"),
        make("CuttingPlan", material=material),
        make("Call", station=station.pk, kind="machine"),
        make("Payment", customer=customer, amount=1, paid_at=clock.now()),
        make("StickerTemplate", **sticker),
        make("Webhook", url="https://example.com/"),
        make("PricingSettings", id=singleton.ID),
        make("MakeabilityLimits", id=singleton.ID),
        make("CuttingSettings", id=singleton.ID),
        make("Workshop", id=singleton.ID),
        make("WorkingHours", id=singleton.ID),
    ]
    ids = {type(one).__name__: one.pk for one in records}
    ids |= {"Material": material, "Customer": customer}
    ids |= {"Role": worker.role, "StationTemplate": station.template_id}
    for kind in ids:
        _set_references(kind, ids)
    return ids


def _set_references(kind, ids):
    values = (
        {"stationHistory": [{"station": ids["Station"]}]} if kind == "Order" else {}
    )
    for name, target in references_of(kind).items():
        if "." not in name:
            is_list = element_field(_field(kind, name)) is not _field(kind, name)
            values[name] = [ids[target]] if is_list else ids[target]
    if values:
        query = {"_id": ids[kind]}
        BY_NAME[kind].collection().update_one(query, {"$set": values})


def _field(kind, name):
    fields = BY_NAME[kind]._fields.values()
    return next(field for field in fields if field.db_field == name)


def references_of(kind):
    """The reference fields of a model, with the models that they name."""
    inner = {f.db_field: element_field(f) for f in BY_NAME[kind]._fields.values()}
    found = {name: f.target for name, f in inner.items() if isinstance(f, Ref)}
    return found | ({"stationHistory.station": "Station"} if kind == "Order" else {})


def values_at(row, path):
    """The values of a reference in a row: one, or those of a list."""
    head, _, rest = path.partition(".")
    value = row[head]
    if rest:
        return [found for item in value or () for found in values_at(item, rest)]
    return value if isinstance(value, list) else [value]


def read(api, resource, full, **params):
    """Read the full record of a resource, from its list where it has one."""
    if resource.name in (
        "pricing-settings",
        "makeability",
        "cutting-rules",
        "workshop",
        "working-hours",
    ):
        return api.get(f"/api/{resource.name}", **params).data
    path = f"/api/{resource.name}"
    record = str(full[resource.model.__name__])
    (row,) = api.get(path, _id=record, includeMerged="true", **params).data
    return row


def expanded(row, kind):
    """The references of a row that are records, with the fields that are shown."""
    found = {}
    for path in references_of(kind):
        for value in values_at(row, path):
            if isinstance(value, dict):
                found[path] = set(value)
    return found


def visible_fields(kind):
    return set(to_wire(BY_NAME[kind], {}))


def test_populate_true_expands_exactly_the_usual_references(admin, full):
    for resource in RESOURCES:
        kind = resource.model.__name__
        targets = references_of(kind)
        found = expanded(read(admin, resource, full, populate="true"), kind)
        assert found == {
            path: readable_fields(kind, path, targets[path], shown)
            for path, shown in USUAL.get(resource.name, {}).items()
        }, resource.name


def readable_fields(kind, path, target, shown):
    """What a holder of the view key of a usual reference reads."""
    if shown is WHOLE:
        return visible_fields(target)
    return shown | WITH_KEY.get((kind, path), set())


def every_name(kind):
    """Every reference of a model and every reference one level deeper."""
    for path, target in references_of(kind).items():
        yield path
        yield from (f"{path}.{inner}" for inner in references_of(target))


def test_caller_with_the_view_key_of_the_resource_sees_no_more_than_the_open_forms(
    full, client_with_keys, setting
):
    """Through `populate`, one level deeper and EXPAND_REFERENCES alike."""
    for resource in RESOURCES:
        kind, keys = resource.model.__name__, [resource.keys.view]
        caller = client_with_keys(*keys)
        if kind == "Notification":
            BY_NAME[kind].objects(pk=full[kind]).update(set__recipient=caller.id)
        readable = {name for name, key in VIEW_KEYS.items() if holds(keys, key)}
        names = ",".join(every_name(kind))
        for params in ({"populate": "true"}, {"populate": names}, {}):
            setting(EXPAND_REFERENCES=not params)
            row = read(caller, resource, full, **params)
            assert_nothing_hidden(row, kind, readable)
            for path, target in references_of(kind).items():
                for value in values_at(row, path):
                    if isinstance(value, dict):
                        nested = {**dict.fromkeys(visible_fields(target)), **value}
                        assert_nothing_hidden(nested, target, readable)


def assert_nothing_hidden(row, kind, readable):
    """References to what the caller cannot read are ids, or in their open form."""
    for path, shown in expanded(row, kind).items():
        if references_of(kind)[path] not in readable:
            assert shown == OPEN_FORMS[kind].get(path), (kind, path)


def test_holder_of_every_key_sees_every_reference_on_both_levels(admin, full):
    for resource in RESOURCES:
        kind = resource.model.__name__
        names = ",".join(every_name(kind))
        row = read(admin, resource, full, populate=names)
        assert expanded(row, kind).keys() == references_of(kind).keys()
        for path, target in references_of(kind).items():
            if target == "Worker":
                assert expanded(row, kind)[path] == PERSON
                continue
            for value in values_at(row, path):
                nested = expanded(value, target)
                assert nested.keys() == references_of(target).keys(), (kind, path)


def test_view_keys_are_those_of_the_routes():
    routes = {one.model.__name__: one.keys.view for one in RESOURCES}
    targets = {name for kind in BY_NAME for name in references_of(kind).values()}
    assert targets <= VIEW_KEYS.keys()
    assert {name: routes[name] for name in VIEW_KEYS} == VIEW_KEYS


def test_records_in_events_are_cut_to_their_name_or_number(full, set_policy):
    for read_all in (False, True):
        set_policy(read_all=read_all)
        for resource in RESOURCES:
            kind = resource.model.__name__
            raw = BY_NAME[kind].collection().find_one({"_id": full[kind]})
            row = to_wire(BY_NAME[kind], raw)
            populate_for_event(BY_NAME[kind], [row], "true")
            targets = references_of(kind)
            for path, shown in USUAL.get(resource.name, {}).items():
                target = BY_NAME[targets[path]]
                brief = set(brief_fields(target))
                whole = readable_fields(kind, path, targets[path], shown)
                cut = brief if shown in (WHOLE, PERSON) else shown
                found = expanded(row, kind)[path]
                assert found == (whole if read_all else cut), (kind, path)


def test_brief_fields_are_the_id_and_the_name_or_number():
    brief = {kind: brief_fields(BY_NAME[kind])[1:] for kind in VIEW_KEYS}
    assert brief == {
        "Worker": ("name",),
        "Role": ("name",),
        "Customer": ("name",),
        "PriceList": ("name",),
        "Material": ("name",),
        "Inventory": ("inventoryNumber",),
        "CuttingPlan": ("planNumber",),
        "MaterialLog": (),
        "BillingEntry": ("entryNumber",),
        "Payment": ("paymentNumber",),
        "Quote": ("quoteNumber",),
        "Delivery": ("deliveryNumber",),
        "Request": ("requestNumber",),
        "Order": ("orderNumber",),
        "Claim": ("claimNumber",),
        "Pane": ("paneNumber",),
        "Rack": ("rackNumber",),
        "Station": ("name",),
        "StationTemplate": ("name",),
        "Withdrawal": ("withdrawalNumber",),
    }
