"""Counts scans for the metrics, by action and outcome."""

from collections.abc import Iterator
from contextlib import contextmanager

from glassflow.core.process import metrics
from glassflow.core.process.metrics import Outcome
from glassflow.domain.errors import Refusal
from glassflow.domain.panes.status import Action

DUPLICATE = "duplicate"
UNDO = "undo"
NO_CODE = "none"


@contextmanager
def scans(action: Action | str, panes: int = 1) -> Iterator[Outcome]:
    """Count the scan of so many panes in the block; a refusal by its code too."""
    with metrics.counted(metrics.scans, str(action)) as outcome:
        outcome.amount = panes
        try:
            yield outcome
        except Refusal as refusal:
            code = refusal.code or NO_CODE
            metrics.scan_refusals.labels(str(action), code).inc(panes)
            raise
