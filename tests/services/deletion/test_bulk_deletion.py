"""Bulk deletes take a bounded number of round trips, whatever depends on the records."""

import pytest
from bson import ObjectId

from factories import delete
from glassflow.domain.panes.status import Status
from glassflow.models import BY_NAME
from glassflow.services import records
from scenarios import PRICE_OF_NOTHING

FEW, MANY = 5, 40
#: Figures are counted again with one query for 20 orders.
QUERIES_FOR_MANY_ORDERS = 2


def store(kind, rows):
    """Store records without publishing them; return their ids."""
    made = [BY_NAME[kind](pk=ObjectId(), **row) for row in rows]
    records.write(*made)
    return [one.pk for one in made]


def named(kind, **values):
    """Makes records that have nothing but a name, and these values."""

    def make(workshop, count):
        return store(
            kind, [{"name": workshop.next(kind), **values} for _ in range(count)]
        )

    return make


def workers(workshop, count):
    """Workers of different roles."""
    roles = roles_of_workers(workshop, count)
    names = [workshop.next("w") for _ in range(count)]
    return store(
        "Worker",
        [
            {"name": name, "username": name, "position": "a", "role": role}
            for name, role in zip(names, roles, strict=True)
        ],
    )


def roles_of_workers(workshop, count):
    names = [workshop.next("role") for _ in range(count)]
    return store(
        "Role", [{"name": n, "slug": n, "permissions": ["panes:view"]} for n in names]
    )


def lots(workshop, count):
    """Lots of different materials."""
    row = {"stock_type": "Raw", "quantity": 9, "location": "A"}
    return store(
        "Inventory",
        [
            {**row, "material": material, "inventory_number": workshop.next("lot")}
            for material in materials(workshop, count)
        ],
    )


def numbers(workshop, count):
    return [workshop.next("no") for _ in range(count)]


def materials(workshop, count):
    return store(
        "Material",
        [
            {"name": "a", "unit": "b", "reorder_point": 12, "is_active": True}
            for _ in range(count)
        ],
    )


def material_logs(workshop, count):
    """Notes and entries of the service."""
    row = {"action_type": "cut", "quantity_changed": 0}
    row["material"] = workshop.material().pk
    return store("MaterialLog", [{**row, "by_service": n % 2} for n in range(count)])


def withdrawals(workshop, count):
    """Withdrawals from different lots, one half of which have been deleted."""
    rows = []
    panes = store("Pane", [{"pane_number": n} for n in numbers(workshop, count)])
    for lot, number, pane in zip(
        lots(workshop, count), numbers(workshop, count), panes, strict=True
    ):
        found = BY_NAME["Inventory"].objects.get(pk=lot)
        if len(rows) % 2:
            delete(found)
        rows.append(
            {
                "withdrawal_number": number,
                "material": found.material,
                "quantity": 1,
                "stock_type": "Raw",
                "withdrawn_by": ObjectId(),
                "panes": [pane],
                "allocations": [{"inventory": lot, "quantity": 1}],
            }
        )
    made = store("Withdrawal", rows)
    for pane, withdrawal in zip(panes, made, strict=True):
        BY_NAME["Pane"].objects(pk=pane).update(withdrawal=withdrawal)
    return made


def orders(workshop, count):
    """Orders with a pane each."""
    customer, material = workshop.customer().pk, workshop.material().pk
    row = {"customer": customer, "material": material, "quantity": 1}
    made = store(
        "Order", [{**row, "order_number": n} for n in numbers(workshop, count)]
    )
    panes_of(made, workshop)
    return made


def panes_of(orders, workshop, **values):
    return store(
        "Pane",
        [
            {"pane_number": number, "order": order, **values}
            for order, number in zip(
                orders, numbers(workshop, len(orders)), strict=True
            )
        ],
    )


def panes(workshop, count):
    """Panes of different orders."""
    made = orders(workshop, count)
    return panes_of(made, workshop)


def claims(workshop, count):
    """Pending claims of panes of different orders."""
    row = {"source": "worker", "description": "a", "reported_by": ObjectId()}
    row["material"] = workshop.material().pk
    claimed = orders(workshop, count)
    panes = panes_of(claimed, workshop)
    ids = store(
        "Claim",
        [
            {**row, "order": order, "pane": pane, "claim_number": str(pane)}
            for order, pane in zip(claimed, panes, strict=True)
        ],
    )
    for claim, pane in zip(ids, panes, strict=True):
        held = {"claim": claim, "status": "pending", "station": None}
        found = BY_NAME["Pane"].objects(pk=pane)
        found.update(current_status=str(Status.CLAIMED), held_from=held)
    return ids


def requests_with_orders(workshop, count):
    customer = workshop.customer().pk
    made = store(
        "Request",
        [
            {"customer": customer, "details": {}, "request_number": n}
            for n in numbers(workshop, count)
        ],
    )
    for order, request in zip(orders(workshop, count), made, strict=True):
        BY_NAME["Order"].objects(pk=order).update(request=request)
    return made


def stations(workshop, count):
    """Stations where a pane stands each."""
    template = workshop.template().pk
    made = named("Station", template_id=template)(workshop, count)
    of = orders(workshop, count)
    standing = panes_of(of, workshop)
    for pane, station in zip(standing, made, strict=True):
        found = BY_NAME["Pane"].objects(pk=pane)
        found.update(current_station=station, routing=[station])
    return made


def notifications(workshop, count):
    row = {"recipient": workshop.worker().pk, "type": "a", "title": "b"}
    return store("Notification", [row] * count)


def production_logs(workshop, count):
    row = {"pane": ObjectId(), "order": ObjectId(), "station": ObjectId()}
    return store("ProductionLog", [{**row, "action": "start"}] * count)


def job_types(workshop, count):
    rows = [{"name": "a", "code": workshop.next("code")} for _ in range(count)]
    return store("JobType", rows)


def quotes(workshop, count):
    row = {"customer": workshop.customer().pk, "price": PRICE_OF_NOTHING}
    return store("Quote", [row] * count)


def deliveries(workshop, count):
    return store("Delivery", [{"customer": workshop.customer().pk}] * count)


MAKERS = {
    "customers": named("Customer"),
    "price-lists": named("PriceList"),
    "quotes": quotes,
    "deliveries": deliveries,
    "materials": materials,
    "inventories": lots,
    "material-logs": material_logs,
    "requests": requests_with_orders,
    "orders": orders,
    "panes": panes,
    "claims": claims,
    "withdrawals": withdrawals,
    "stations": stations,
    "station-templates": named("StationTemplate"),
    "sticker-templates": named("StickerTemplate", width=1, height=1),
    "job-types": job_types,
    "notifications": notifications,
    "production-logs": production_logs,
    "workers": workers,
    "roles": roles_of_workers,
}


#: The kinds whose hooks change other records, one by one if they are written badly.
QUICK = ("claims", "inventories", "material-logs", "withdrawals", "workers")


@pytest.mark.parametrize(
    "name",
    [
        name if name in QUICK else pytest.param(name, marks=pytest.mark.slow)
        for name in MAKERS
    ],
)
def test_deleting_40_records_takes_as_many_round_trips_as_5(
    admin, workshop, trips, set_policy, name
):
    set_policy(delete_policy="cascade")
    counts = []
    for count in (FEW, MANY):
        body = {"ids": [str(one) for one in MAKERS[name](workshop, count)]}
        sent = trips(lambda body=body: admin.delete(f"/api/{name}", body))
        counts.append(len(sent))
    assert counts[1] <= counts[0] + QUERIES_FOR_MANY_ORDERS, (counts, sent)
