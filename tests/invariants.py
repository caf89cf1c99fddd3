"""What has to be true of a workshop at any time, read through REST as anybody could.

It counts by itself and shares no code with the service.
"""

from collections import Counter, defaultdict

RETIRED = {"merged_into", "defected", "cancelled"}
OPEN = {"pending", "in_progress", "awaiting_scan_out"}
LIVE = OPEN | {"claimed"}


def everything(api, path, **params):
    """All pages of a list."""
    rows, page = [], 1
    while True:
        answer = api.get(path, page=page, limit=100, sort="createdAt", **params)
        rows += answer.data
        if page >= answer.body["pagination"]["totalPages"]:
            return rows
        page += 1


class Past:
    """What has ever been seen: panes as they were made, claims as they were last."""

    def __init__(self):
        self.panes, self.claims = {}, {}

    def see(self, floor):
        for pane in floor.panes:
            self.panes.setdefault(pane["_id"], pane)
        self.claims.update({claim["_id"]: claim for claim in floor.claims})


class Floor:
    """The whole workshop as it is at one moment, when nothing is going on."""

    def __init__(self, api):
        self.panes = everything(api, "/api/panes", includeMerged="true")
        self.orders = everything(api, "/api/orders")
        self.claims = everything(api, "/api/claims")
        self.logs = everything(api, "/api/pane-logs")
        self.lots = everything(api, "/api/inventories")
        self.book = everything(api, "/api/material-logs")
        self.by_id = {pane["_id"]: pane for pane in self.panes}
        self.all_claims, self.all_panes = self.claims, self.panes

    def check(self, past=None):
        """Raise `AssertionError` for what is not right.

        With the past, panes are replayed from how they were made, and what was deleted
        since still counts as having been.
        """
        if past is not None:
            past.see(self)
            self.all_claims = past.claims.values()
            self.all_panes = past.panes.values()
        self.stock_equals_its_book()
        self.orders_equal_a_fresh_count()
        self.units_are_whole()
        self.nothing_is_remade_twice_or_forgotten()
        self.nothing_stands_where_it_cannot()
        if past is not None:
            self.logs_explain_the_panes(past.panes)

    def stock_equals_its_book(self):
        sums = defaultdict(float)
        for entry in self.book:
            if entry["inventory"]:
                sums[entry["inventory"]] += entry["quantityChanged"]
        for lot in self.lots:
            assert lot["quantity"] >= 0, lot
            assert abs(sums.pop(lot["_id"], 0) - lot["quantity"]) < 1e-6, lot
        for gone, left in sums.items():  # lots that were deleted
            assert abs(left) < 1e-6, gone

    def written_off(self):
        """Panes that an approved claim took out of their order's count."""
        return {
            claim["pane"]
            for claim in self.all_claims
            if claim["status"] == "approved"
            and claim["pane"] in self.by_id
            and (claim["remadePane"] or self._not_finished(claim["pane"]))
        }

    def _not_finished(self, pane):
        return self.by_id[pane]["currentStatus"] != "completed"

    def orders_equal_a_fresh_count(self):
        gone = self.written_off()
        panes = defaultdict(list)
        for pane in self.panes:
            panes[pane["order"]].append(pane)
        for order in self.orders:
            theirs = panes[order["_id"]]
            live = [
                pane
                for pane in theirs
                if pane["currentStatus"] not in RETIRED and pane["_id"] not in gone
            ]
            units = [pane for pane in live if pane["laminateRole"] != "sheet"]
            done = [pane for pane in units if pane["currentStatus"] == "completed"]
            standing = Counter(p["currentStation"] for p in live if p["currentStation"])
            total = len(units) if theirs else order["quantity"]
            assert order["stationBreakdown"] == standing, order
            assert order["paneCount"] == total, order
            if theirs:
                assert order["panesCompleted"] == len(done), order
                percent = len(done) * 100 // total if total else 0
                assert order["progressPercent"] == percent, order
                complete = bool(units) and len(done) == total
                if order["status"] != "cancelled" and units:
                    assert (order["status"] == "completed") == complete, order

    def units_are_whole(self):
        """Sheets in = survivors + retired + waiting, and one survivor a merged unit."""
        children = defaultdict(list)
        for pane in self.panes:
            if pane["parentPane"]:
                children[pane["parentPane"]].append(pane)
        for parent in (p for p in self.panes if p["laminateRole"] == "parent"):
            sheets, total = children[parent["_id"]], parent["rawGlass"]["sheetsPerPane"]
            assert set(parent["childPanes"]) == {sheet["_id"] for sheet in sheets}
            merged = [s for s in sheets if s["mergedInto"]]
            survivors = [s for s in sheets if s["laminateRole"] == "single"]
            if parent["currentStatus"] == "merged_into":
                (survivor,) = survivors
                assert parent["mergedInto"] == survivor["_id"]
                assert {s["mergedInto"] for s in merged} == {survivor["_id"]}
                assert len(merged) == total - 1
                continue
            assert not merged, parent
            assert not survivors, parent
            slots = Counter(s["sheetLabel"].rstrip("0123456789") for s in sheets)
            assert len(slots) == total, parent
            if parent["currentStatus"] != "cancelled":
                alive = Counter(
                    s["sheetLabel"].rstrip("0123456789")
                    for s in sheets
                    if s["currentStatus"] in LIVE and not self._replaced(s)
                )
                assert alive == dict.fromkeys(slots, 1), (parent, sheets)

    def _replaced(self, pane):
        return any(other["remakeOf"] == pane["_id"] for other in self.panes)

    def nothing_is_remade_twice_or_forgotten(self):
        remakes = Counter(p["remakeOf"] for p in self.all_panes if p["remakeOf"])
        asked = Counter(
            log["pane"] for log in self.logs if log["action"] == "qc_fail"
        ) + Counter(
            claim["pane"]
            for claim in self.all_claims
            if claim["status"] == "approved" and claim["pane"] and claim["remake"]
        )
        assert remakes == asked
        for claim in self.claims:
            if claim["remadePane"]:
                assert self.by_id[claim["remadePane"]]["remakeOf"] == claim["pane"]

    def nothing_stands_where_it_cannot(self):
        pending = Counter(
            c["pane"] for c in self.claims if c["status"] == "pending" and c["pane"]
        )
        assert set(pending.values()) <= {1}
        for pane in self.panes:
            status = pane["currentStatus"]
            if status not in OPEN:
                assert pane["currentStation"] is None, pane
            elif pane["laminateRole"] != "parent" and pane["routing"]:
                if pane["routeIndex"] >= 0:
                    present = pane["routing"][pane["routeIndex"]]
                else:
                    present = pane["laminateStation"]
                assert pane["currentStation"] == present, pane
            if pane["_id"] in pending:
                assert status in {"claimed", "completed", "cancelled"}, pane

    def logs_explain_the_panes(self, first):
        logs = defaultdict(list)
        for log in self.logs:
            logs[log["pane"]].append(log)
        for pane in self.panes:
            made = first[pane["_id"]]
            replay = Replay(made, self.by_id.get(pane["parentPane"]))
            for log in sorted(logs[pane["_id"]], key=lambda one: one["_id"]):
                replay.follow(log)
            now = {name: pane[name] for name in STATE}
            assert replay.state == now, (pane["paneNumber"], replay.state, now)


