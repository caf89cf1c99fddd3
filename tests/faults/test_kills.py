"""The service is killed several times during the demo day, and started again.

After each start no acknowledged change is missing and no change is half applied; the
demo's clients wait and continue to the end. A POST whose answer was lost is sent again with
its `Idempotency-Key` and has one effect. At the end the
history leads to every record, and a webhook has got every event in order.
"""

import os
import random
import threading
import time

import pytest
from acknowledged import RecordingClient
from workshop_checks import WorkshopChecks, read_workshop

from demo.client import Api, NoResponse
from demo.day import Day
from demo.workshop import demo_passwords
from history_replay import replay_history_of
from sizes import size
from waiting import wait_until

DAY = size({"requests": 5, "panes_each": 1}, long={"requests": 12, "panes_each": 5})
KILLS = size(4, long=100)
CHANGES_BEFORE_A_KILL = size((5, 35), long=(1, 8))
DELETIONS_BEFORE_A_KILL = size((4,), long=(1, 4, 8))
CUSTOMERS = 24
DAY_TIMEOUT_S = size(400, long=1200)
EVENTS_PER_PAGE = 1000
WITHOUT_HISTORY = "notifications"
#: The resources whose every change has an event with the record.
ANNOUNCED = ("requests", "orders", "panes", "claims", "withdrawals")

pytestmark = [
    pytest.mark.long,
    pytest.mark.embedded_store,
    pytest.mark.slow,
    pytest.mark.timeout(size(900, long=5400)),
    # the library leaves a websocket open that ends before its first packet
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]


def kill(service, kind):
    """Kill the workers or the whole service; return how to restore it."""
    if kind == "worker":
        service.kill_workers()
        return service.wait_until_ready
    service.kill_all()
    return service.start


def check_workshop(service, recorder, inspector):
    """Read the whole workshop; fail if a change is missing or half applied."""
    state = read_workshop(inspector)
    checks = WorkshopChecks(state)
    faults = recorder.acknowledged.missing_from(state) + checks.faults()
    assert not faults, "\n".join(map(str, faults[:20])) + service.output()
    return state, checks.checked + len(recorder.acknowledged.records)


def assert_history_is_complete(inspector, pane):
    """The changes of a pane begin with its creation, follow each other, and end with it."""
    rows = inspector.get(f"/api/panes/{pane['_id']}/history", limit=200)[::-1]
    assert rows[0]["action"] == "created"
    state = {}
    for change in (change for row in rows for change in row["changes"]):
        assert state.get(change["field"]) == change["from"], (change, rows)
        state[change["field"]] = change["to"]
    for field in ("currentStatus", "currentStation", "routeIndex", "mergedInto"):
        assert state.get(field) == pane[field], (field, rows)


def assert_history_leads_to_all(service, recorder):
    """The chain is whole; replayed, it leads to each acknowledged record that is left."""
    replayed = replay_history_of(service)
    acknowledged = {
        (kind, id)
        for kind, id in recorder.acknowledged.records
        if kind != WITHOUT_HISTORY
    }
    assert acknowledged
    assert not {(kind, id) for kind, id in acknowledged if id not in replayed}


def assert_webhook_got_every_event(receiver, recorder, inspector):
    """It got all events since it was made, in order; they show each acknowledged change."""
    own = [f"user:{inspector.id}"]
    listed = [one for one in read_events(inspector) if one["rooms"] != own]
    names = [one["event"] for one in listed]
    since = {one["id"] for one in listed[names.index("webhook:updated") :]}
    wait_until(
        lambda: since <= receiver.ids(),
        DAY_TIMEOUT_S,
        lambda: f"{len(since - receiver.ids())} of {len(since)} events are missing",
    )
    receiver.assert_in_order()
    assert receiver.ids() <= {one["id"] for one in listed}
    shown = {}
    for delivery in receiver.accepted:
        record = delivery.event["data"].get("data")
        if isinstance(record, dict) and "version" in record:
            shown[record["_id"]] = record["version"]
    for (kind, id), record in recorder.acknowledged.records.items():
        if kind in ANNOUNCED:
            assert shown.get(id, 0) >= record["version"], (kind, record)


def read_events(api):
    """Read the whole event log."""
    rows, after = [], 0
    while page := api.get("/api/events", after=after, limit=EVENTS_PER_PAGE):
        rows, after = rows + page, page[-1]["seq"]
    return rows


