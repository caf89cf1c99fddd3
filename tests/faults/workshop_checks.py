"""Checks that a workshop is consistent: no half-applied change, correct figures.

Everything is read through the API and computed again, independently of the service.
"""

from collections import Counter, defaultdict

KINDS = (
    "requests",
    "orders",
    "panes",
    "pane-logs",
    "claims",
    "withdrawals",
    "inventories",
    "material-logs",
    "materials",
    "notifications",
    "production-logs",
    "stations",
)
RETIRED = {"merged_into", "defected", "cancelled"}
#: The status of a pane after the last entry of its log.
STATUS_AFTER = {
    "scan_in": {"in_progress"},
    "start": {"in_progress"},
    "complete": {"awaiting_scan_out"},
    "scan_out": {"pending", "completed"},
    "qc_pass": {"pending", "completed"},
    "qc_fail": {"defected"},
    "laminate_start": {"awaiting_scan_out"},
    "laminate_complete": {"merged_into"},
}
#: The possible statuses of a pane with a claim that is not rejected.
STATUS_UNDER_CLAIM = {
    "pending": {"claimed", "completed"},
    "approved": {"defected", "claimed", "completed"},
}
KEEPS_STATION = {"scan_in", "start", "complete", "laminate_start"}


def read_workshop(api):
    """Read all records: kind -> id -> record."""
    return {
        kind: {
            row["_id"]: row
            for row in api.list_all(
                f"/api/{kind}", sort="createdAt", includeMerged="true"
            )
        }
        for kind in KINDS
    }


