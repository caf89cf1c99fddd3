"""Claims: workers file them for faulty panes, the approvers decide each one once."""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from typing import Any

from demo.client import Api, NoResponse, Record, Response
from demo.events import id_of
from demo.expected_events import ExpectedEvents
from demo.panes import TrackedPane
from demo.plan import CLAIM_REJECTED, CLAIM_REMADE, CLAIM_WRITTEN_OFF, CUSTOMER_CLAIM
from demo.remakes import Remakes
from demo.results import Results
from demo.scanner import send_at_once
from demo.station_worker import StationWorker

QUEUE_POLL_S = 0.2
PHOTO = "data:image/png;base64,iVBORw0KGgo="
#: What the approvers send for a claim, by the kind of the fault.
DECISIONS: dict[str, dict[str, Any]] = {
    CLAIM_REMADE: {"status": "approved", "decision": "destroy"},
    CUSTOMER_CLAIM: {"status": "approved", "decision": "destroy"},
    CLAIM_WRITTEN_OFF: {"status": "approved", "decision": "keep", "remake": False},
    CLAIM_REJECTED: {"status": "rejected"},
}


class Claims:
    """Station threads file claims here; one thread of its own decides them.

    The approvers take turns, and for every other claim two decide at once.
    """

    def __init__(
        self,
        approvers: Sequence[Api],
        remakes: Remakes,
        expected: ExpectedEvents,
        results: Results,
    ) -> None:
        self.approvers = approvers
        self.remakes = remakes
        self.expected = expected
        self.results = results
        self._pending: queue.Queue[tuple[Record, TrackedPane]] = queue.Queue()
        self._decisions = 0

    def file(
        self, worker: StationWorker, pane: TrackedPane, *, source: str = "worker"
    ) -> None:
        """File a claim for a pane, and try what must be refused while it is pending."""
        station_before = pane.station
        path, body = _claim_request(worker, pane, source)
        claim = worker.api.create_once(
            path, body, lambda: worker.api.list_all("/api/claims", pane=pane.id)
        )
        record = worker.api.get(f"/api/panes/{pane.id}")
        pane.update(record)
        self.expected.claim_created(claim, record, station_before)
        if source == "worker":
            response = worker.send(pane.number, "complete")
            message = "already claimed"
            self.results.expect_refusal("claimed pane", response, 400, message)
        response = worker.api.send_retrying("POST", path, body)
        self.results.expect_refusal("second claim", response, 409)
        response = worker.api.send_retrying(
            "PATCH", f"/api/claims/{claim['_id']}", {"status": "approved"}
        )
        self.results.expect_refusal("worker decides a claim", response, 403)
        self._filed(pane, claim)

    def recover(self, worker: StationWorker, pane: TrackedPane) -> bool:
        """After an outage, continue with the claim of a pane if its claim is due."""
        if pane.status not in ("claimed", "completed"):
            return False
        found = worker.api.list_all("/api/claims", pane=pane.id, status="pending")
        if found:
            self._filed(pane, found[0])
        else:  # the pane is finished, and the customer's claim not filed yet
            self.file(worker, pane, source="customer")
        return True

    def decide_until(self, closed: Callable[[], bool]) -> None:
        """Decide pending claims until the day closes."""
        while not closed():
            try:
                claim, pane = self._pending.get(timeout=QUEUE_POLL_S)
            except queue.Empty:
                continue
            try:
                self._decide(claim, pane)
            except NoResponse:
                self._pending.put((claim, pane))
            except Exception as error:  # reported; the other claims are still decided
                self.results.add_problem(f"claims: {error!r}")

    def _filed(self, pane: TrackedPane, claim: Record) -> None:
        pane.leave_unit()
        pane.claim_pending = True
        self.results.actions["claims made"] += 1
        self._pending.put((claim, pane))

    def _decide(self, claim: Record, pane: TrackedPane) -> None:
        assert pane.fault
        decision = DECISIONS[pane.fault.kind]
        path = f"/api/claims/{claim['_id']}"
        self._decisions += 1
        decided = self.approvers[0].get(path)
        if decided["status"] == "pending":  # else it was decided before an outage
            send = self._send_two if self._decisions % 2 else self._send_one
            response = send(path, decision)
            if response is None or not response.ok:
                reason = response and f"{response.status} {response.message}"
                self.results.add_problem(f"{path} was not decided: {reason}")
                return
            decided = response.data
        self._decided(decided, pane)

    def _send_one(self, path: str, decision: dict[str, Any]) -> Response:
        """One approver decides; the opposite decision must then be refused."""
        approver = self.approvers[self._decisions // 2 % len(self.approvers)]
        response = approver.send_retrying("PATCH", path, decision)
        opposite = "approved" if decision["status"] == "rejected" else "rejected"
        body = {"status": opposite}
        second = self.approvers[0].send_retrying("PATCH", path, body)
        self.results.expect_refusal("claim decided again", second, 400)
        return response

    def _send_two(self, path: str, decision: dict[str, Any]) -> Response | None:
        """Two approvers decide at once; exactly one must succeed."""
        responses = send_at_once(
            self.approvers[:2], lambda api: api.send_retrying("PATCH", path, decision)
        )
        accepted = [response for response in responses if response.ok]
        if len(accepted) != 1:
            received = ", ".join(f"{r.status} {r.message}" for r in responses)
            self.results.add_problem(f"two approvers decided {path}: {received}")
        self.results.refused["claim decided by two"] += len(responses) - len(accepted)
        return accepted[0] if accepted else None

    def _decided(self, claim: Record, pane: TrackedPane) -> None:
        """Continue with the pane of a decided claim, or with its remake."""
        kind = pane.fault.kind if pane.fault else ""
        record = self.approvers[0].get(f"/api/panes/{pane.id}")
        pane.update(record)
        self.expected.claim_decided(claim, record, pane.assigned_to)
        self.results.actions[f"claims {claim['status']}"] += 1
        remake = id_of(claim["remadePane"])
        if bool(remake) is not (kind in (CLAIM_REMADE, CUSTOMER_CLAIM)):
            number = claim["claimNumber"]
            self.results.add_problem(f"{number} has the remake {remake!r}")
        pane.written_off = claim["status"] == "approved"
        pane.fault = None
        if remake:
            left = "" if kind == CUSTOMER_CLAIM else id_of(claim["defectStation"])
            created = self.approvers[0].get(f"/api/panes/{remake}")
            self.remakes.add(
                pane, created, left_station=left, notification="claim_approved"
            )
        pane.claim_pending = False
        self.remakes.panes.enqueue(pane)


def _claim_request(
    worker: StationWorker, pane: TrackedPane, source: str
) -> tuple[str, dict[str, Any]]:
    """The path and body of a claim: by the pane's QR code, or under its order."""
    assert pane.fault
    body = {
        "source": source,
        "description": f"{pane.number}: {pane.fault.reason}",
        "reportedBy": worker.api.id,
        "defectCode": pane.fault.reason,
        "defectStation": worker.station,
        "photos": [PHOTO],
    }
    if pane.index % 2:
        return "/api/claims/from-pane", {**body, "paneNumber": pane.qr_code}
    record = worker.api.get(f"/api/panes/{pane.id}")
    body |= {"pane": pane.id, "material": id_of(record["material"])}
    return f"/api/orders/{pane.order}/claims", body
