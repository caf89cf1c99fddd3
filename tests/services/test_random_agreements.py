"""Random lives of requests: what is charged and what is open is always what was agreed."""

import random
from collections import Counter, defaultdict
from decimal import Decimal

import pytest
from bson import ObjectId

from billing_scenarios import PANE, PATH, PRICES
from glassflow.domain.agreed_prices import is_live
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from scenarios import claim_pane
from sizes import size

DAYS = size(2, long=40)
STEPS = size(60, long=150)
POSSIBLE_STATUSES = ("200", "201", "400", "409")
ACTS = [
    "add",
    "agree",
    "bill",
    "cancel",
    "cancel_request",
    "cancel_unit",
    "change_request",
    "change_request",
    "charge_lost",
    "charge_waiting",
    "claim",
    "claim",
    "credit",
    "delete",
    "fail",
    "finish",
    "finish",
    "hand_over",
    "hand_over",
    "laminate",
    "move",
    "reopen",
    "request",
    "resize",
    "restore_request",
    "restore_unit",
    "unbill",
    "undo_failed",
    "undo_hand_over",
    "void",
]
#: The acts after which a pane may have another price than before.
PRICING = {
    "agree", "change_request", "hand_over", "laminate", "resize", "undo_failed",
    "undo_hand_over", "void",
}  # fmt: skip

pytestmark = [pytest.mark.sized, pytest.mark.slow]


