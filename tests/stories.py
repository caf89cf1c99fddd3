"""Beginnings that many tests share, made through the interface as people make them."""

from types import SimpleNamespace


def line(admin, workshop, steps=2, panes=1, route=None, **order):
    """A request with panes along stations, and the order that adopted them.

    `route` lists indexes of the stations, for routes that come back to one.
    """
    stations = [str(one.pk) for one in workshop.stations(steps)]
    routing = stations if route is None else [stations[index] for index in route]
    customer, material = str(workshop.customer().pk), str(workshop.material().pk)
    request = admin.post(
        "/api/requests",
        {
            "customer": customer,
            "details": {"type": "window", "quantity": panes},
            "panes": [{"routing": routing}] * panes,
        },
    ).data
    made = admin.post(
        "/api/orders",
        {
            "customer": customer,
            "material": material,
            "quantity": panes,
            "request": request["_id"],
            **order,
        },
    ).data
    found = admin.get(
        "/api/panes", request=request["_id"], sort="paneNumber", limit=100
    )
    return SimpleNamespace(
        stations=stations,
        customer=customer,
        material=material,
        request=request,
        order=made,
        panes=found.data,
        numbers=[pane["paneNumber"] for pane in found.data],
    )


def through(api, number, station):
    """Take a pane through one station; give the last answer."""
    for action in ("scan_in", "complete"):
        assert api.scan(number, action, station=station).status == 200
    return api.scan(number, "scan_out", station=station)


def good_bodies(workshop):
    """A good body and a good change for each resource, by its event or its name."""
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
        "jobType:updated": ("job-types", {"name": "a", "code": "b"}, {"name": "c"}),
        "customers": ("customers", {"name": "a"}, {"phone": "1"}),
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
