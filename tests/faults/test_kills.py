"""The service killed ten times in the middle of a day's work, and started again.

After each start nothing that was acknowledged is missing and nothing is half done; the
day's people wait, ask where their glass is, and go on to the end.
"""

import os
import random
import secrets
import threading
import time

import pytest
import sound_floor
from floor_under_fire import Service, WatchedLine

from demo.client import Api, NoAnswer
from demo.day import Day
from demo.report import finish
from demo.workshop import demo_passwords

KILLS = 10

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(200),
    # the library drops a websocket that ends before it has said its first word
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]


@pytest.fixture
def service(tmp_path):
    """A service of its own, with the demo workshop."""
    running = Service(tmp_path)
    yield running.start(PREPARE=1, DEMO=1)
    running.stop()


def strike(service, chance):
    """Kill those who serve, or the whole service; say which, once it is back."""
    if chance.random() < 0.5:
        service.kill_worker()
        return "worker", service.up
    service.kill_all()
    return "service", service.start


def look(service, line, inspector):
    """Read the whole workshop; fail for what is missing or half done."""
    state = sound_floor.read(inspector)
    floor = sound_floor.Floor(state)
    wrong = line.kept.missing(state) + floor.faults()
    assert not wrong, "\n".join(map(str, wrong[:20])) + service.said()
    return state, floor.checked + len(line.kept.records)


def spoilt(state):
    """The same workshop, again and again, each time with one thing half done."""
    panes, orders = list(state["panes"].values()), list(state["orders"].values())
    unit = next(p for p in panes if p["laminateRole"] == "parent" and p["mergedInto"])
    claim = next(c for c in state["claims"].values() if c["remadePane"])
    twice = next(p["remakeOf"] for p in panes if p["remakeOf"])
    fresh = next(p for p in panes if not p["remakeOf"])
    lot = next(iter(state["inventories"].values()))
    withdrawal = next(iter(state["withdrawals"].values()))
    for kind, record, changes in (
        ("panes", unit, {"currentStatus": "pending"}),
        ("panes", fresh, {"currentStatus": "in_progress"}),
        ("panes", fresh, {"remakeOf": twice}),
        ("orders", orders[0], {"panesCompleted": 0}),
        ("orders", orders[0], {"status": "in_progress"}),
        ("claims", claim, {"remadePane": None}),
        ("inventories", lot, {"quantity": lot["quantity"] + 1}),
        ("withdrawals", withdrawal, {"quantity": withdrawal["quantity"] + 1}),
    ):
        others = {**state[kind], record["_id"]: {**record, **changes}}
        yield changes, {**state, kind: others}


def test_a_day_goes_on_to_its_end_through_ten_kills(service, capsys):
    seed = int(os.environ.get("KILLS_SEED") or secrets.randbelow(1_000_000))
    chance = random.Random(seed)
    password = demo_passwords()["admin"]
    line = WatchedLine()
    inspector = Api.login(service.url, "admin", password)
    admin = Api.login(service.url, "admin", password, line)
    day = Day(admin, requests=12, panes_each=2, count_events=False)
    broke_off = []

    def work():
        try:
            day.take_place()
        except Exception as error:
            broke_off.append(error)

    begun = time.monotonic()
    working = threading.Thread(target=work, daemon=True)
    working.start()
    struck, checks = [], 0
    while len(struck) < KILLS:
        mark = line.kept.changes + chance.randint(10, 60)
        while line.kept.changes < mark and working.is_alive():
            time.sleep(0.005)
        if not working.is_alive():
            break
        time.sleep(chance.uniform(0, 0.05))
        kind, bring_back = strike(service, chance)
        line.open.clear()
        bring_back()
        line.hold()
        checks += look(service, line, inspector)[1]
        line.open.set()
        struck.append(kind)
    working.join(100)
    text, good = finish(day)
    with capsys.disabled():
        print(
            f"\nkills: {len(struck)} ({struck.count('service')} of the whole service)"
            f" · seed {seed} · {line.kept.changes} changes acknowledged"
            f" · {line.outages} times waited · {checks} checks"
            f" · {time.monotonic() - begun:.0f} s"
        )
    assert len(struck) == KILLS, "the day was over before the last kill"
    assert not broke_off, (broke_off, text)
    assert good, text
    state, _ = look(service, line, inspector)
    for what, spoilt_state in spoilt(state):  # else the looks would prove nothing
        assert sound_floor.Floor(spoilt_state).faults(), what


@pytest.mark.parametrize("kind", ["worker", "service"])
def test_what_a_killed_deletion_left_can_be_used_at_once(service, kind, capsys):
    """Who dies while deleting blocks nobody: it is deleted, or there as before."""
    admin = Api.login(service.url, "admin", demo_passwords()["admin"])
    left, deleted = [], []
    for seconds in (0.05, 0.3, 0.8):
        ids = [admin.post("/api/customers", name=f"c{n}")["_id"] for n in range(12)]
        told = delete_under_fire(service, kind, admin, ids, seconds)
        there = [one for one in ids if is_there(admin, one)]
        assert not told & set(there), "an acknowledged deletion was undone"
        for customer in there:
            details = {"type": "x", "quantity": 1}
            admin.post("/api/requests", customer=customer, details=details)
        left += there
        deleted += told
    with capsys.disabled():
        print(
            f"\n{kind} killed while deleting: {len(deleted)} deletions acknowledged,"
            f" {len(left)} records left and used"
        )
    assert left, "no deletion was interrupted"


def delete_under_fire(service, kind, admin, ids, seconds):
    """Delete all at once and kill after so many seconds; give what was acknowledged."""
    told = set()

    def delete(customer):
        try:
            if admin.send("DELETE", f"/api/customers/{customer}").ok:
                told.add(customer)
        except NoAnswer:
            pass

    threads = [threading.Thread(target=delete, args=(one,)) for one in ids]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    (service.kill_worker if kind == "worker" else service.kill_all)()
    for thread in threads:
        thread.join()
    (service.up if kind == "worker" else service.start)()
    return told


def is_there(admin, customer):
    return admin.send("GET", f"/api/customers/{customer}").ok
