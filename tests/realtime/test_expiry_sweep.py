"""Expired documents of the embedded store are removed by the process that publishes."""

from datetime import timedelta

import gevent
import pytest
from mongoengine.connection import get_db

from glassflow.core import clock, expiry, ttl_indexes
from glassflow.realtime import expiry_sweep
from glassflow.realtime.expiry_sweep import ExpirySweep
from waiting import wait_until

COLLECTION = "swept_in_a_test"
pytestmark = pytest.mark.embedded_store


def test_holder_removes_what_has_expired_and_others_remove_nothing(app, monkeypatch):
    monkeypatch.setattr(expiry_sweep, "INTERVAL_S", 0.02)
    rows = get_db()[COLLECTION]
    ttl_indexes.ensure(COLLECTION, "until", 0)
    rows.insert_one({"until": clock.now() - timedelta(seconds=1)})
    holders = []
    sweep = ExpirySweep(is_holder=lambda: bool(holders))
    remove = expiry.remove_expired
    # the sweep of the application comes once a minute, perhaps just now
    monkeypatch.setattr(
        expiry,
        "remove_expired",
        lambda: remove() if gevent.getcurrent() is sweep._greenlet else 0,
    )
    sweep.start()
    try:
        gevent.sleep(0.2)
        assert rows.count_documents({}) == 1
        holders.append("this process")
        wait_until(lambda: rows.count_documents({}) == 0)
        rows.insert_one({"until": clock.now() - timedelta(seconds=1)})
        wait_until(lambda: rows.count_documents({}) == 0)
    finally:
        sweep.stop()
        rows.drop()
        get_db()[expiry.COLLECTION].delete_many({"collection": COLLECTION})
