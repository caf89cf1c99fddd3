"""Random requests, valid or not: after each, all records and events are consistent.

After each day the history leads to the records, and the daily figures are theirs.
"""

import os
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import cutting_api
from figures_recount import (
    assert_figures_are_those_of_the_records,
    forget_earlier_tests,
)
from glassflow.models import ALL
from glassflow.services import history
from history_replay import assert_history_leads_to_the_records
from invariants import History, WorkshopState, read_all
from screens import Screen
from sizes import size
from stock_api import assert_stock_matches_ledger

pytestmark = pytest.mark.sized

POSSIBLE_STATUSES = {200, 201, 400, 404, 409}
ROOMS = ("inventory", "log", "request", "withdrawal", "order", "claim", "pane")
KINDS = {
    "panes": "pane:updated",
    "orders": "order:updated",
    "requests": "request:updated",
    "claims": "claim:updated",
    "inventories": "inventory:updated",
    "material-logs": "log:updated",
    "withdrawals": "withdrawal:updated",
}
ACTIONS = ("scan_in", "start", "complete", "scan_out", "qc_pass", "qc_fail", "laminate")
NEXT_ACTION = {
    "pending": "complete",
    "in_progress": "complete",
    "awaiting_scan_out": "scan_out",
}
#: GLASSFLOW_DAYS asks for another number of days.
EXAMPLES = int(os.environ.get("GLASSFLOW_DAYS") or size(2, long=40))
STEPS = 40
#: Two panes on a sheet, and a rest of it that is kept.
SHEET, PANE = {"width": 2400, "height": 1000}, {"width": 900, "height": 900}
INDEX = st.integers(0, 99)
SMALL = st.integers(1, 6)


