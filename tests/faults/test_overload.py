"""More requests at once than a service can process: refusals state the right reason."""

from collections import Counter

import pytest
import requests

from concurrency import run_concurrently
from service import DEMO_ADMIN, Service
from waiting import REQUEST_TIMEOUT_S

REQUESTS, SOCKETS, LOGINS = 600, 20, 25

pytestmark = [
    pytest.mark.long,
    pytest.mark.slow,
    pytest.mark.embedded_store,
    pytest.mark.timeout(300),
]


@pytest.fixture
def service(tmp_path, demo_workshop):
    """A service with production's hashing costs; one worker may log in often."""
    limits = ("MINUTE", "ADDRESS", "USERNAME")
    attempts = {f"LOGIN_ATTEMPTS_PER_{limit}": 1000 for limit in limits}
    running = Service(tmp_path, **attempts)
    demo_workshop.copy_files(running.data_dir)
    yield running.start()
    running.stop()


def outcome(answer):
    body = answer.json()
    code = (body.get("errors") or {}).get("code")
    return (answer.status_code, code)


def test_600_requests_at_once_succeed_or_are_refused_because_the_service_is_busy(
    service,
):
    headers = {"Authorization": f"Bearer {service.login()}"}

    def get():
        url = f"{service.url}/api/customers"
        return requests.get(url, headers=headers, timeout=REQUEST_TIMEOUT_S)

    def open_socket():
        url = f"{service.url}/api/socket-entry/?EIO=4&transport=polling"
        return requests.get(url, timeout=REQUEST_TIMEOUT_S).status_code

    answers = run_concurrently([*[get] * REQUESTS, *[open_socket] * SOCKETS])
    assert answers[REQUESTS:] == [200] * SOCKETS
    outcomes = Counter(map(outcome, answers[:REQUESTS]))
    assert set(outcomes) <= {(200, None), (503, "BUSY"), (503, None)}, outcomes
    # Without the gate most are. On a slow machine some of the few in work still run out
    # of time, because the clients of this test use its processor too.
    assert outcomes[503, None] < REQUESTS / 10, outcomes
    assert outcomes[200, None] > 0
    assert get().status_code == 200


def test_25_logins_at_once_are_not_refused_as_if_the_store_were_unavailable(service):
    def log_in():
        return requests.post(
            f"{service.url}/api/auth/login", json=DEMO_ADMIN, timeout=REQUEST_TIMEOUT_S
        )

    outcomes = Counter(map(outcome, run_concurrently([log_in] * LOGINS)))
    assert set(outcomes) <= {(200, None), (429, None)}, outcomes
    # how many pass before the queue's time is over depends on the machine
    assert outcomes[200, None] > 0, outcomes
    assert log_in().status_code == 200
