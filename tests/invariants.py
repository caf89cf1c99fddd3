"""What must be true of a workshop at any time, read through the API.

Figures are counted again here, without any code of the service.
"""

from collections import Counter, defaultdict

RETIRED = {"merged_into", "defected", "cancelled"}
OPEN = {"pending", "in_progress", "awaiting_scan_out"}
LIVE = OPEN | {"claimed"}


def read_all(api, path, **params):
    """Read all pages of a list."""
    rows, page = [], 1
    while True:
        answer = api.get(path, page=page, limit=100, sort="createdAt", **params)
        rows += answer.data
        if page >= answer.body["pagination"]["totalPages"]:
            return rows
        page += 1


class History:
    """All records seen so far: panes as they were created, claims as they were last.

    `kept` are the finished panes that an approved claim has left in the figures,
    `cancelled_alone` the cancelled panes in whose place nothing is made.
    """

    def __init__(self):
        self.panes, self.claims = {}, {}
        self.kept, self.cancelled_alone = set(), set()
        self._last = {}

    def record(self, state):
        for claim in state.claims:
            before = self.claims.get(claim["_id"], {"status": "pending"})
            if before["status"] == "pending" and state.keeps(claim):
                self.kept.add(claim["pane"])
        for pane in state.panes:
            self._record_cancellation(pane, state)
            self.panes.setdefault(pane["_id"], pane)
        self._last = state.by_id
        self.claims.update({claim["_id"]: claim for claim in state.claims})

    def _record_cancellation(self, pane, state):
        before = self._last.get(pane["_id"], pane)
        if pane["currentStatus"] != "cancelled":
            self.cancelled_alone.discard(pane["_id"])
        elif before["currentStatus"] != "cancelled":
            stops = {pane["order"], pane["request"]} & state.cancelled_work()
            with_work = stops and before["currentStatus"] in LIVE
            # an undone failed check cancels the remake, which its pane replaces
            undone = before["remakeOf"] and not pane["remakeOf"]
            if not with_work and not undone:
                self.cancelled_alone.add(pane["_id"])


