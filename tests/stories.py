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


def units(admin, workshop, sheets=2, count=1, before=1, after=1, **order):
    """Laminated units in an order: `before` stations, the lamination, `after` more.

    Gives `stations`, their lamination station `press`, `parents`, and `sheets` as a
    list of pane numbers for each unit.
    """
    made = [str(one.pk) for one in workshop.stations(before)]
    press = str(workshop.station(is_laminate_station=True).pk)
    stations = [*made, press, *(str(one.pk) for one in workshop.stations(after))]
    customer, material = str(workshop.customer().pk), str(workshop.material().pk)
    pane = {"routing": stations, "rawGlass": {"sheetsPerPane": sheets}}
    details = {"type": "laminated", "quantity": count}
    asked = {"customer": customer, "details": details, "panes": [pane] * count}
    request = admin.post("/api/requests", asked).data
    body = {"customer": customer, "material": material, "quantity": count, **order}
    made_order = admin.post("/api/orders", {**body, "request": request["_id"]}).data
    found = admin.get(
        "/api/panes", request=request["_id"], sort="paneNumber", limit=100
    ).data
    parents = [pane for pane in found if pane["laminateRole"] == "parent"]
    return SimpleNamespace(
        stations=stations,
        press=press,
        customer=customer,
        material=material,
        request=request,
        order=made_order,
        parents=[parent["paneNumber"] for parent in parents],
        sheets=[
            [p["paneNumber"] for p in found if p["parentPane"] == parent["_id"]]
            for parent in parents
        ],
    )


def to_the_press(api, number, day):
    """Take a sheet through the stations before its lamination, and into that."""
    for station in day.stations[: day.stations.index(day.press)]:
        assert through(api, number, station).status == 200
    answer = api.scan(number, "scan_in", station=day.press)
    assert answer.status == 200, answer
    return answer
