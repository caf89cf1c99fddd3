"""Whether a workshop is sound: nothing half done, all figures as its records say.

It reads everything through the API and counts anew, by rules of its own.
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
#: The status that the last log of a pane leaves it in.
LEAVES = {
    "scan_in": {"in_progress"},
    "start": {"in_progress"},
    "complete": {"awaiting_scan_out"},
    "scan_out": {"pending", "completed"},
    "qc_pass": {"pending", "completed"},
    "qc_fail": {"defected"},
    "laminate_start": {"awaiting_scan_out"},
    "laminate_complete": {"merged_into"},
}
#: What a pane can be while it has a claim that is not rejected.
UNDER_CLAIM = {
    "pending": {"claimed", "completed"},
    "approved": {"defected", "claimed", "completed"},
}
STAYS = {"scan_in", "start", "complete", "laminate_start"}


def read(api):
    """Read the whole workshop: kind -> id -> record."""
    return {
        kind: {
            row["_id"]: row
            for row in api.all(f"/api/{kind}", sort="createdAt", includeMerged="true")
        }
        for kind in KINDS
    }


class Floor:
    """One reading of the workshop; `faults` lists what is not as it has to be."""

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
        """All that is wrong, in words."""
        found = []
        for pane in self.panes.values():
            found += self._of_pane(pane)
            if pane["laminateRole"] == "parent":
                found += self._of_unit(pane)
        for order in self.state["orders"].values():
            found += self._of_order(order)
        for claim in self.state["claims"].values():
            found += self._of_claim(claim)
        for withdrawal in self.state["withdrawals"].values():
            found += self._of_withdrawal(withdrawal)
        return [*found, *self._of_stock()]

    def _say(self, holds, *words):
        self.checked += 1
        return [] if holds else [" ".join(map(str, words))]

    def _of_pane(self, pane):
        """A pane is as its last log leaves it, and made again at most once."""
        number, status = pane["paneNumber"], pane["currentStatus"]
        logs, made = self.logs[pane["_id"]], self.remakes[pane["_id"]]
        yield from self._say(made <= 1, number, "is made again twice")
        if not logs:
            fresh = status == "pending" or not pane["routing"]
            yield from self._say(fresh, number, "is", status, "without a log")
            return
        last = logs[-1]
        yield from self._say(_follows(pane, last), pane, "does not follow", last)
        if last["action"] == "qc_fail":
            yield from self._say(made == 1, number, "failed; remakes:", made)
        for claim in self.claims[pane["_id"]]:
            may_be = UNDER_CLAIM.get(claim["status"], {status})
            yield from self._say(status in may_be, pane, "does not fit", claim)

    def _of_unit(self, parent):
        """A unit is merged as a whole, or not at all."""
        sheets = [p for p in self.panes.values() if p["parentPane"] == parent["_id"]]
        total, number = parent["rawGlass"]["sheetsPerPane"], parent["paneNumber"]
        survivors = [p for p in sheets if p["laminateRole"] == "single"]
        merged = [p for p in sheets if p["currentStatus"] == "merged_into"]
        into = {p["mergedInto"] for p in merged} | {parent["mergedInto"]}
        if parent["currentStatus"] == "merged_into":
            whole = len(survivors) == 1 and len(merged) == total - 1
            whole = whole and into == {survivors[0]["_id"]}
        else:
            live = [p for p in sheets if not self._lost(p)]
            whole = not survivors and not merged and len(live) == total
        yield from self._say(whole, number, "is half laminated:", sheets)

    def _lost(self, pane):
        """Whether an order no longer counts on this piece."""
        written_off = any(
            claim["status"] == "approved"
            and (claim["remake"] or pane["currentStatus"] != "completed")
            for claim in self.claims[pane["_id"]]
        )
        return pane["currentStatus"] in RETIRED or written_off

    def _of_order(self, order):
        """An order's figures are those of its panes, counted anew."""
        mine = [p for p in self.panes.values() if p["order"] == order["_id"]]
        live = [pane for pane in mine if not self._lost(pane)]
        units = [pane for pane in live if pane["laminateRole"] != "sheet"]
        done = sum(pane["currentStatus"] == "completed" for pane in units)
        counted = {
            "paneCount": len(units),
            "panesCompleted": done,
            "progressPercent": done * 100 // len(units),
            "stationBreakdown": dict(
                Counter(p["currentStation"] for p in live if p["currentStation"])
            ),
        }
        figures = {name: order[name] for name in counted}
        number = order["orderNumber"]
        yield from self._say(figures == counted, number, figures, "not", counted)
        whole = order["status"] == "completed"
        yield from self._say(whole == (done == len(units)), number, order["status"])

    def _of_claim(self, claim):
        """An approved claim has the remake that it names; no other has one."""
        number, remake = claim["claimNumber"], claim["remadePane"]
        due = claim["status"] == "approved" and claim["remake"]
        yield from self._say(bool(remake) == due, number, "has the remake", remake)
        if remake:
            made = self.panes.get(remake) or {}
            whose = made.get("remakeOf") == claim["pane"]
            yield from self._say(whose, number, remake, "is not its remake")

    def _of_withdrawal(self, withdrawal):
        """What a withdrawal took is what it still holds, in its lots and in the book."""
        holds = withdrawal["status"] != "rejected"
        held = withdrawal["quantity"] if holds else 0
        booked = -sum(
            entry["quantityChanged"]
            for entry in self.state["material-logs"].values()
            if entry["referenceId"] == withdrawal["_id"]
        )
        number = withdrawal["withdrawalNumber"]
        yield from self._say(booked == held, number, "holds", held, "booked", booked)

    def _of_stock(self):
        """Every lot is the sum of its entries in the book, and not below zero."""
        sums = Counter()
        for entry in self.state["material-logs"].values():
            if entry["inventory"]:
                sums[entry["inventory"]] += entry["quantityChanged"]
        for lot in self.state["inventories"].values():
            holds, booked = lot["quantity"], sums[lot["_id"]]
            good = holds == booked and holds >= 0
            yield from self._say(good, lot["inventoryNumber"], holds, "booked", booked)


def _follows(pane, log):
    """Whether a pane is in the state in which its last log left it."""
    now = {name: pane[name] for name in ("currentStatus", "currentStation")}
    if log["action"] == "correction":
        return now.items() <= log["after"].items()
    there = now["currentStation"] == log["station"] or log["action"] not in STAYS
    return there and now["currentStatus"] in LEAVES[log["action"]]
