"""Faults: a failed check or a claim, its decision, and the remake that replaces the pane."""

from __future__ import annotations

from typing import Any

from demo.client import Record
from demo.floor import Station
from demo.panes import Pane, id_of
from demo.plan import CLAIM_REJECTED, CLAIM_WRITTEN_OFF, CUSTOMER_CLAIM, Fault
from demo.workshop import Workshop

PHOTO = "data:image/png;base64,iVBORw0KGgo="


def fail_check(station: Station, pane: Pane, fault: Fault) -> list[Record]:
    """Complete a pane, then fail its check; returns the panes of the remake."""
    station.complete(pane)
    message = "Validation failed"
    station.refuse("qc_fail without a reason", pane.number, "qc_fail", 400, message)
    fields = {"reason": fault.reason, "description": "พบตอนตรวจ"}
    if fault.remake_at:
        fields["remakeStationId"] = station.workshop.stations[fault.remake_at]
    remake = station.scan(pane, "qc_fail", **fields).data["remadePane"]
    station.report.actions["checks failed"] += 1
    return _remade(station.workshop, remake)


def claim(station: Station, pane: Pane, fault: Fault) -> list[Record]:
    """File a claim for a pane and decide it; returns the panes of the remake, if any."""
    filed = _file(station, pane, fault)
    decided = _decide(station.workshop, filed, fault)
    pane.update(station.api.get(f"/api/panes/{pane.id}"))
    pane.written_off = decided["status"] == "approved"
    remake = id_of(decided["remadePane"])
    if bool(remake) is (fault.kind in (CLAIM_REJECTED, CLAIM_WRITTEN_OFF)):
        number = decided["claimNumber"]
        station.report.problems.append(f"{number} has the remake {remake!r}")
    if not remake:
        return []
    return _remade(station.workshop, station.api.get(f"/api/panes/{remake}"))


def _file(station: Station, pane: Pane, fault: Fault) -> Record:
    """File a claim, and try what must be refused while it is pending."""
    api, report = station.api, station.report
    of_customer = fault.kind is CUSTOMER_CLAIM
    body: dict[str, Any] = {
        "source": "customer" if of_customer else "worker",
        "description": f"{pane.number}: {fault.reason}",
        "reportedBy": api.id,
        "defectCode": fault.reason,
        "defectStation": station.id,
        "photos": [PHOTO],
        "paneNumber": pane.qr_code,
    }
    path = "/api/claims/from-pane"
    filed: Record = api.post(path, **body)
    report.actions["claims made"] += 1
    if not of_customer:
        message = "already claimed"
        station.refuse("claimed pane", pane.number, "complete", 400, message)
    second = api.send("POST", path, body)
    report.expect_refusal("second claim", second, 409)
    approved = {"status": "approved"}
    own = api.send("PATCH", f"/api/claims/{filed['_id']}", approved)
    report.expect_refusal("worker decides a claim", own, 403)
    return filed


def _decide(workshop: Workshop, filed: Record, fault: Fault) -> Record:
    """Decide a claim as the manager; the opposite decision must then be refused."""
    decision: dict[str, Any] = {"status": "approved", "decision": "destroy"}
    if fault.kind is CLAIM_REJECTED:
        decision = {"status": "rejected"}
    elif fault.kind is CLAIM_WRITTEN_OFF:
        decision = {"status": "approved", "decision": "keep", "remake": False}
    path = f"/api/claims/{filed['_id']}"
    decided: Record = workshop.manager.patch(path, **decision)
    opposite = "approved" if decision["status"] == "rejected" else "rejected"
    second = workshop.admin.send("PATCH", path, {"status": opposite})
    workshop.report.expect_refusal("claim decided again", second, 400)
    workshop.report.actions[f"claims {decided['status']}"] += 1
    return decided


def _remade(workshop: Workshop, remake: Record) -> list[Record]:
    """A remake: a pane, a sheet, or the parent of a unit with its sheets."""
    workshop.report.actions["panes remade"] += 1
    created = [remake]
    if remake["laminateRole"] == "parent":
        created += workshop.manager.list_all("/api/panes", parentPane=remake["_id"])
    return created
