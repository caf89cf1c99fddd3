"""Finished orders whose panes are handed over, and what is owed for them."""

from datetime import datetime
from zoneinfo import ZoneInfo

from mongoengine.connection import get_db

from glassflow.core.store import migrations
from scenarios import order_with_panes, pass_station

PATH = "/api/billing-entries"
PRICES = {
    "glassPrices": {"Clear": {"6mm": {"pricePerSqFt": 100, "grindingRate": 0}}},
    "minimumArea": 0,
    "minimumCharge": 0,
    "vatPercent": 7,
}
#: 929.03 × 1,000 mm are 10 ft², 1,000 baht.
PANE = {
    "dimensions": {"width": 929.03, "height": 1000},
    "rawGlass": {"glassType": "Clear", "thickness": 6},
}


def finished(admin, workshop, agreed=0, panes=3, **order):
    made = order_with_panes(admin, workshop, steps=1, panes=panes, pane=PANE, **order)
    details = {"estimatedPrice": agreed}
    admin.patch(f"/api/requests/{made.request['_id']}", {"details": details})
    for number in made.numbers:
        pass_station(admin, number, made.stations[0])
    return made


def deliver(api, job, *panes):
    """Hand over some panes of a job, by their positions; return the delivery."""
    return hand_over(api, job.customer, [job.panes[one] for one in panes])


def hand_over(api, customer, chosen):
    """Plan a delivery of some panes of a customer, and hand it over; return it."""
    body = {"customer": customer, "panes": [one["_id"] for one in chosen]}
    planned = api.post("/api/deliveries", body).data
    numbers = [one["paneNumber"] for one in chosen]
    done = api.post(
        f"/api/deliveries/{planned['_id']}/hand-over",
        {"paneNumbers": numbers, "receivedBy": "สมชาย"},
    )
    assert done.status == 200, done.body
    return done.data


def month_of(delivered):
    """The month of the workshop in which a delivery or entry was delivered, as "2026-11"."""
    moment = datetime.fromisoformat(delivered["deliveredAt"])
    return f"{moment.astimezone(ZoneInfo('Asia/Bangkok')):%Y-%m}"


def entry_of(api, delivery):
    [found] = api.get(PATH, delivery=delivery["_id"]).data
    return found


def bill(api, *entries, invoice="INV-1"):
    body = {"ids": [one["_id"] for one in entries], "invoiceNumber": invoice}
    return api.post(f"{PATH}/bill", body)


def forget_prices_of_panes():
    """Store panes, requests and entries as a release before step 0014 has stored them."""
    db = get_db()
    db["panes"].update_many({}, {"$unset": {"agreedPrice": 1}})
    db["requests"].update_many({}, {"$unset": {"unsharedPrice": 1}})
    db["billing_entries"].update_many({}, {"$unset": {"parts.$[].panes": 1}})
    db["billing_entries"].create_index([("delivery", 1)], unique=True)
    db[migrations.COLLECTION].delete_many({"_id": "0014_agreed_prices"})