def damaged(state):
    """Yield copies of the workshop, each with one half-applied change."""
    panes, orders = list(state["panes"].values()), list(state["orders"].values())
    unit = next(p for p in panes if p["laminateRole"] == "parent" and p["mergedInto"])
    claim = next(c for c in state["claims"].values() if c["remadePane"])
    remade = next(p["remakeOf"] for p in panes if p["remakeOf"])
    fresh = next(p for p in panes if not p["remakeOf"])
    lot = next(iter(state["inventories"].values()))
    withdrawal = next(iter(state["withdrawals"].values()))
    for kind, record, changes in (
        ("panes", unit, {"currentStatus": "pending"}),
        ("panes", fresh, {"currentStatus": "in_progress"}),
        ("panes", fresh, {"remakeOf": remade}),
        ("orders", orders[0], {"panesCompleted": 0}),
        ("orders", orders[0], {"status": "in_progress"}),
        ("claims", claim, {"remadePane": None}),
        ("inventories", lot, {"quantity": lot["quantity"] + 1}),
        ("withdrawals", withdrawal, {"quantity": withdrawal["quantity"] + 1}),
    ):
        others = {**state[kind], record["_id"]: {**record, **changes}}
        yield changes, {**state, kind: others}


def test_demo_day_completes_through_several_kills(service, receiver, capsys):
    seed = int(os.environ.get("KILLS_SEED") or random.randrange(1_000_000))
    rng = random.Random(seed)
    password = demo_passwords()["admin"]
    recorder = RecordingClient(service.url)
    inspector = Api.login(service.url, "admin", password)
    inspector.post("/api/webhooks", url=receiver.url, events=["*"])
    before = read_workshop(inspector)
    admin = Api.login(service.url, "admin", password, recorder)
    day = Day(admin, count_events=False, **DAY)
    errors = []

    def work():
        try:
            day.run()
        except Exception as error:
            errors.append(error)

    working = threading.Thread(target=work, daemon=True)
    working.start()
    kinds = ["worker", "service"] * (KILLS // 2)
    rng.shuffle(kinds)
    kills, checks = 0, 0
    for kind in kinds:
        mark = recorder.acknowledged.changes + rng.randint(*CHANGES_BEFORE_A_KILL)
        while recorder.acknowledged.changes < mark and working.is_alive():
            time.sleep(0.005)
        if not working.is_alive():
            break
        time.sleep(rng.uniform(0, 0.05))  # at any point of a request
        restore = kill(service, kind)
        recorder.open.clear()
        restore()
        recorder.drain()
        checks += check_workshop(service, recorder, inspector)[1]
        recorder.open.set()
        kills += 1
    working.join(DAY_TIMEOUT_S)
    text = day.report.text()
    with capsys.disabled():
        print(
            f"\nkills: {kills} (half of them of the whole service)"
            f" · seed {seed} · {recorder.acknowledged.changes} changes acknowledged"
            f" · {recorder.sent_again} requests sent again · {checks} checks"
        )
    assert kills == KILLS, "the day ended before the last kill"
    assert not errors, (errors, text, service.output())
    assert not day.report.problems, text
    recorder.drain()
    state, _ = check_workshop(service, recorder, inspector)
    assert not recorder.acknowledged.created_twice(state, before)
    assert_history_leads_to_all(service, recorder)
    assert_webhook_got_every_event(receiver, recorder, inspector)
    for pane in state["panes"].values():
        assert_history_is_complete(inspector, pane)
    for change, damaged_state in damaged(state):  # the checks detect such faults
        assert WorkshopChecks(damaged_state).faults(), change


@pytest.mark.parametrize("kind", ["worker", "service"])
def test_records_of_an_interrupted_deletion_can_be_used_at_once(service, kind, capsys):
    """An interrupted deletion leaves no lock: the record is deleted or unchanged."""
    admin = Api.login(service.url, "admin", demo_passwords()["admin"])
    left, deleted = [], []
    for acknowledged in DELETIONS_BEFORE_A_KILL:
        ids = [
            admin.post("/api/customers", name=f"c{n}")["_id"] for n in range(CUSTOMERS)
        ]
        confirmed = delete_and_kill(service, kind, admin, ids, acknowledged)
        remaining = [record for record in ids if exists(admin, record)]
        assert not confirmed & set(remaining), "an acknowledged deletion was undone"
        for customer in remaining:
            details = {"type": "x", "quantity": 1}
            admin.post("/api/requests", customer=customer, details=details)
        left += remaining
        deleted += confirmed
    with capsys.disabled():
        print(
            f"\n{kind} killed while deleting: {len(deleted)} deletions acknowledged,"
            f" {len(left)} records left and used"
        )
    assert left, "no deletion was interrupted"


def delete_and_kill(service, kind, admin, ids, acknowledged):
    """Delete all at once; kill after `acknowledged` responses; return confirmed ids."""
    confirmed = set()

    def delete(customer):
        try:
            if admin.send_once("DELETE", f"/api/customers/{customer}").ok:
                confirmed.add(customer)
        except NoResponse:
            pass

    threads = [threading.Thread(target=delete, args=(record,)) for record in ids]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(confirmed) >= acknowledged)
    (service.kill_workers if kind == "worker" else service.kill_all)()
    for thread in threads:
        thread.join()
    (service.wait_until_ready if kind == "worker" else service.start)()
    return confirmed


def exists(admin, customer):
    return admin.send("GET", f"/api/customers/{customer}").ok
