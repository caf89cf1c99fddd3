"""When a webhook is tried again."""

from datetime import timedelta

import pytest

from glassflow.core.events import webhook_log
from glassflow.core.events.event_log import Event
from glassflow.core.process import clock, deadlines
from glassflow.domain.webhooks import DeliveryStatus
from glassflow.jobs.webhooks import retries
from glassflow.jobs.webhooks.sender import Outcome

DAY = timedelta(hours=24)
FAILED = Outcome(500, "answered 500")


@pytest.fixture
def event():
    return Event("pane:updated", b"{}", ("pane",), clock.now(), id="1", seq=7)


@pytest.mark.parametrize(
    ("after_s", "waits"),
    [
        (None, False),
        (-10, False),
        (600, True),
        # set by a clock that was wrong: nothing would be sent for days
        (2 * deadlines.WEBHOOK_LONGEST_RETRY_S, False),
    ],
)
def test_next_attempt_waits_until_its_time_but_not_for_a_wrong_clock(after_s, waits):
    next_at = None if after_s is None else clock.now() + timedelta(seconds=after_s)
    assert (retries.seconds_until_next({"nextAt": next_at}) > 0) is waits


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    ("failing_for", "status"),
    [
        (DAY - timedelta(seconds=60), DeliveryStatus.RETRYING),
        (DAY + timedelta(seconds=60), DeliveryStatus.PARKED),
    ],
)
def test_delivery_is_repeated_for_24_hours_and_then_parked(event, failing_for, status):
    since = clock.now() - failing_for
    failing = {"failures": 40, "failingSince": since, "eventFailingSince": since}
    state = {**webhook_log.NO_FAILURES, **failing}
    found, changes = retries.after_attempt(state, event, FAILED)
    assert found is status
    assert ("position" in changes) is (status is DeliveryStatus.PARKED)
    assert changes["failingSince"] == since


@pytest.mark.usefixtures("app")
def test_pause_doubles_with_each_failure_up_to_an_hour(event, monkeypatch):
    # half of it is left to chance
    monkeypatch.setattr(
        "glassflow.domain.webhooks.random.uniform", lambda low, high: high
    )
    state, pauses = dict(webhook_log.NO_FAILURES), []
    for _ in range(12):
        _, changes = retries.after_attempt(state, event, FAILED)
        state |= changes
        pauses.append(round(retries.seconds_until_next(state)))
    assert pauses[:4] == [5, 10, 20, 40]
    assert pauses[-2:] == [3600, 3600]
    _, changes = retries.after_attempt(state, event, Outcome(200, None))
    assert changes["nextAt"] is None
