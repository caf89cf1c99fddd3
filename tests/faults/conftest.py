"""A separate service for each test of faults."""

import pytest

from service import Service
from webhook_receiver import Receiver


@pytest.fixture
def service(tmp_path, demo_workshop):
    """A service with an embedded store and the demo workshop; webhooks may be local."""
    running = Service(tmp_path, WEBHOOK_NETWORKS="127.0.0.0/8")
    demo_workshop.copy_files(running.data_dir)
    yield running.start()
    running.stop()


@pytest.fixture
def receiver():
    """A receiver of webhooks that outlives the service."""
    made = Receiver()
    yield made
    made.close()
