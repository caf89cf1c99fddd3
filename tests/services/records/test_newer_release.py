"""During a rolling upgrade: what a newer release has stored survives every change.

Each test stores a field that this release does not know in every record, and in every
object and every element inside it, changes records through the API, and finds all of
them again in the records that still exist.
"""

import pytest

from glassflow.models import ALL
from scenarios import (
    bring_to_lamination,
    claim_pane,
    order_with_panes,
    order_with_units,
    pass_station,
)
from stock_api import LOTS, WITHDRAWALS, create_lot, move_part, withdraw

pytestmark = pytest.mark.undescribed

NEWER = "ofANewerRelease"
#: Objects that the service replaces or removes as a whole, or whose keys are ids.
REPLACED = {"stationBreakdown", "stationData", "lastScan", "heldFrom", "cancelledFrom"}


class NewerRelease:
    """Stores the unknown field everywhere, and looks for it again."""

    def __init__(self):
        self._paths = {}

    def store(self):
        """Store it in all present records."""
        for model in ALL:
            for row in model.collection().find():
                paths = [NEWER, *_inner_paths(row)]
                self._paths[model, row["_id"]] = paths
                model.collection().update_one(
                    {"_id": row["_id"]}, {"$set": dict.fromkeys(paths, "kept")}
                )

    def lost(self):
        """Return where it is gone: a model's name and a path."""
        return [
            (model.__name__, path)
            for (model, _), (row, paths) in self._rows().items()
            for path in paths
            if _member(row, path) != "kept"
        ]

    def _rows(self):
        found = {}
        for (model, key), paths in self._paths.items():
            row = model.collection().find_one({"_id": key})
            if row is not None:
                found[model, key] = row, paths
        return found