class RandomDay(RuleBasedStateMachine):
    """A workshop with four stations, one of which laminates, and two materials."""

    fixtures = None  # admin, worker and workshop, set by the test
    refused, accepted = Counter(), Counter()

    def __init__(self):
        super().__init__()
        self.admin, self.worker, workshop = self.fixtures
        for model in ALL:
            if model.__name__ not in ("Role", "Worker"):
                model.collection().delete_many({})
        forget_earlier_tests()
        cut = str(workshop.station(is_cutting_station=True).pk)
        wash, pack = (str(one.pk) for one in workshop.stations(2))
        self.lamination_station = str(workshop.station(is_laminate_station=True).pk)
        self.routes = [
            [cut, pack],
            [cut, self.lamination_station, pack],
            [wash, self.lamination_station],
            [cut],
        ]
        self.stations = [cut, wash, self.lamination_station, pack]
        self.customer = str(workshop.customer().pk)
        self.materials = [
            str(workshop.material(reorder_point=3, sheet_sizes=[SHEET]).pk)
            for _ in "ab"
        ]
        racks = [workshop.make("Rack", rack_number=f"RCK-{n}", name="a") for n in "12"]
        self.racks = [str(one.pk) for one in racks]
        self.screen = Screen(self.admin).join(*(f"join_{room}" for room in ROOMS))
        self.history, self.records = History(), {kind: {} for kind in KINDS}
        self.compared = 0

    def teardown(self):
        self.screen.close()
        assert_stock_matches_ledger()
        assert_history_leads_to_the_records()
        assert_figures_are_those_of_the_records()

    def send(self, name, method, path, body=None):
        answer = self.admin.call(method, path, json=body)
        assert answer.status in POSSIBLE_STATUSES, (method, path, body, answer)
        count = self.accepted if answer.status < 400 else self.refused
        count[name] += 1
        return answer

    def one_of(self, kind, index):
        rows = list(self.records[kind].values())
        return rows[index % len(rows)] if rows else None

    @initialize()
    def open(self):
        for material in self.materials:
            self.add_lot(material, 4)
        # two single panes and a unit of each size, so that every day has all of them
        kinds = [(0, 1), (3, 1), (1, 2), (2, 3)]
        self.create_request(kinds=kinds, ordered=True)
        self.check_everything()
        self.scan_and_undo(index=0, fails=False, at=1)
        self.laminate(index=0, choice=1)  # of the others the rules decide
        self.plan_what_waits(material=0, released=True)
        self.handle_a_plan(index=0, act="cut", at=1)

    def add_lot(self, material, quantity):
        place = {"stockType": "Raw", "location": "A", "quantity": quantity}
        self.send("lot", "POST", "/api/inventories", {**place, "material": material})

    # requests, orders and panes

    @rule(
        kinds=st.lists(st.tuples(st.integers(0, 4), st.integers(1, 3)), max_size=3),
        ordered=st.booleans(),
    )
    def request_panes(self, kinds, ordered):
        self.create_request(kinds, ordered)

    def create_request(self, kinds, ordered):
        panes = []
        for route, sheets in kinds:
            glass = {"rawGlass": {"sheetsPerPane": sheets}} if sheets > 1 else {}
            routing = {"routing": self.routes[route]} if route < 4 else {}
            panes.append({**glass, **routing, "dimensions": PANE})
        details = {"type": "a", "quantity": 1}
        body = {"customer": self.customer, "details": details, "panes": panes}
        made = self.send("request", "POST", "/api/requests", body)
        if ordered and made.status == 201:
            self.create_order(made.data["_id"])

    @rule(index=INDEX)
    def order_a_request(self, index):
        request = self.one_of("requests", index)
        self.create_order(request and request["_id"])

    def create_order(self, request):
        body = {"customer": self.customer, "quantity": 2, "request": request}
        material = self.materials[0]
        self.send("order", "POST", "/api/orders", {**body, "material": material})

    @rule(route=st.integers(0, 4), sheets=st.integers(1, 3), index=INDEX)
    def create_a_pane(self, route, sheets, index):
        order = self.one_of("orders", index)
        body = {"order": order["_id"]} if order and index % 2 else {}
        body |= {"routing": self.routes[route]} if route < 4 else {}
        self.send(
            "pane",
            "POST",
            "/api/panes",
            {**body, "rawGlass": {"sheetsPerPane": sheets}},
        )

    @rule(index=INDEX, status=st.sampled_from(["cancelled", "pending", "completed"]))
    def set_the_status_of_an_order(self, index, status):
        if order := self.one_of("orders", index):
            path = f"/api/orders/{order['_id']}"
            self.send("order status", "PATCH", path, {"status": status})

    @rule(index=INDEX, status=st.sampled_from(["cancelled", "pending"]))
    def cancel_a_request_or_take_it_back(self, index, status):
        if index % 3 == 0 and (request := self.one_of("requests", index)):
            path = f"/api/requests/{request['_id']}"
            self.send("cancel", "PATCH", path, {"status": status})

    # scans

    @rule(index=INDEX, wild=st.booleans(), action=st.sampled_from(ACTIONS), at=INDEX)
    def scan(self, index, wild, action, at):
        if pane := self.one_of("panes", index):
            fields = (
                {}
                if wild
                else {"action": NEXT_ACTION.get(pane["currentStatus"], action)}
            )
            if wild or at % 5 == 0:
                fields["station"] = self.stations[at % 4]
            self.scan_pane(pane, **{"action": action, **fields})

    @rule(index=INDEX, times=st.integers(1, 6))
    def scan_onward(self, index, times):
        """Scan a pane along its route, several times."""
        for _ in range(times):
            pane = self.one_of("panes", index)
            if pane is None or pane["currentStatus"] not in NEXT_ACTION:
                return
            self.scan_pane(pane, action=NEXT_ACTION[pane["currentStatus"]])
            self.check_everything()

    @rule(
        index=INDEX,
        action=st.sampled_from(["scan_out", "qc_pass", "qc_fail"]),
        undone=st.booleans(),
    )
    def scan_before_complete(self, index, action, undone):
        if pane := self.one_of("panes", index):
            self.scan_pane(pane, action=action, reason="broken", beforeComplete=True)
            self.check_everything()
            if undone:
                path = f"/api/panes/{pane['paneNumber']}/undo"
                self.send("undo", "POST", path, {})

    @rule(index=INDEX, away=st.booleans(), at=INDEX)
    def fail(self, index, away, at):
        if pane := self.one_of("panes", index):
            if pane["currentStatus"] in ("pending", "in_progress"):
                self.scan_pane(pane, action="complete")
            fields = {"remakeStationId": self.stations[at % 4]} if away else {}
            self.scan_pane(pane, action="qc_fail", reason="broken", **fields)

    @rule(index=INDEX, fails=st.booleans(), at=INDEX)
    def scan_and_undo(self, index, fails, at):
        """Undo the last scan of a pane, sometimes after other changes."""
        if pane := self.one_of("panes", index):
            action = NEXT_ACTION.get(pane["currentStatus"], "scan_in")
            if fails and action == "scan_out":
                action = "qc_fail"
            self.scan_pane(pane, action=action, reason="broken")
            self.check_everything()
            if at % 4 == 0:
                self.scan_onward(at, 1)
            path = f"/api/panes/{pane['paneNumber']}/undo"
            self.send("undo", "POST", path, {})

    @rule(index=INDEX, choice=INDEX)
    def laminate(self, index, choice):
        parents = [
            pane
            for pane in self.records["panes"].values()
            if pane["laminateRole"] == "parent"
        ]
        if not parents:
            return
        parent = parents[index % len(parents)]
        sheets = [
            pane
            for pane in self.records["panes"].values()
            if pane["parentPane"] == parent["_id"]
        ]
        for sheet in sheets if choice % 4 else ():
            for station in dict.fromkeys(sheet["routing"]):
                self.scan_pane(sheet, action="complete", station=station)
                self.scan_pane(sheet, action="scan_out", station=station)
        survivor = sheets[choice % len(sheets)]["paneNumber"]
        self.scan_pane(parent, action="laminate", laminateSurvivorPaneNumber=survivor)

    def scan_pane(self, pane, **fields):
        path = f"/api/panes/{pane['paneNumber']}/scan"
        self.send(fields["action"], "POST", path, fields)

    @rule(
        indexes=st.lists(INDEX, min_size=1, max_size=4), action=st.sampled_from(ACTIONS)
    )
    def scan_a_batch(self, indexes, action):
        found = [self.one_of("panes", index) for index in indexes]
        numbers = [pane["paneNumber"] for pane in found if pane] or ["PNE-0"]
        body = {"paneNumbers": numbers, "action": action}
        self.send("batch", "POST", "/api/panes/batch-scan", body)

    @rule(
        index=INDEX,
        count=st.integers(1, 3),
        act=st.sampled_from(["put", "put", "take-off", "scan"]),
        at=INDEX,
    )
    def handle_a_rack(self, index, count, act, at):
        """Put panes on one of two racks, take some off, or scan what stands on it."""
        rack = self.racks[at % 2]
        panes = list(self.records["panes"].values())
        if act == "scan":
            panes = [one for one in panes if one["rack"] == rack] or panes[:1]
        elif panes:
            panes = [panes[(index + n) % len(panes)] for n in range(count)]
        body = {"paneNumbers": [one["paneNumber"] for one in panes] or ["PNE-0"]}
        if act == "scan":
            body["action"] = ("scan_in", "complete", "scan_out")[index % 3]
            body["beforeComplete"] = at % 3 == 0
        self.send(f"rack {act}", "POST", f"/api/racks/{rack}/{act}", body)

    @rule(material=st.integers(0, 1), released=st.booleans())
    def plan_what_waits(self, material, released):
        body = {"material": self.materials[material]}
        made = self.send("plan", "POST", "/api/cutting-plans", body)
        if made.status == 201:
            cutting_api.search()
            if released:
                path = f"/api/cutting-plans/{made.data['_id']}/release"
                self.send("release", "POST", path)

    @rule(
        index=INDEX,
        act=st.sampled_from(["cut", "cut", "cut", "undo", "undo", "release", "cancel"]),
        at=INDEX,
    )
    def handle_a_plan(self, index, act, at):
        """Cut a sheet of a plan, of which some panes break, take it back, or end the plan."""
        plans = self.admin.get("/api/cutting-plans", limit=100).data
        if not plans:
            return
        path = f"/api/cutting-plans/{plans[index % len(plans)]['_id']}"
        sheets = self.admin.get(f"{path}/sheets").data["sheets"]
        if act in ("cut", "undo"):
            fitting = [one for one in sheets if bool(one["cutAt"]) == (act == "undo")]
            if not fitting:
                return
            sheet = fitting[at % len(fitting)]
            panes = [one["_id"] for one in sheet["panes"]]
            body = {"broken": panes[: at % 3]} if act == "cut" else {}
            path = f"{path}/sheets/{sheet['number']}"
            self.send(f"sheet {act}", "POST", f"{path}/{act}", body)
        else:
            self.send(f"plan {act}", "POST", f"{path}/{act}")

    @rule(index=INDEX, count=st.integers(1, 4), undone=st.booleans(), at=INDEX)
    def lose_a_load(self, index, count, undone, at):
        """Fail open panes together, and take it back, sometimes after another scan."""
        panes = self.records["panes"].values()
        open_ones = [one for one in panes if one["currentStatus"] in NEXT_ACTION]
        numbers = [one["paneNumber"] for one in open_ones[index % 3 :][:count]]
        if not numbers:
            return
        body = {"paneNumbers": numbers, "reason": "broken"}
        self.send("lost load", "POST", "/api/panes/batch-fail", body)
        self.check_everything()
        if undone:
            if at % 4 == 0:
                self.scan_onward(at, 1)
            self.send("found load", "POST", "/api/panes/batch-undo", body)

    @rule(index=INDEX, at=INDEX)
    def take_in_where_it_stands(self, index, at):
        if pane := self.one_of("panes", index):
            station = self.stations[at % 4]
            self.scan_pane(pane, action="scan_in", station=station, moveHere=True)

    # corrections

    @rule(
        index=INDEX,
        at=INDEX,
        status=st.sampled_from(["pending", "completed", "cancelled", None]),
    )
    def correct_a_pane(self, index, at, status):
        if pane := self.one_of("panes", index):
            change = {"currentStatus": status} if status else {}
            if at % 3 == 0:
                change["routing"] = self.routes[at % 4]
            if at % 2 == 0 and status != "completed":
                change["currentStation"] = self.stations[at % 4]
            if at % 7 == 0:
                change["rawGlass"] = {"sheetsPerPane": 2}
            path = f"/api/panes/{pane['_id']}"
            self.send("correction", "PATCH", path, change)

    @rule(index=INDEX, status=st.sampled_from(["defected", "cancelled"]))
    def lose_a_pane(self, index, status):
        """Correct a single pane, finished or not, to a status that nothing follows."""
        if pane := self.single_pane(index, {*NEXT_ACTION, "completed"}):
            path = f"/api/panes/{pane['_id']}"
            self.send(f"to {status}", "PATCH", path, {"currentStatus": status})

    @rule(index=INDEX, at=INDEX)
    def reopen_a_pane(self, index, at):
        """Correct a single pane that is finished or lost back to a step of its route."""
        if pane := self.single_pane(index, {"completed", "defected", "cancelled"}):
            route = pane["routing"] or self.stations
            station = route[at % len(route)]
            change = {"currentStatus": "pending", "currentStation": station}
            self.send("reopening", "PATCH", f"/api/panes/{pane['_id']}", change)

    def single_pane(self, index, statuses):
        """Return one of the panes of no unit in one of these statuses, if there is any."""
        rows = [
            pane
            for pane in self.records["panes"].values()
            if pane["laminateRole"] == "single" and pane["currentStatus"] in statuses
        ]
        return rows[index % len(rows)] if rows else None

    @rule(index=INDEX, other=INDEX)
    def move_a_pane_to_an_order(self, index, other):
        pane, order = self.one_of("panes", index), self.one_of("orders", other)
        if pane and order:
            path = f"/api/panes/{pane['_id']}"
            self.send("adoption", "PATCH", path, {"order": order["_id"]})

    # claims

    @rule(index=INDEX, decided=st.sampled_from([None, None, "approved", "rejected"]))
    def claim(self, index, decided):
        if pane := self.one_of("panes", index):
            body = {
                "source": "worker",
                "description": "x",
                "reportedBy": self.worker.id,
                "paneNumber": pane["paneNumber"],
            }
            body |= {"status": decided} if decided else {}
            self.send("claim", "POST", "/api/claims/from-pane", body)

    @precondition(lambda self: self.records["claims"])
    @rule(
        index=INDEX,
        status=st.sampled_from(["approved", "rejected"]),
        decision=st.sampled_from([None, "destroy", "keep"]),
        remake=st.booleans(),
    )
    def decide_a_claim(self, index, status, decision, remake):
        claim = self.one_of("claims", index)
        body = {"status": status, "decision": decision, "remake": remake}
        self.send(f"claim {status}", "PATCH", f"/api/claims/{claim['_id']}", body)

    # stock

    @rule(material=st.integers(0, 1), quantity=SMALL)
    def import_a_lot(self, material, quantity):
        self.add_lot(self.materials[material], quantity)

    @rule(index=INDEX, quantity=st.integers(0, 6))
    def correct_a_lot(self, index, quantity):
        if lot := self.one_of("inventories", index):
            path = f"/api/inventories/{lot['_id']}"
            self.send("lot correction", "PATCH", path, {"quantity": quantity})

    @rule(index=INDEX, quantity=SMALL, place=st.sampled_from(["A", "B", "C"]))
    def move_a_lot(self, index, quantity, place):
        if lot := self.one_of("inventories", index):
            path = f"/api/inventories/{lot['_id']}/move"
            self.send("move", "POST", path, {"quantity": quantity, "toLocation": place})

    @rule(material=st.integers(0, 1), quantity=SMALL, index=INDEX)
    def withdraw(self, material, quantity, index):
        body = {"material": self.materials[material], "quantity": quantity}
        lot = self.one_of("inventories", index)
        body |= {"inventory": lot["_id"]} if lot and index % 3 == 0 else {}
        self.send(
            "withdrawal", "POST", "/api/withdrawals", {**body, "stockType": "Raw"}
        )

    @precondition(lambda self: self.records["withdrawals"])
    @rule(
        index=INDEX,
        change=st.one_of(
            st.sampled_from([{"status": "approved"}, {"status": "rejected"}]),
            st.builds(lambda quantity: {"quantity": quantity}, SMALL),
        ),
    )
    def change_a_withdrawal(self, index, change):
        found = self.one_of("withdrawals", index)
        path = f"/api/withdrawals/{found['_id']}"
        self.send(f"withdrawal {next(iter(change))}", "PATCH", path, change)

    @rule()
    def append_to_the_history(self):
        """Count what has been published so far, as the service does twice a second."""
        history.append()

    # deletion

    @rule(kind=st.sampled_from([k for k in KINDS if k != "material-logs"]), index=INDEX)
    def delete(self, kind, index):
        if index % 2 and (found := self.one_of(kind, index)):
            self.send(f"delete {kind}", "DELETE", f"/api/{kind}/{found['_id']}")

    @invariant()
    def check_everything(self):
        """Read everything, and compare the changes with the events."""
        self.screen.catch_up(self.admin)
        since = self.screen.received[self.compared : len(self.screen.received)]
        self.compared = len(self.screen.received)
        state = WorkshopState(self.admin)
        now = {
            "panes": state.panes,
            "orders": state.orders,
            "claims": state.claims,
            "inventories": state.lots,
            "material-logs": state.ledger,
            "requests": state.requests,
            "withdrawals": read_all(self.admin, "/api/withdrawals"),
        }
        for kind, rows in now.items():
            rows = {row["_id"]: row for row in rows}
            events = [payload for event, payload in since if event == KINDS[kind]]
            compare(kind, self.records[kind], rows, events)
            self.records[kind] = rows
        state.check(self.history)


