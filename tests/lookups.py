"""Reading single records again, to see what a test has changed."""

from glassflow.models import ALL, BY_NAME
from glassflow.services.records import references

#: Logs stay when the records that they name are deleted.
LOGS = ("PaneLog", "MaterialLog", "ProductionLog")


def pane_of(api, number):
    """Read a pane by its number or its id."""
    return api.get(f"/api/panes/{number}").data


def order_of(api, order):
    """Read an order again; `order` is an earlier state of it."""
    return api.get(f"/api/orders/{order['_id']}").data


def claim_of(api, claim):
    """Read a claim again; `claim` is an earlier state of it."""
    return api.get(f"/api/claims/{claim['_id']}").data


def pane_actions(api, number):
    """List the actions in the log of a pane, oldest first."""
    pane = pane_of(api, number)["_id"]
    logs = api.get("/api/pane-logs", paneId=pane, sort="_id", limit=100).data
    return [log["action"] for log in logs]


def remakes_of(api, number):
    """Read the remakes of a pane, by its number."""
    return api.get("/api/panes", remakeOf=pane_of(api, number)["_id"]).data


def dangling_references():
    """List the references of stored records, except logs, to records that are gone."""
    found = []
    for model in ALL:
        if model.__name__ in LOGS:
            continue
        for row in model.collection().find():
            values = {name: row.get(f.db_field) for name, f in model._fields.items()}
            for mention in references.references_in(model, values):
                collection = BY_NAME[mention.model].collection()
                for record_id in mention.ids:
                    if not collection.find_one({"_id": record_id}):
                        found.append((model.__name__, mention.field, record_id))
    return found


def counted_figures(api, order):
    """Count an order's figures again, from its panes.

    They are single ones without claims; none was cancelled on its own.
    """
    panes = api.get("/api/panes", order=order["_id"], limit=100).data
    live = [p for p in panes if p["currentStatus"] not in ("cancelled", "defected")]
    stations = [p["currentStation"] for p in live if p["currentStation"]]
    return {
        "paneCount": max(len(live), order["quantity"]),
        "panesCompleted": sum(p["currentStatus"] == "completed" for p in live),
        "stationBreakdown": {one: stations.count(one) for one in stations},
    }


def assert_figures_match(api, order):
    """The figures of an order equal a new count of its panes."""
    counted = counted_figures(api, order)
    found = order_of(api, order)
    assert {name: found[name] for name in counted} == counted