class RandomLives:
    """Makes one random change after the other, of the requests of one customer."""

    def __init__(self, api, workshop, rng):
        self.api, self.rng = api, rng
        self.customer = str(workshop.customer(discount=5).pk)
        self.material = str(workshop.material().pk)
        self.saw = str(workshop.station().pk)
        self.press = str(workshop.station(is_laminate_station=True).pk)
        self.request()

    def step(self):
        act = self.rng.choice(ACTS)
        answer = getattr(self, act)()
        return act, answer.status if answer else "-"

    def some(self, path, **filters):
        return self.rng.choice(self.api.get(path, limit=100, **filters).data or [None])

    def pane(self, **filters):
        return self.some("/api/panes", **filters)

    def amount(self):
        return self.rng.choice((0, 1, 500, 999.99, 1234.56, 10_000))

    def pane_body(self):
        width = self.rng.choice((100, 929.03, 1400))
        glass = {**PANE["rawGlass"], "sheetsPerPane": self.rng.choice((1, 1, 1, 2))}
        glass["thickness"] = self.rng.choice((6, 6, 6, 12))  # 12 mm has no price
        size_of = {"width": width, "height": 1000}
        routing = [self.saw, self.press] if glass["sheetsPerPane"] == 2 else [self.saw]
        return {"dimensions": size_of, "rawGlass": glass, "routing": routing}

    def request(self):
        count = self.rng.randrange(4)
        details = {"type": "a", "quantity": max(count, 1)}
        details["estimatedPrice"] = self.rng.choice((0, self.amount()))
        panes = [self.pane_body() for _ in range(count)]
        body = {"customer": self.customer, "details": details, "panes": panes}
        made = self.api.post("/api/requests", body)
        if self.rng.random() < 0.7 and panes:
            order = {"request": made.data["_id"], "customer": self.customer}
            order |= {"material": self.material, "quantity": count}
            assert self.api.post("/api/orders", order).status == 201
        return made

    def add(self):
        request = self.some("/api/requests")["_id"]
        if self.rng.random() < 0.5:
            body = {"panes": [self.pane_body()]}
            return self.api.post(f"/api/requests/{request}/panes", body)
        return self.api.post("/api/panes", {**self.pane_body(), "request": request})

    def agree(self):
        path = f"/api/requests/{self.some('/api/requests')['_id']}"
        details = {"estimatedPrice": self.amount()}
        return self.api.patch(path, {"details": details})

    def change(self, pane, **values):
        return pane and self.api.patch(f"/api/panes/{pane['_id']}", values)

    def change_request(self):
        """Some panes of a request changed and cancelled, others added, as one act."""
        request = self.some("/api/requests")["_id"]
        rows = self.api.get("/api/panes", request=request, limit=100).data
        known = [one for one in rows if one["laminateRole"] != "sheet"]
        self.rng.shuffle(known)
        count = self.rng.randrange(3)
        glass = {"thickness": self.rng.choice((6, 6, 6, 12))}
        wider = {"dimensions": {"width": self.rng.choice((100, 1400))}}
        values = self.rng.choice((wider, wider, {"rawGlass": glass}))
        changed = [{"panes": [one["_id"] for one in known[count : count + 2]]}]
        changed = [{**one, "values": values} for one in changed if one["panes"]]
        body = {
            "reason": "a",
            "add": [self.pane_body() for _ in range(self.rng.randrange(2))],
            "cancel": [one["_id"] for one in known[:count]],
            "change": changed,
            "charge": self.rng.random() < 0.3,
        }
        path = f"/api/requests/{request}/changes"
        before = self.api.get(f"/api/requests/{request}").data
        shown = self.api.post(f"{path}/preview", body)
        assert self.api.get(f"/api/requests/{request}").data == before
        if self.rng.random() < 0.3:
            return self.confirmed(request, body)
        done = self.api.post(path, body)
        assert shown.status == {201: 200}.get(done.status, done.status)
        if done.status == 201:
            after = done.data["details"]["estimatedPrice"]
            assert shown.data["change"]["after"] == after
        return done

    def confirmed(self, request, change):
        """Let a change wait for the customer, who confirms what it then is."""
        path = f"/api/requests/{request}"
        asked = self.api.post(f"{path}/changes", {**change, "waits": True})
        if asked.status != 201:
            return asked
        made = asked.data["confirmation"]
        done = self.api.post(f"/api/quotes/{made['_id']}/accept", {})
        assert done.status == 200, done
        rows = Pane.collection().find({"request": ObjectId(request)})
        prices = [one.get("agreedPrice") for one in rows if is_live(one)]
        # a pane without an agreed price is on paper with that of the list
        if None not in prices:
            agreed = self.api.get(path).data["details"]["estimatedPrice"]
            assert Decimal(made["price"]["total"]) == baht(agreed)
        return done

    def cancel_unit(self):
        pane = self.pane(laminateRole="parent", status="pending")
        return self.change(pane, currentStatus="cancelled")

    def restore_unit(self):
        pane = self.pane(laminateRole="parent", status="cancelled")
        return self.change(pane, currentStatus="pending")

    def finish(self):
        pane = self.pane(status="pending", laminateRole="single")
        return self.change(pane, currentStatus="completed")

    def cancel(self):
        pane = self.pane(status="pending,completed", laminateRole="single,parent")
        return self.change(pane, currentStatus="cancelled")

    def reopen(self):
        pane = self.pane(status="cancelled,completed", laminateRole="single,parent")
        station = self.saw if pane and pane["laminateRole"] == "single" else None
        return self.change(pane, currentStatus="pending", currentStation=station)

    def resize(self):
        height = self.rng.choice((500, 2000))
        return self.change(self.pane(), dimensions={"height": height})

    def move(self):
        request = self.some("/api/requests")["_id"]
        return self.change(self.pane(order="null"), request=request)

    def fail(self):
        pane = self.pane(status="pending", laminateRole="single")
        if pane:
            self.api.scan(pane["paneNumber"], "complete")
            return self.api.scan(pane["paneNumber"], "qc_fail", reason="scratch")
        return None

    def undo_failed(self):
        pane = self.pane(status="defected")
        return pane and self.api.post(f"/api/panes/{pane['paneNumber']}/undo", {})

    def laminate(self):
        sheet = self.pane(laminateRole="sheet", status="pending,in_progress")
        if not sheet:
            return None
        for one in self.api.get("/api/panes", parentPane=sheet["parentPane"]).data:
            self.api.scan(one["paneNumber"], "complete")
            self.api.scan(one["paneNumber"], "scan_out")
            self.api.scan(one["paneNumber"], "scan_in", station=self.press)
        return self.api.scan(sheet["paneNumber"], "laminate", station=self.press)

    def claim(self):
        pane = self.pane(order_ne="null")
        if not pane:
            return None
        made = claim_pane(self.api, pane["paneNumber"])
        decision = {
            "status": self.rng.choice(("approved", "approved", "rejected")),
            "decision": self.rng.choice(("destroy", "keep")),
            "remake": self.rng.random() < 0.6,
        }
        if made.status != 201:
            return made
        return self.api.patch(f"/api/claims/{made.data['_id']}", decision)

    def hand_over(self):
        """The finished panes of one request, or one of them."""
        request = self.some("/api/requests")["_id"]
        ready = self.api.get("/api/panes", request=request, status="completed").data
        ready = [one for one in ready if not one["deliveredAt"]]
        chosen = ready[: self.rng.choice((1, 5))]
        if not chosen:
            return None
        if self.rng.random() < 0.1:  # noted by hand, it is charged with the next ones
            return self.change(chosen[0], deliveredAt="2026-11-20T08:00:00Z")
        body = {"customer": self.customer, "panes": [one["_id"] for one in chosen]}
        planned = self.api.post("/api/deliveries", body)
        if planned.status != 201:
            return planned
        numbers = [one["paneNumber"] for one in chosen]
        path = f"/api/deliveries/{planned.data['_id']}/hand-over"
        return self.api.post(path, {"paneNumbers": numbers, "receivedBy": "สมชาย"})

    def undo_hand_over(self):
        found = self.some("/api/deliveries", status="delivered")
        return found and self.api.post(f"/api/deliveries/{found['_id']}/undo", {})

    def bill(self):
        found = self.some(PATH, status="open")
        body = {"ids": [found["_id"]], "invoiceNumber": "INV-1"} if found else None
        return found and self.api.post(f"{PATH}/bill", body)

    def unbill(self):
        found = self.some(PATH, status="billed")
        return found and self.api.post(f"{PATH}/unbill", {"ids": [found["_id"]]})

    def credit(self):
        """A pane of a billed entry made cheaper, at times by more than its price."""
        found = self.some(PATH, status="billed", creditOf="null")
        lines = (
            [line for part in found["parts"] for line in part["panes"]] if found else []
        )
        if not lines:
            return None
        net = self.rng.choice((1, 99.99, 500))
        pane = {"pane": self.rng.choice(lines)["pane"], "net": net}
        amount = self.rng.choice((0, 33.33))
        body = {"panes": [pane], "amount": amount, "reason": "รอย"}
        return self.api.post(f"{PATH}/{found['_id']}/credit", body)

    def charge_lost(self):
        pane = self.pane(status="cancelled,defected,claimed")
        body = {"panes": [pane["_id"]], "reason": "ตัดแล้ว"} if pane else None
        return pane and self.api.post(PATH, body)

    def charge_waiting(self):
        request = self.some("/api/requests")["_id"]
        return self.api.post(PATH, {"request": request, "reason": "ขึ้นราคา"})

    def void(self):
        found = self.some(PATH)
        return found and self.api.post(f"{PATH}/{found['_id']}/void", {})

    def cancel_request(self):
        return self.set_status(self.some("/api/requests"), "cancelled")

    def restore_request(self):
        found = self.some("/api/requests", status="cancelled")
        return self.set_status(found, "pending")

    def set_status(self, request, status):
        path = request and f"/api/requests/{request['_id']}"
        return request and self.api.patch(path, {"status": status})

    def delete(self):
        pane = self.pane(laminateRole="single")
        return pane and self.api.delete(f"/api/panes/{pane['_id']}")


