"""When a webhook is tried again."""

from datetime import timedelta

import pytest

from glassflow.core import clock, deadlines
from glassflow.realtime.webhooks import retries


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
