"""Production logs: what people report of the work on a pane at a station."""

from enum import StrEnum

MAX_DURATION_MS = 365 * 24 * 3600 * 1000  # of one log: a year


class ProductionAction(StrEnum):
    """What was done."""

    SCAN_IN = "scan_in"
    START = "start"
    COMPLETE = "complete"
    FAIL = "fail"
    REWORK = "rework"
    QC_PASS = "qc_pass"
    QC_FAIL = "qc_fail"
    BATCH_START = "batch_start"
    BATCH_COMPLETE = "batch_complete"


class ProductionResult(StrEnum):
    """How it went."""

    PASS = "pass"
    FAIL = "fail"
    REWORK = "rework"