def compare(kind, before, after, events):
    """Each changed record had an event with its last state; no other record had one."""
    changed = {
        key
        for key in {*before, *after}
        if key not in after
        or key not in before
        or after[key]["version"] != before[key]["version"]
    }
    last, versions = {}, set()
    for event in events:
        if event["action"] == "pane_scanned":
            continue
        parts = [event["data"]]
        if event["action"] == "moved":
            parts = [event["data"]["source"], event["data"]["target"]]
        for data in parts:
            key = data["_id"]
            # an approval publishes its lots without changing them, and so does a batch
            # its panes that are scanned in already
            unchanged = event["action"] in ("adjusted", "scanned")
            assert key in changed or unchanged, (kind, event)
            one = (key, event["action"], data["version"])
            assert one not in versions or event["action"] == "adjusted", event
            versions.add(one)
            last[key] = event["action"], data
    assert changed <= set(last), (kind, changed - set(last))
    for key in changed:
        action, data = last[key]
        assert (action == "deleted") == (key not in after), (kind, action)
        if key in after:
            assert data == after[key], kind


@pytest.mark.slow
@pytest.mark.timeout(300 + EXAMPLES * 100)
def test_random_requests_leave_records_and_events_consistent(admin, worker, workshop):
    RandomDay.fixtures = (admin, worker, workshop)
    RandomDay.refused.clear()
    RandomDay.accepted.clear()
    run_state_machine_as_test(
        RandomDay,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert RandomDay.accepted["laminate"], "no day laminated a unit"
    assert RandomDay.accepted["undo"], "no day undid a scan"
    print(f"accepted: {dict(RandomDay.accepted)}, refused: {dict(RandomDay.refused)}")
