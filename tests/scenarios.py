"""Records that many tests start with, created through the API as users create them."""

from types import SimpleNamespace

from glassflow.core.process import clock

#: The resources of `valid_bodies`.
RESOURCES = (
    "calls", "customers", "cutting-plans", "deliveries", "inventories", "job-types", "material-logs", "materials",
    "notifications", "orders", "panes", "payments", "price-lists", "production-logs", "quotes", "racks", "requests",
    "roles",
    "station-templates", "stations", "sticker-templates", "webhooks", "withdrawals", "workers",
)  # fmt: skip

#: A payment is made void, and not deleted; a call has to end before.
DELETED = [one for one in RESOURCES if one not in ("payments", "calls")]

#: The `price` of a quote without panes, for quotes that are stored directly.
PRICE_OF_NOTHING = {
    "panes": [], "subtotal": "0.00", "rush": "0.00", "discount": 0, "discountAmount": "0.00",
    "minimumCharge": "0.00", "total": "0.00", "vatPercent": 7, "vat": "0.00",
    "totalWithVat": "0.00", "isComplete": True, "isExample": False, "priceList": None,
}  # fmt: skip


def order_with_panes(admin, workshop, steps=2, panes=1, route=None, pane=None, **order):
    """Create a request with panes, and the order that adopts them.

    `steps` is the number of stations; `route` lists indexes of them, for routes that
    return to a station. `pane` has further fields of each pane, and `order` of the
    order, such as the `customer` of both. The result has
    `stations`, `customer`, `material` (ids), `request`, `order`, `panes` (records) and
    `numbers` (of the panes).
    """
    stations = [str(one.pk) for one in workshop.stations(steps)]
    routing = stations if route is None else [stations[index] for index in route]
    details = {"type": "window", "quantity": panes}
    job = _order(admin, workshop, details, {"routing": routing, **(pane or {})}, order)
    job.stations = stations
    job.numbers = [pane["paneNumber"] for pane in job.panes]
    return job


def order_with_units(admin, workshop, sheets=2, count=1, before=1, after=1, **order):
    """Create an order of laminated units, with their sheets.

    `before` and `after` are the numbers of stations around the lamination station. The
    result is as that of `order_with_panes`, and has `lamination_station`, `parents`
    (pane numbers) and `sheets` (a list of pane numbers for each unit).
    """
    first = [str(one.pk) for one in workshop.stations(before)]
    lamination = str(workshop.station(is_laminate_station=True).pk)
    stations = [*first, lamination, *(str(one.pk) for one in workshop.stations(after))]
    pane = {"routing": stations, "rawGlass": {"sheetsPerPane": sheets}}
    details = {"type": "laminated", "quantity": count}
    job = _order(admin, workshop, details, pane, order)
    parents = [pane for pane in job.panes if pane["laminateRole"] == "parent"]
    job.stations, job.lamination_station = stations, lamination
    job.parents = [parent["paneNumber"] for parent in parents]
    job.sheets = [
        [p["paneNumber"] for p in job.panes if p["parentPane"] == parent["_id"]]
        for parent in parents
    ]
    return job


def _order(admin, workshop, details, pane, order):
    customer = order.get("customer") or str(workshop.customer().pk)
    material = str(workshop.material().pk)
    quantity = details["quantity"]
    request = admin.post(
        "/api/requests",
        {"customer": customer, "details": details, "panes": [pane] * quantity},
    ).data
    body = {"customer": customer, "material": material, "quantity": quantity, **order}
    created = admin.post("/api/orders", {**body, "request": request["_id"]}).data
    panes = admin.get(
        "/api/panes", request=request["_id"], sort="paneNumber", limit=100
    ).data
    return SimpleNamespace(
        customer=customer,
        material=material,
        request=request,
        order=created,
        panes=panes,
    )


def pass_station(api, number, station):
    """Scan a pane in, complete and out at one station; return the last answer."""
    for action in ("scan_in", "complete"):
        assert api.scan(number, action, station=station).status == 200
    return api.scan(number, "scan_out", station=station)


def bring_to_lamination(api, number, job):
    """Let a sheet pass the stations before its lamination, and scan it in there."""
    for station in job.stations[: job.stations.index(job.lamination_station)]:
        assert pass_station(api, number, station).status == 200
    answer = api.scan(number, "scan_in", station=job.lamination_station)
    assert answer.status == 200, answer
    return answer


def claim_pane(api, number, **fields):
    """Claim a pane by its number, reported by the client's worker; return the answer."""
    body = {"source": "worker", "description": "ร้าว", "reportedBy": api.id}
    return api.post("/api/claims/from-pane", {**body, "paneNumber": number, **fields})


def claim_under_order(api, job, **fields):
    """Claim the first pane of an order, or that of `fields`; return the claim."""
    body = {
        "source": "worker",
        "material": job.material,
        "description": "แตก",
        "reportedBy": api.id,
        "pane": job.panes[0]["_id"],
        **fields,
    }
    return api.post(f"/api/orders/{job.order['_id']}/claims", body).data


def billing_entry(workshop):
    """Store what a customer owes for a delivery; no client creates one."""
    customer = workshop.customer().pk
    delivery = workshop.make("Delivery", customer=customer)
    return workshop.make(
        "BillingEntry",
        entry_number="BIL-9001",
        customer=customer,
        delivery=delivery.pk,
        delivered_at=clock.now(),
    )


