"""Visits of the last weeks, stored as the logs of panes that are gone by now."""

from datetime import timedelta
from itertools import count, islice

from bson import ObjectId

from glassflow.core.process import clock
from glassflow.domain.panes.status import Action
from glassflow.models.order import Order
from glassflow.models.pane_log import PaneLog
from glassflow.services.forecasts import past


def fill(stations, *, days=20, panes=12, seconds=600, planned=timedelta(0)):
    """Store so many panes a day that passed the stations, each for so many seconds there.

    They came one after the other, so that each station worked on one pane at a time. The
    days are the last ones before today, from this time on, without Saturdays and Sundays.
    Each pane was made so long before its order (`planned`).
    """
    now = clock.now()
    logs, orders = [], []
    before = (now - timedelta(days=day) for day in count(1))
    for begin in islice((one for one in before if one.weekday() < 5), days):
        for number in range(panes):
            pane, order, at = (
                ObjectId(),
                ObjectId(),
                begin + timedelta(seconds=number * seconds),
            )
            orders.append({"_id": order, "createdAt": at})
            for step, station in enumerate(stations):
                is_last = step == len(stations) - 1
                left = at + timedelta(seconds=seconds)
                logs.append(
                    {
                        "_id": ObjectId(),
                        "version": 1,
                        "pane": pane,
                        "station": ObjectId(station),
                        "action": str(Action.SCAN_OUT),
                        "order": order,
                        "arrivedAt": at if step else at - planned,
                        "takenInAt": at if is_last else None,
                        "createdAt": left,
                        "updatedAt": left,
                    }
                )
                at = left
    PaneLog.collection().insert_many(logs)
    Order.collection().insert_many(orders)
    past.forget()