def _inner_paths(value, prefix=""):
    """The paths of the field in all objects inside a stored record."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for name, inner in items:
        path = f"{prefix}{name}"
        if name in REPLACED or not isinstance(inner, dict | list):
            continue
        if isinstance(inner, dict):
            yield f"{path}.{NEWER}"
        yield from _inner_paths(inner, f"{path}.")


def _member(row, path):
    for name in path.split("."):
        try:
            row = row[int(name)] if isinstance(row, list) else row[name]
        except (KeyError, IndexError):
            return None
    return row


@pytest.fixture
def newer():
    """Stores the unknown field, and finds at the end of the test that none is lost."""
    release = NewerRelease()
    yield release
    assert release._paths, "the test has stored nothing"
    assert release.lost() == []


@pytest.fixture
def job(admin, workshop):
    """An order with three panes, which have objects and lists of objects."""
    found = order_with_panes(admin, workshop, panes=3)
    history = [{"station": found.stations[0], "enteredAt": "2026-01-01T00:00:00Z"}]
    changes = {"stationHistory": history, "assignedTo": admin.id}
    assert admin.patch(f"/api/orders/{found.order['_id']}", changes).status == 200
    for pane in found.panes:
        changes = {
            "dimensions": {"width": 5},
            "holes": [{"id": "h", "x": 1, "y": 1}],
            "edgeTasks": [{"side": "top", "edgeProfile": "flat"}],
        }
        assert admin.patch(f"/api/panes/{pane['_id']}", changes).status == 200
    return found


def succeed(*answers):
    for answer in answers:
        assert answer.status in (200, 201), answer


def test_plain_changes(admin, workshop, job, newer):
    newer.store()
    succeed(
        admin.patch(f"/api/panes/{job.panes[0]['_id']}", {"dimensions": {"width": 7}}),
        admin.patch(
            f"/api/requests/{job.request['_id']}", {"details": {"estimatedPrice": 9}}
        ),
        admin.patch(f"/api/orders/{job.order['_id']}", {"notes": "x", "quantity": 4}),
        admin.patch(f"/api/materials/{job.material}", {"specDetails": {"color": "x"}}),
        admin.patch(f"/api/customers/{job.customer}", {"phone": "1"}),
        admin.patch(f"/api/stations/{job.stations[0]}", {"status": "online"}),
        admin.patch(f"/api/roles/{workshop.roles['worker'].pk}", {"description": "x"}),
        admin.patch(
            "/api/auth/me", {"notificationPreferences": {"sounds": {"low": "bell"}}}
        ),
    )


def test_prices(admin, newer):
    succeed(admin.get("/api/pricing-settings"))
    newer.store()
    succeed(admin.put("/api/pricing-settings", {"holePriceEach": 60}))


def test_scans(worker, job, newer):
    newer.store()
    first, second, third = job.numbers
    for station in job.stations:
        succeed(pass_station(worker, first, station))
    batch = {"paneNumbers": [second, third], "station": job.stations[0]}
    for action in ("scan_in", "complete"):
        succeed(worker.post("/api/panes/batch-scan", {**batch, "action": action}))
    succeed(worker.scan(second, "qc_fail", reason="broken"))


def test_lamination(admin, worker, workshop, newer):
    job = order_with_units(admin, workshop)
    (sheets,) = job.sheets
    newer.store()
    for number in sheets:
        bring_to_lamination(worker, number, job)
    succeed(worker.scan(sheets[0], "laminate"))


@pytest.mark.parametrize("kind", ["orders", "requests"])
def test_cancellation_and_its_reversal(admin, job, newer, kind):
    newer.store()
    record = f"/api/{kind}/{(job.order if kind == 'orders' else job.request)['_id']}"
    succeed(admin.patch(record, {"status": "cancelled", "cancelReason": "x"}))
    succeed(admin.patch(record, {"status": "pending"}))


@pytest.mark.parametrize("decision", ["approved", "rejected"])
def test_claims(admin, worker, job, newer, decision):
    newer.store()
    claim = claim_pane(worker, job.numbers[0]).data
    newer.store()
    values = {"status": decision, "decision": "destroy"}
    succeed(admin.patch(f"/api/claims/{claim['_id']}", values))


def test_deletion_that_clears_references(admin, workshop, job, newer, set_policy):
    set_policy(delete_policy="cascade")
    worker = workshop.worker()
    order = f"/api/orders/{job.order['_id']}"
    succeed(admin.patch(order, {"assignedTo": str(worker.pk)}))
    newer.store()
    succeed(admin.delete(f"/api/workers/{worker.pk}"))
    assert admin.get(order).data["assignedTo"] is None
    succeed(admin.delete(f"/api/stations/{job.stations[0]}"))
    succeed(admin.delete(f"/api/panes/{job.panes[0]['_id']}"))


def test_stock(admin, job, newer):
    lots = [create_lot(admin, job.material, 9, location=place) for place in "AB"]
    newer.store()
    succeed(
        admin.patch(f"{LOTS}/{lots[0]['_id']}", {"quantity": 8}),
        move_part(admin, lots[0], 2, to="C"),
    )
    panes = [pane["_id"] for pane in job.panes]
    made = withdraw(admin, lots[0], 12, order=job.order["_id"], panes=panes).data
    newer.store()
    record = f"{WITHDRAWALS}/{made['_id']}"
    succeed(admin.patch(record, {"quantity": 13}))
    succeed(admin.patch(record, {"status": "approved"}))


@pytest.mark.parametrize("ending", ["rejected", "deleted"])
def test_withdrawal_that_is_given_back(admin, job, newer, ending, monkeypatch):
    monkeypatch.setattr(f"{__name__}.REPLACED", REPLACED | {"allocations"})  # removed
    lot = create_lot(admin, job.material, 9)
    panes = [pane["_id"] for pane in job.panes]
    made = withdraw(admin, lot, 3, order=job.order["_id"], panes=panes).data
    newer.store()
    record = f"{WITHDRAWALS}/{made['_id']}"
    if ending == "rejected":
        succeed(admin.patch(record, {"status": "rejected"}))
    else:
        succeed(admin.delete(record))