def pane_to_cut(workshop):
    """Make a pane that waits for cutting; return the id of its material."""
    material, station = workshop.material(), workshop.station(is_cutting_station=True)
    order = workshop.make(
        "Order", customer=workshop.customer().pk, material=material.pk, quantity=1
    )
    workshop.make(
        "Pane",
        pane_number="PNE-9002",
        qr_code="y",
        order=order.pk,
        current_station=station.pk,
        routing=[station.pk],
        dimensions={"width": 500, "height": 500, "thickness": 6, "area": 250_000},
    )
    return str(material.pk)


def valid_bodies(workshop):
    """Valid bodies for each resource: path, body to create, body to change.

    The keys are the names of the events, or of the resource where it has none.
    """
    material, customer = workshop.material(), workshop.customer()
    template, station = workshop.template(), workshop.station()
    order = workshop.make(
        "Order",
        order_number="ORD-9001",
        customer=customer.pk,
        material=material.pk,
        quantity=1,
    )
    pane = workshop.make("Pane", pane_number="PNE-9001", qr_code="x", order=order.pk)
    workshop.make(
        "Inventory", material=material.pk, stock_type="Raw", quantity=9, location="Z"
    )
    glass = {"material": str(material.pk)}
    return {
        "material:updated": (
            "materials",
            {"name": "a", "unit": "b", "reorderPoint": 1},
            {"name": "c"},
        ),
        "order:updated": (
            "orders",
            {**glass, "customer": str(customer.pk), "quantity": 1},
            {"notes": "x"},
        ),
        "log:updated": (
            "material-logs",
            {**glass, "actionType": "cut", "quantityChanged": 1},
            {"totalPrice": 5},
        ),
        "request:updated": (
            "requests",
            {"customer": str(customer.pk), "details": {"type": "a", "quantity": 1}},
            {"deliveryLocation": "x"},
        ),
        "withdrawal:updated": (
            "withdrawals",
            {**glass, "quantity": 1, "stockType": "Raw"},
            {"notes": "x"},
        ),
        "station:updated": (
            "stations",
            {"name": "a", "templateId": str(template.pk)},
            {"status": "online"},
        ),
        "rack:updated": (
            "racks",
            {"name": "a", "station": str(station.pk)},
            {"place": "b"},
        ),
        "planning:updated": (
            "cutting-plans",
            {"material": pane_to_cut(workshop)},
            {"notes": "x"},
        ),
        "call:updated": (
            "calls",
            {"station": str(station.pk), "kind": "machine"},
            {"reason": "x"},
        ),
        "pane:updated": ("panes", {"notes": "a"}, {"notes": "b"}),
        "production-log:updated": (
            "production-logs",
            {
                "pane": str(pane.pk),
                "order": str(order.pk),
                "station": str(station.pk),
                "action": "start",
            },
            {"status": "pass"},
        ),
        "station-template:updated": ("station-templates", {"name": "a"}, {"name": "b"}),
        "sticker-template:updated": (
            "sticker-templates",
            {"name": "s", "width": 5, "height": 5},
            {"width": 6},
        ),
        "webhook:updated": (
            "webhooks",
            {
                "url": "https://example.com/hook",
                "events": ["*"],
                "secret": "whsec_" + "YWJj" * 10,
                "isActive": False,
            },
            {"events": ["pane:updated"]},
        ),
        "jobType:updated": ("job-types", {"name": "a", "code": "b"}, {"name": "c"}),
        "customers": ("customers", {"name": "a"}, {"phone": "1"}),
        "priceList:updated": ("price-lists", {"name": "a"}, {"percent": -8}),
        "quote:updated": (
            "quotes",
            {"customer": str(customer.pk), "panes": [{"quantity": 2}]},
            {"notes": "b"},
        ),
        "delivery:updated": (
            "deliveries",
            {"customer": str(customer.pk), "vehicle": "a"},
            {"notes": "b"},
        ),
        "payment:updated": (
            "payments",
            {"customer": str(customer.pk), "amount": 1},
            {"note": "b"},
        ),
        "roles": ("roles", {"name": "a"}, {"description": "b"}),
        "workers": (
            "workers",
            {
                "name": "a",
                "username": "a",
                "password": "secret 1",
                "position": "b",
                "role": str(workshop.roles["worker"].pk),
            },
            {"position": "c"},
        ),
        "notifications": (
            "notifications",
            {"recipient": str(workshop.worker().pk), "type": "a", "title": "b"},
            {"readStatus": True},
        ),
        "inventories": (
            "inventories",
            {**glass, "stockType": "Raw", "quantity": 1, "location": "A"},
            {"quantity": 2},
        ),
    }


def one_of_each(admin, workshop):
    """Make a record of every kind, over HTTP, so that every list has one."""
    job = order_with_panes(admin, workshop, panes=2)
    admin.scan(job.numbers[0], "scan_in")
    claim_pane(admin, job.numbers[1])
    export = {"name": "e", "resource": "panes", "format": "csv", "query": ""}
    admin.post("/api/saved-exports", export)
    billing_entry(workshop)
    for name, body, _ in valid_bodies(workshop).values():
        admin.post(f"/api/{name}", body)