STATE = ("currentStatus", "currentStation", "routing", "routeIndex")


class Replay:
    """A pane's state, worked out from how it was made and from its log alone."""

    def __init__(self, made, parent):
        self.state = {name: made[name] for name in STATE}
        self.parent = parent

    def follow(self, log):
        action, state = log["action"], self.state
        if action in ("scan_in", "start"):
            state["currentStatus"] = "in_progress"
            if not state["routing"]:
                state["currentStation"] = log["station"]
        elif action == "complete":
            state["currentStatus"] = "awaiting_scan_out"
            if not state["routing"]:
                state["currentStation"] = log["station"]
        elif action in ("scan_out", "qc_pass"):
            self._on()
        elif action == "qc_fail":
            state.update(currentStatus="defected", currentStation=None)
        elif action == "laminate_start":
            state.update(
                currentStatus="awaiting_scan_out",
                routing=self.parent["routing"],
                routeIndex=-1,
            )
        elif action == "laminate_complete":
            state.update(currentStatus="merged_into", currentStation=None)
        else:
            assert action == "correction", log
            assert {k: log["before"][k] for k in STATE} == state, (log, state)
            state.update({name: log["after"][name] for name in STATE})

    def _on(self):
        state = self.state
        state["routeIndex"] += 1
        if state["routeIndex"] < len(state["routing"]):
            state["currentStatus"] = "pending"
            state["currentStation"] = state["routing"][state["routeIndex"]]
        else:
            state["routeIndex"] = len(state["routing"])
            state.update(currentStatus="completed", currentStation=None)