class WorkshopState:
    """The whole workshop at a moment without requests."""

    def __init__(self, api):
        self.panes = read_all(api, "/api/panes", includeMerged="true")
        self.orders = read_all(api, "/api/orders")
        self.requests = read_all(api, "/api/requests")
        self.claims = read_all(api, "/api/claims")
        self.logs = read_all(api, "/api/pane-logs")
        self.lots = read_all(api, "/api/inventories")
        self.ledger = read_all(api, "/api/material-logs")
        plans = read_all(api, "/api/cutting-plans", status="released,cutting")
        self.sheets = {
            one["_id"]: api.get(f"/api/cutting-plans/{one['_id']}/sheets").data[
                "sheets"
            ]
            for one in plans
        }
        self.by_id = {pane["_id"]: pane for pane in self.panes}
        self.all_claims, self.all_panes = self.claims, self.panes
        self.kept = {claim["pane"] for claim in self.claims if self.keeps(claim)}
        # panes are cancelled along with their order or request only
        self.cancelled_alone = set()

    def check(self, history=None):
        """Raise `AssertionError` for the first inconsistency.

        With a history, the state of each pane is computed again from its log, and
        records that were deleted since are included in the counts.
        """
        if history is not None:
            history.record(self)
            self.all_claims = history.claims.values()
            self.all_panes = history.panes.values()
            self.kept = history.kept
            self.cancelled_alone = history.cancelled_alone
        self.check_stock_equals_ledger()
        self.check_order_figures()
        self.check_cancelled_work()
        self.check_units_are_complete()
        self.check_remakes()
        self.check_stations()
        self.check_racks()
        self.check_reservations()
        if history is not None:
            self.check_panes_follow_their_logs(history.panes)

    def check_racks(self):
        for pane in self.panes:
            gone = pane["currentStatus"] in ("defected", "cancelled", "merged_into")
            is_parent = pane["laminateRole"] == "parent"
            if gone or is_parent or pane["deliveredAt"]:
                assert pane["rack"] is None, pane

    def check_reservations(self):
        """What is reserved are the uncut sheets of released plans, and their panes."""
        sheets, panes = Counter(), {}
        for plan, of_plan in self.sheets.items():
            for sheet in of_plan:
                if sheet["cutAt"] is None:
                    sheets[sheet["lot"]["_id"], plan] += 1
                    panes.update((pane["_id"], plan) for pane in sheet["panes"])
        reserved = {
            (lot["_id"], one["plan"]): one["quantity"]
            for lot in self.lots
            for one in lot["reservations"]
        }
        assert reserved == sheets
        for pane in self.panes:
            if pane["cuttingPlan"]:
                assert panes[pane["_id"]] == pane["cuttingPlan"], pane
                assert pane["currentStatus"] in ("pending", "in_progress"), pane

    def check_stock_equals_ledger(self):
        sums = defaultdict(float)
        for entry in self.ledger:
            if entry["inventory"]:
                sums[entry["inventory"]] += entry["quantityChanged"]
        for lot in self.lots:
            assert lot["quantity"] >= 0, lot
            assert abs(sums.pop(lot["_id"], 0) - lot["quantity"]) < 1e-6, lot
        for lot_id, rest in sums.items():  # lots that were deleted
            assert abs(rest) < 1e-6, lot_id

    def keeps(self, claim):
        """Whether a claim is approved and leaves its pane finished and counted."""
        pane = self.by_id.get(claim["pane"])
        approved = claim["status"] == "approved" and not claim["remadePane"]
        return approved and pane is not None and pane["currentStatus"] == "completed"

    def written_off(self):
        """Panes that an approved claim removed from their order's count."""
        return {
            claim["pane"]
            for claim in self.all_claims
            if claim["status"] == "approved"
            and claim["pane"] in self.by_id
            and (claim["remadePane"] or claim["pane"] not in self.kept)
        }

    def not_made_again(self):
        """Panes that an approved claim removed without a remake."""
        remade = {
            claim["pane"]
            for claim in self.all_claims
            if claim["status"] == "approved" and claim["remadePane"]
        }
        return self.written_off() - remade

    def check_order_figures(self):
        written_off = self.written_off()
        not_made = self.not_made_again() | self.cancelled_alone
        panes = defaultdict(list)
        for pane in self.panes:
            panes[pane["order"]].append(pane)
        for order in self.orders:
            own = panes[order["_id"]]
            live = [
                pane
                for pane in own
                if pane["currentStatus"] not in RETIRED
                and pane["_id"] not in written_off
            ]
            units = [pane for pane in live if pane["laminateRole"] != "sheet"]
            done = [pane for pane in units if pane["currentStatus"] == "completed"]
            breakdown = Counter(
                p["currentStation"] for p in live if p["currentStation"]
            )
            due = order["quantity"] - sum(
                pane["_id"] in not_made and pane["laminateRole"] != "sheet"
                for pane in own
            )
            total = max(len(units), due)
            assert order["stationBreakdown"] == breakdown, order
            assert order["paneCount"] == total, order
            if own:
                assert order["panesCompleted"] == len(done), order
                percent = len(done) * 100 // total if total else 0
                assert order["progressPercent"] == percent, order
                # people may complete an order in which nothing is due
                if total and order["status"] != "cancelled":
                    complete = len(done) == total
                    assert (order["status"] == "completed") == complete, order

    def cancelled_work(self):
        """The ids of the orders and requests that are cancelled."""
        return {
            one["_id"]
            for one in (*self.orders, *self.requests)
            if one["status"] == "cancelled"
        }

    def check_cancelled_work(self):
        """Nothing is left to do in a cancelled order or request."""
        cancelled = self.cancelled_work()
        for pane in self.panes:
            if pane["currentStatus"] in OPEN:
                assert cancelled.isdisjoint({pane["order"], pane["request"]}), pane
        for order in self.orders:
            if order["request"] in cancelled:
                assert order["status"] in {"cancelled", "completed"}, order

    def check_units_are_complete(self):
        """Every sheet is the survivor, retired or waiting; a merged unit has one survivor."""
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

    def check_remakes(self):
        remakes = Counter(p["remakeOf"] for p in self.all_panes if p["remakeOf"])
        due = Counter(
            log["pane"] for log in self.logs if log["action"] == "qc_fail"
        ) + Counter(
            claim["pane"]
            for claim in self.all_claims
            if claim["status"] == "approved" and claim["pane"] and claim["remake"]
        )
        assert remakes == due
        for claim in self.claims:
            if claim["remadePane"]:
                assert self.by_id[claim["remadePane"]]["remakeOf"] == claim["pane"]

    def check_stations(self):
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
                    expected = pane["routing"][pane["routeIndex"]]
                else:
                    expected = pane["laminateStation"]
                assert pane["currentStation"] == expected, pane
            if pane["_id"] in pending:
                assert status in {"claimed", "completed", "cancelled"}, pane

    def check_panes_follow_their_logs(self, created):
        logs = defaultdict(list)
        for log in self.logs:
            logs[log["pane"]].append(log)
        for pane in self.panes:
            start = created[pane["_id"]]
            replay = Replay(start, self.by_id.get(pane["parentPane"]))
            for log in sorted(logs[pane["_id"]], key=lambda one: one["_id"]):
                replay.apply(log)
            now = {name: pane[name] for name in STATE}
            assert replay.state == now, (pane["paneNumber"], replay.state, now)


STATE = ("currentStatus", "currentStation", "routing", "routeIndex")


class Replay:
    """A pane's state, computed from its first state and its log only."""

    def __init__(self, created, parent):
        self.state = {name: created[name] for name in STATE}
        self.parent = parent

    def apply(self, log):
        action, state = log["action"], self.state
        if action in ("scan_in", "start"):
            state["currentStatus"] = "in_progress"
            if not state["routing"]:
                state["currentStation"] = log["station"]
            elif log["station"] != state["currentStation"]:
                self._jump(log)
        elif action == "complete":
            state["currentStatus"] = "awaiting_scan_out"
            if not state["routing"]:
                state["currentStation"] = log["station"]
        elif action in ("scan_out", "qc_pass"):
            self._advance()
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

    def _jump(self, log):
        """Go to a later step, past those that the log names, else to an earlier one."""
        state, station = self.state, log["station"]
        now, route = max(state["routeIndex"], 0), state["routing"]
        later = [n for n in range(now, len(route)) if route[n] == station]
        earlier = [n for n in range(now) if route[n] == station]
        index = later[0] if later else earlier[-1]
        assert log["skippedStations"] == route[now:index], log
        state.update(routeIndex=index, currentStation=station)

    def _advance(self):
        state = self.state
        state["routeIndex"] += 1
        if state["routeIndex"] < len(state["routing"]):
            state["currentStatus"] = "pending"
            state["currentStation"] = state["routing"][state["routeIndex"]]
        else:
            state["routeIndex"] = len(state["routing"])
            state.update(currentStatus="completed", currentStation=None)
