"""The operations of the floor by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bson import ObjectId

from bench.floor.reads import Reads
from bench.floor.records import Changes
from bench.floor.scans import Scans
from bench.floor.store import FloorStore

Operation = Callable[[Mapping[str, Any]], None]


def build(store: FloorStore, worker: ObjectId) -> Mapping[str, Operation]:
    """Return the operations as one worker runs them."""
    scans, changes, reads = Scans(store, worker), Changes(store), Reads(store, worker)
    return {
        "login": reads.log_in,
        "me": reads.me,
        "scan": scans.scan,
        "qc_fail": scans.fail,
        "laminate": scans.laminate,
        "batch": scans.batch,
        "request": changes.create_request,
        "new_customer": changes.create_customer,
        "customer": changes.change_customer,
        "station": changes.change_station,
        "panes": reads.panes,
        "panes_of_order": reads.panes_of_order,
        "panes_at_station": reads.panes_at_station,
        "orders": reads.orders,
        "search_number": reads.search_number,
        "search_text": reads.search_text,
        "dashboard": reads.dashboard,
    }
