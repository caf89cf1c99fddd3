"""The metrics of sockets, event streams and events."""

from datetime import timedelta

import requests
from mongoengine.connection import get_db

from glassflow.core.process import clock
from glassflow.core.store import outbox
from glassflow.realtime import limits
from messages import add_to_log
from metrics_samples import Watched
from raw_client import open_polling_session
from waiting import wait_until


def test_open_sockets_and_streams_are_counted_until_they_end(
    admin, manager, screen, scrape
):
    watched = Watched(scrape)
    first, second = screen(manager), screen(admin)
    assert watched.growth("sockets") == 2
    header = {"Authorization": f"Bearer {admin.token}", "Accept": "text/event-stream"}
    with requests.get(f"{admin.url}/api/events", headers=header, stream=True):
        wait_until(lambda: watched.growth("streams") == 1)
        first.close()
        wait_until(lambda: watched.growth("sockets") == 1)
        # ends the second socket and the stream
        assert admin.post("/api/auth/logout").status == 200
        wait_until(lambda: watched.growth("sockets") == 0)
    wait_until(lambda: watched.growth("streams") == 0)
    assert watched.growth("hung_up_total", reason="token") == 2
    second.close()


def test_published_and_delivered_events_are_counted(
    admin, manager, workshop, screen, scrape
):
    one = screen(manager, "join_inventory")
    watched = Watched(scrape)
    material = workshop.material()
    admin.patch(f"/api/materials/{material.pk}", {"name": "Clear 6 mm"})
    one.wait_for(lambda: "material:updated" in one.event_names())
    wait_until(lambda: watched.growth("event_delivery_seconds_count") >= 1)
    assert watched.growth("events_total", event="material:updated") == 1
    assert watched.growth("events_total", event="") == 0
    wait_until(lambda: scrape().sum("event_lag") == 0)


def test_events_that_are_still_to_be_sent_are_counted(log_tail, scrape):
    with log_tail.paused() as position:
        last = add_to_log("notification", [{"title": "late"}] * 3, rooms=["nobody"])
        log_tail.poll()
        assert scrape().sum("event_lag") == last - position >= 3
    wait_until(lambda: scrape().sum("event_lag") == 0)


def test_age_of_the_oldest_change_that_is_not_published_is_shown(
    app, admin, scrape, monkeypatch
):
    own, publisher = app.extensions["runtime"], app.extensions["realtime"].publisher
    wait_until(lambda: scrape().sum("outbox_oldest_seconds") == 0)
    # nothing is published while a test holds this
    with publisher._one_at_a_time, monkeypatch.context() as patched:
        patched.setattr(own, "publish_soon", None)
        for name in ("first", "second"):
            assert admin.post("/api/customers", {"name": name}).status == 201
        waiting = get_db()[outbox.COLLECTION]
        oldest = waiting.find_one(sort=[("_id", 1)])
        changed = clock.now()
        age = {"$set": {"at": changed - timedelta(seconds=90)}}
        waiting.update_one({"_id": oldest["_id"]}, age)
        shown = scrape().sum("outbox_oldest_seconds")
        since = (clock.now() - changed).total_seconds()
        assert 90 <= shown <= 91 + since, "not that of the second"
    publisher.flush()
    wait_until(lambda: scrape().sum("outbox_oldest_seconds") == 0)


def test_a_socket_without_a_login_is_counted_when_it_is_closed(
    server, scrape, monkeypatch
):
    watched = Watched(scrape)
    monkeypatch.setattr(limits, "UNAUTHENTICATED_TIMEOUT_S", 0.1)
    open_polling_session(server)
    wait_until(lambda: watched.growth("hung_up_total", reason="unauthenticated") == 1)