class Books:
    """What is stored, added up without any code of the service."""

    def __init__(self):
        self.panes = {one["_id"]: one for one in Pane.collection().find()}
        entries = list(BillingEntry.collection().find({"status": {"$ne": "void"}}))
        self.lines = [
            line
            for one in entries
            if not one.get("creditOf")
            for part in one["parts"]
            for line in part["panes"]
        ]
        self.charged = defaultdict(Decimal)
        for entry in entries:
            parts = [baht(part["net"]) for part in entry["parts"]]
            assert baht(entry["net"]) == sum(parts), entry
            for part in entry["parts"]:
                lines = sum(baht(line["net"]) for line in part["panes"])
                is_of_panes = part["panes"] and not entry.get("creditOf")
                assert not is_of_panes or baht(part["net"]) == lines, entry
                self.charged[part["request"]] += baht(part["net"])
        self.requests = {one["_id"]: one for one in Request.collection().find()}

    def check(self, step):
        """Raise `AssertionError` where the parts of an agreed price are not the price."""
        charged = Counter(
            self.unit_of(self.panes.get(line["pane"], {"_id": line["pane"]}))
            for line in self.lines
        )
        assert max(charged.values(), default=1) == 1, (step, charged)
        open_ones = defaultdict(Decimal)
        for pane in self.panes.values():
            if pane["laminateRole"] == "sheet":
                assert pane.get("agreedPrice") is None, pane
            elif self.unit_of(pane) not in charged and not self.is_lost(pane):
                open_ones[pane.get("request")] += baht(pane.get("agreedPrice"))
        for key, request in self.requests.items():
            waiting = baht(request["unsharedPrice"])
            assert waiting >= 0, request
            parts = (self.charged[key], open_ones[key], waiting)
            agreed = baht(request["details"]["estimatedPrice"])
            assert agreed == sum(parts), (step, parts, request)
            for one in request["changes"]:
                lines = sum(baht(line["difference"]) for line in one["lines"])
                assert baht(one["after"]) - baht(one["before"]) == lines, (step, one)

    def unit_of(self, pane):
        """The parent of a laminated pane; it may have been charged as that."""
        is_laminated = pane.get("laminateRole") == "single"
        return (is_laminated and pane.get("parentPane")) or pane["_id"]

    def is_lost(self, pane):
        gone = pane["currentStatus"] in ("cancelled", "defected", "merged_into")
        return gone or bool(pane.get("writtenOff"))

    def changed_prices(self, before):
        """The panes that have another price than before."""
        return [
            one["paneNumber"]
            for key, one in self.panes.items()
            if key in before.panes
            and one.get("agreedPrice") != before.panes[key].get("agreedPrice")
        ]


def baht(amount):
    return Decimal(str(amount or 0))


@pytest.mark.parametrize("seed", range(DAYS))
def test_entries_and_what_is_open_are_the_agreed_price_at_each_step(
    admin, workshop, seed
):
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    lives, done = RandomLives(admin, workshop, random.Random(seed)), Counter()
    before = Books()
    for number in range(STEPS):
        act, status = lives.step()
        done[act, str(status)] += 1
        after = Books()
        after.check((number, act))
        if act not in PRICING:
            changed = after.changed_prices(before)
            moved = act in ("move", "claim", "add")
            assert not changed or moved, (number, act, changed)
        before = after
    statuses = {status for _, status in done}
    assert statuses <= {"-", *POSSIBLE_STATUSES}, done
    ids = {ObjectId(one["_id"]) for one in admin.get("/api/requests", limit=100).data}
    for request in ids:  # and so says the report
        shown = admin.get(f"/api/requests/{request}/agreed-price").data
        parts = (shown["charged"], shown["open"]["price"], shown["waiting"])
        assert sum(map(Decimal, parts)) == Decimal(shown["total"]), shown
