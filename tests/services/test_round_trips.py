"""How often a request goes to the store: a bound for each of the busy ones.

The bounds are what was measured, so that one that grows is noticed.
"""

import pytest
from pymongo.synchronous.pool import Connection

from stories import line


@pytest.fixture
def trips(monkeypatch):
    """Gives the commands that a call sends to the store, by name."""
    sent, command = [], Connection.command

    def counting(self, dbname, spec, *args, **kwargs):
        sent.append(next(iter(spec)))
        return command(self, dbname, spec, *args, **kwargs)

    monkeypatch.setattr(Connection, "command", counting)

    def count(call):
        sent.clear()
        answer = call()
        assert answer.status in (200, 201), answer
        return list(sent)

    return count


def test_scans(admin, worker, manager, workshop, trips):
    day = line(admin, workshop, steps=2, panes=2, assignedTo=manager.id)
    first, second = day.numbers
    worker.scan(second, "scan_in")  # the order has begun
    counts = {
        action: len(trips(lambda action=action: worker.scan(first, action)))
        for action in ("scan_in", "complete", "scan_out")
    }
    again = len(trips(lambda: worker.scan(first, "scan_out")))
    # worker, role, pane, order, stations; pane, log; commit
    assert counts["scan_in"] <= 8
    assert counts["complete"] <= 8
    # besides: the order's count and its change, the notification
    assert counts["scan_out"] <= 11
    assert again <= 5


def test_a_batch_of_50_costs_little_more_than_one(admin, worker, workshop, trips):
    day = line(admin, workshop, panes=50)
    worker.scan(day.numbers[0], "scan_in")
    body = {"paneNumbers": day.numbers, "action": "start"}
    assert len(trips(lambda: worker.post("/api/panes/batch-scan", body))) <= 8


def test_a_request_with_20_panes(admin, workshop, trips):
    station, customer = str(workshop.station().pk), str(workshop.customer().pk)
    body = {
        "customer": customer,
        "details": {"type": "window", "quantity": 20},
        "panes": [{"routing": [station]}] * 20,
    }
    # worker, role; two counters; customer, station; request, panes; commit
    assert len(trips(lambda: admin.post("/api/requests", body))) <= 9


def test_lists(admin, workshop, trips):
    line(admin, workshop, panes=20)
    # worker, role, count, page
    assert len(trips(lambda: admin.get("/api/panes"))) <= 4
    # and order, request, material, stations
    assert len(trips(lambda: admin.get("/api/panes", populate="true"))) <= 8
