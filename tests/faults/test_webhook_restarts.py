"""Webhooks of a service with two processes that are killed while they deliver."""

import pytest

from service import Service, shared_settings
from waiting import wait_until
from webhook_receiver import Receiver

pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.timeout(400)]


@pytest.fixture
def service(store, demo_workshop, tmp_path):
    settings = shared_settings(store, demo_workshop, WEB_CONCURRENCY=2)
    running = Service(tmp_path, **settings, WEBHOOK_NETWORKS="127.0.0.0/8")
    yield running.start()
    running.stop()


def change(service, token, *names):
    """Create materials with these names, each by whichever process takes it."""
    for name in names:
        body = {"name": name, "unit": "none", "reorderPoint": 0}
        assert service.connect(token).post("/api/materials", body).data


def test_each_event_arrives_once_and_again_only_where_a_process_was_killed(
    service, receiver
):
    token = service.login()
    hook = {"url": receiver.url, "events": ["material:updated"]}
    assert service.connect(token).post("/api/webhooks", hook).data
    names = [f"m{number}" for number in range(20)]
    change(service, token, *names)
    receiver.wait_for(*names)
    assert len({one.id for one in receiver.deliveries}) == len(names)

    receiver.answers.append(Receiver.HANG)
    change(service, token, "killed", "after")
    wait_until(lambda: len(receiver.deliveries) == len(names) + 1)
    service.kill_workers()  # the master starts others
    receiver.wait_for(*names, "killed", "after")
    killed = [one.id for one in receiver.deliveries if one.name == "killed"]
    assert len(killed) == 2
    assert len(set(killed)) == 1

    receiver.stop()
    change(service, token, "while away")
    service.kill_all()
    receiver.start()
    service.start()  # nobody asks it for anything
    receiver.wait_for(*names, "killed", "after", "while away")
