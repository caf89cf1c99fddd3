"""The values of panes that templates can show, as texts.

A label shows what its reader could read directly: the address of a delivery needs the
view key of requests, the name of a customer that of customers.
"""

from collections.abc import Sequence

from glassflow.core.process.cooperative import yielding
from glassflow.domain.aliases import May, Raw
from glassflow.models.customer import Customer
from glassflow.models.material import Material
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.models.station import Station
from glassflow.services.records import lookup

_OF_PANE = (
    "paneNumber", "qrCode", "glassType", "glassTypeLabel", "jobType", "sheetLabel",
    "mark", "cornerSpec", "dimensionTolerance", "notes",
)  # fmt: skip
_INSIDE = {
    "dimensions": ("width", "height", "thickness"),
    "rawGlass": ("color", "sheetsPerPane"),
}


def values_of_panes(rows: Sequence[Raw], may: May) -> list[dict[str, str]]:
    """Return the variables of each pane; what the reader may not see is empty."""
    orders = lookup.referred(Order, rows, "order")
    requests = lookup.referred(Request, rows, "request")
    parents = lookup.referred(Pane, rows, "parentPane")
    stations = lookup.referred(Station, rows, "currentStation")
    materials = lookup.referred(Material, rows, "material")
    heads = [*orders.values(), *requests.values()]
    customers = (
        lookup.referred(Customer, heads, "customer") if may("customers:view") else {}
    )
    sees_requests = may("requests:view")
    found = []
    for row in yielding(rows):
        order = orders.get(row.get("order"), {})
        request = requests.get(row.get("request"), {})
        customer = order.get("customer", request.get("customer"))
        values = {
            "orderNumber": order.get("orderNumber"),
            "requestNumber": request.get("requestNumber"),
            "customerName": customers.get(customer, {}).get("name"),
            "deliveryLocation": request.get("deliveryLocation")
            if sees_requests
            else "",
            "parentPane.paneNumber": parents.get(row.get("parentPane"), {}).get(
                "paneNumber"
            ),
            "stationName": stations.get(row.get("currentStation"), {}).get("name"),
            "materialName": materials.get(row.get("material"), {}).get("name"),
        }
        for name in _OF_PANE:
            values[name] = row.get(name)
        for name, inner in _INSIDE.items():
            values |= {key: (row.get(name) or {}).get(key) for key in inner}
        found.append({key: as_shown(value) for key, value in values.items()})
    return found


def as_shown(value: object) -> str:
    """Return a value as a label shows it: `1200`, not `1200.0`; nothing as ""."""
    if value is None:
        return ""
    return f"{value:.10g}" if isinstance(value, (int, float)) else str(value)
