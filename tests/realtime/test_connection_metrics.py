"""The metrics of sockets, event streams and events."""

import pytest
import requests

from glassflow.realtime import limits
from metrics_samples import Metrics, Watched
from raw_client import open_polling_session
from waiting import wait_until


@pytest.fixture
def scrape(anonymous):
    return lambda: Metrics(anonymous.get("/metrics").text)


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


def test_a_socket_without_a_login_is_counted_when_it_is_closed(
    server, scrape, monkeypatch
):
    watched = Watched(scrape)
    monkeypatch.setattr(limits, "UNAUTHENTICATED_TIMEOUT_S", 0.1)
    open_polling_session(server)
    wait_until(lambda: watched.growth("hung_up_total", reason="unauthenticated") == 1)
