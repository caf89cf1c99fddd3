"""Which scan can be undone, and why others cannot."""

from datetime import datetime, timedelta

import pytest

from glassflow.domain.errors import Refusal
from glassflow.domain.panes.undo import LastLog, require_undoable

NOW = datetime(2026, 3, 5, 8, 0)


def log(action="complete", age=10, version=4, own=True):
    return LastLog(action, NOW - timedelta(seconds=age), version, own)


@pytest.mark.parametrize("age", [0, 60])
def test_own_last_scan_can_be_undone_for_a_minute(age):
    require_undoable(log(age=age), 4, NOW)


@pytest.mark.parametrize(
    ("last", "code"),
    [
        (None, "NOTHING_TO_UNDO"),
        (log("correction", version=None), "NOTHING_TO_UNDO"),
        (log("laminate_start", version=None), "LAMINATION_NOT_UNDOABLE"),
        (log("laminate_complete", version=None), "LAMINATION_NOT_UNDOABLE"),
        (log(own=False), "NOT_OWN_SCAN"),
        (log(version=3), "CHANGED_SINCE_SCAN"),
        (log(age=61), "UNDO_TOO_LATE"),
    ],
)
def test_other_changes_stay(last, code):
    with pytest.raises(Refusal) as caught:
        require_undoable(last, 4, NOW)
    assert caught.value.code == code
