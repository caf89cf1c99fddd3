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
