"""How often a request goes to the store: a bound for each of the busy ones.

The bounds are what was measured, so that one that grows is noticed.
"""

import gevent
import pytest
from mongoengine.connection import get_connection
from pymongo.monitoring import CommandListener

from stories import line


class Ear(CommandListener):
    """Hears every command: finds and bulk writes go past `Connection.command`.

    Not those of the greenlets that publish: no request waits for them.
    """

    def __init__(self):
        self.heard = []

    def started(self, event):
        if getattr(gevent.getcurrent(), "name", "") != "background":
            self.heard.append(event.command_name)

    def succeeded(self, event):
        pass

    def failed(self, event):
        pass


@pytest.fixture
def trips(app, monkeypatch):
    """Gives the commands that a call sends to the store, by name."""
    ear, listeners = Ear(), get_connection()._event_listeners
    private = "_EventListeners__"  # the client was made before this test
    monkeypatch.setattr(listeners, f"{private}command_listeners", [ear])
    monkeypatch.setattr(listeners, f"{private}enabled_for_commands", True)

    def count(call):
        ear.heard.clear()
        answer = call()
        assert answer.status in (200, 201), answer
        return list(ear.heard)

    return count


def test_the_counter_hears_every_kind_of_command(admin, worker, workshop, trips):
    day = line(admin, workshop)
    heard = trips(lambda: worker.scan(day.numbers[0], "scan_in"))
    assert {"find", "update", "insert", "commitTransaction"} <= set(heard)


def test_scans(admin, worker, manager, workshop, trips):
    day = line(admin, workshop, steps=2, panes=2, assignedTo=manager.id)
    first, second = day.numbers
    worker.scan(second, "scan_in")  # the order has begun
    counts = {
        action: len(trips(lambda action=action: worker.scan(first, action)))
        for action in ("scan_in", "complete", "scan_out")
    }
    again = len(trips(lambda: worker.scan(first, "scan_out")))
    # worker, role, pane, order, stations; pane, log, events; commit
    assert counts["scan_in"] <= 9
    assert counts["complete"] <= 9
    # besides: the order's count and its change, the notification and its recipient
    assert counts["scan_out"] <= 13
    assert again <= 5


@pytest.mark.slow
def test_a_batch_of_50_costs_little_more_than_one(admin, worker, workshop, trips):
    day = line(admin, workshop, panes=50)
    worker.scan(day.numbers[0], "scan_in")
    body = {"paneNumbers": day.numbers, "action": "start"}
    assert len(trips(lambda: worker.post("/api/panes/batch-scan", body))) <= 9


def test_a_request_with_20_panes(admin, workshop, trips):
    station, customer = str(workshop.station().pk), str(workshop.customer().pk)
    body = {
        "customer": customer,
        "details": {"type": "window", "quantity": 20},
        "panes": [{"routing": [station]}] * 20,
    }
    # worker, role; two counters; customer, station, tie; request, panes, events; commit
    assert len(trips(lambda: admin.post("/api/requests", body))) <= 11


@pytest.mark.slow
def test_twenty_panes_cost_an_order_and_a_cancellation_no_more_than_one(
    admin, workshop, trips
):
    counts = []
    for panes in (1, 20):
        day = line(admin, workshop, panes=panes)
        admin.patch(f"/api/orders/{day.order['_id']}", {"status": "cancelled"})
        body = {
            "customer": day.customer,
            "details": {"type": "window", "quantity": panes},
            "panes": [{"routing": day.stations}] * panes,
        }
        request = admin.post("/api/requests", body).data["_id"]
        order = {
            "customer": day.customer,
            "material": day.material,
            "quantity": panes,
            "request": request,
        }
        adopting = trips(lambda order=order: admin.post("/api/orders", order))
        path, said = f"/api/requests/{request}", {"status": "cancelled"}
        cancelling = trips(lambda path=path, said=said: admin.patch(path, said))
        counts.append((len(adopting), len(cancelling)))
    assert counts[0] == counts[1]
    assert max(counts[1]) <= 14, counts


def test_lists(admin, workshop, trips):
    line(admin, workshop, panes=20)
    # worker, role, count, page
    assert len(trips(lambda: admin.get("/api/panes"))) <= 4
    # and order, request, material, stations
    assert len(trips(lambda: admin.get("/api/panes", populate="true"))) <= 8