class WorkshopChecks:
    """Checks of one state of the workshop; `faults` describes its inconsistencies."""

    def __init__(self, state):
        self.state = state
        self.panes = state["panes"]
        self.claims = defaultdict(list)
        for claim in state["claims"].values():
            self.claims[claim["pane"]].append(claim)
        self.logs = defaultdict(list)
        rows = state["pane-logs"].values()
        for log in sorted(rows, key=lambda row: (row["createdAt"], row["_id"])):
            self.logs[log["pane"]].append(log)
        self.remakes = Counter(
            pane["remakeOf"] for pane in self.panes.values() if pane["remakeOf"]
        )
        self.checked = 0

    def faults(self):
        """Describe everything that is inconsistent."""
        found = []
        for pane in self.panes.values():
            found += self._check_pane(pane)
            if pane["laminateRole"] == "parent":
                found += self._check_unit(pane)
        for order in self.state["orders"].values():
            found += self._check_order(order)
        for claim in self.state["claims"].values():
            found += self._check_claim(claim)
        for withdrawal in self.state["withdrawals"].values():
            found += self._check_withdrawal(withdrawal)
        return [*found, *self._check_stock()]

    def _expect(self, holds, *description):
        self.checked += 1
        return [] if holds else [" ".join(map(str, description))]

    def _check_pane(self, pane):
        """A pane's state follows from its last log; it has at most one remake."""
        number, status = pane["paneNumber"], pane["currentStatus"]
        logs, remakes = self.logs[pane["_id"]], self.remakes[pane["_id"]]
        yield from self._expect(remakes <= 1, number, "has two remakes")
        if not logs:
            fresh = status == "pending" or not pane["routing"]
            yield from self._expect(fresh, number, "is", status, "without a log")
            return
        last = logs[-1]
        yield from self._expect(_follows(pane, last), pane, "does not follow", last)
        if last["action"] == "qc_fail":
            yield from self._expect(remakes == 1, number, "failed; remakes:", remakes)
        for claim in self.claims[pane["_id"]]:
            possible = STATUS_UNDER_CLAIM.get(claim["status"], {status})
            yield from self._expect(status in possible, pane, "does not fit", claim)

    def _check_unit(self, parent):
        """A unit is merged completely or not at all."""
        sheets = [p for p in self.panes.values() if p["parentPane"] == parent["_id"]]
        total, number = parent["rawGlass"]["sheetsPerPane"], parent["paneNumber"]
        survivors = [p for p in sheets if p["laminateRole"] == "single"]
        merged = [p for p in sheets if p["currentStatus"] == "merged_into"]
        targets = {p["mergedInto"] for p in merged} | {parent["mergedInto"]}
        if parent["currentStatus"] == "merged_into":
            complete = len(survivors) == 1 and len(merged) == total - 1
            complete = complete and targets == {survivors[0]["_id"]}
        else:
            live = [p for p in sheets if not self._is_not_counted(p)]
            complete = not survivors and not merged and len(live) == total
        yield from self._expect(complete, number, "is partly laminated:", sheets)

    def _is_not_counted(self, pane):
        """Whether the pane is retired, or an approved claim replaced or removed it."""
        written_off = any(
            claim["status"] == "approved"
            and (claim["remake"] or pane["currentStatus"] != "completed")
            for claim in self.claims[pane["_id"]]
        )
        return pane["currentStatus"] in RETIRED or written_off

    def _is_not_made_again(self, pane):
        """Whether an approved claim removed the pane's unit without a remake."""
        removed = self._is_not_counted(pane) and any(
            claim["status"] == "approved" for claim in self.claims[pane["_id"]]
        )
        remade = any(claim["remadePane"] for claim in self.claims[pane["_id"]])
        return removed and not remade and pane["laminateRole"] != "sheet"

    def _check_order(self, order):
        """An order's figures equal a new count of its panes."""
        own = [p for p in self.panes.values() if p["order"] == order["_id"]]
        live = [pane for pane in own if not self._is_not_counted(pane)]
        units = [pane for pane in live if pane["laminateRole"] != "sheet"]
        done = sum(pane["currentStatus"] == "completed" for pane in units)
        due = order["quantity"] - sum(self._is_not_made_again(pane) for pane in own)
        total = max(len(units), due)
        counted = {
            "paneCount": total,
            "panesCompleted": done,
            "progressPercent": done * 100 // total,
            "stationBreakdown": dict(
                Counter(p["currentStation"] for p in live if p["currentStation"])
            ),
        }
        figures = {name: order[name] for name in counted}
        number = order["orderNumber"]
        yield from self._expect(figures == counted, number, figures, "not", counted)
        completed = order["status"] == "completed"
        all_done = done == total
        yield from self._expect(completed == all_done, number, order["status"])

    def _check_claim(self, claim):
        """An approved claim has the remake that it names; no other has one."""
        number, remake = claim["claimNumber"], claim["remadePane"]
        due = claim["status"] == "approved" and claim["remake"]
        yield from self._expect(bool(remake) == due, number, "has the remake", remake)
        if remake:
            pane = self.panes.get(remake) or {}
            matches = pane.get("remakeOf") == claim["pane"]
            yield from self._expect(matches, number, remake, "is not its remake")

    def _check_withdrawal(self, withdrawal):
        """A withdrawal holds exactly the quantity of its entries in the stock ledger."""
        holds = withdrawal["status"] != "rejected"
        held = withdrawal["quantity"] if holds else 0
        posted = -sum(
            entry["quantityChanged"]
            for entry in self.state["material-logs"].values()
            if entry["referenceId"] == withdrawal["_id"]
        )
        number = withdrawal["withdrawalNumber"]
        yield from self._expect(posted == held, number, "holds", held, "not", posted)

    def _check_stock(self):
        """Every lot is the sum of its ledger entries, and not below zero."""
        sums = Counter()
        for entry in self.state["material-logs"].values():
            if entry["inventory"]:
                sums[entry["inventory"]] += entry["quantityChanged"]
        for lot in self.state["inventories"].values():
            quantity, posted = lot["quantity"], sums[lot["_id"]]
            right = quantity == posted and quantity >= 0
            number = lot["inventoryNumber"]
            yield from self._expect(right, number, quantity, "ledger:", posted)


def _follows(pane, log):
    """Whether the state of a pane is the one after this log."""
    now = {name: pane[name] for name in ("currentStatus", "currentStation")}
    if log["action"] == "correction":
        return now.items() <= log["after"].items()
    same_station = now["currentStation"] == log["station"]
    at_station = same_station or log["action"] not in KEEPS_STATION
    return at_station and now["currentStatus"] in STATUS_AFTER[log["action"]]
