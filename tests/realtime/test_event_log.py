"""Events are numbered and kept; a client that resumes receives what it has missed."""

import random
from datetime import timedelta
from functools import partial

import gevent
import pytest
from mongoengine.connection import get_db

from concurrency import run_concurrently
from factories import save
from glassflow.core.events import event_log
from glassflow.core.process import clock
from glassflow.core.store import outbox
from glassflow.core.store.outbox_entries import read_batch
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.models.customer import Customer
from greenlets import spawn
from messages import send_message
from retention import retention_s
from waiting import wait_until

STARTS_LATER = {"ok": False, "error": "Event log starts later"}


@pytest.fixture
def material(app, workshop):
    made = workshop.material(unit="none")
    app.extensions["realtime"].publisher.start()  # entries of other tests may remain
    wait_until_published()
    return made


def wait_until_published():
    """Wait until the outbox is empty."""
    wait_until(lambda: not get_db()[outbox.COLLECTION].find_one())


@pytest.fixture
def unpublished(app, monkeypatch):
    """Leave committed entries in the outbox, as a process that was killed."""
    monkeypatch.setattr(app.extensions["runtime"], "publish_soon", None)
    yield
    get_db()[outbox.COLLECTION].delete_many({})


def change(material, unit):
    material.unit = str(unit)
    save(material)


def units_received(screen, material):
    """The units of a material in the events of a screen, with the event numbers."""
    return [
        (payload["data"]["unit"], meta["seq"])
        for (event, payload), meta in zip(screen.received, screen.metas, strict=True)
        if event == "material:updated" and payload["data"]["_id"] == str(material.pk)
    ]


def test_live_events_carry_their_numbers_without_a_gap(admin, screen, material):
    mine = screen(admin, "join_inventory").catch_up(admin)
    start = len(mine.received)
    for unit in range(5):
        change(material, unit)
    mine.catch_up(admin)
    metas = mine.metas[start : start + 6]  # and the notification of the marker
    first = metas[0]["seq"]
    assert [meta["seq"] for meta in metas] == list(range(first, first + 6))
    assert len({meta["id"] for meta in metas}) == 6
    assert all(meta["at"].endswith("Z") for meta in metas)


def test_join_returns_the_number_of_the_last_event(admin, screen, material):
    change(material, "before")
    mine = screen(admin)
    mine.catch_up(admin)
    seq = mine.call("join_inventory")["seq"]
    assert seq == mine.metas[-1]["seq"]
    change(material, "after")
    mine.wait_for(lambda: units_received(mine, material))
    assert units_received(mine, material) == [("after", seq + 1)]


def test_resumed_client_receives_missed_events_in_order_and_then_live_ones(
    admin, screen, material
):
    before = screen(admin)
    after = before.catch_up(admin).metas[-1]["seq"]
    before.close()
    for unit in range(20):
        change(material, unit)
    wait_until_published()
    resumed = screen(admin, "join_inventory")
    ack = resumed.call("resume", {"after": after})
    assert ack["ok"]
    change(material, "live")
    resumed.catch_up(admin)
    events = units_received(resumed, material)
    assert [unit for unit, _ in events] == [*map(str, range(20)), "live"]
    numbers = [seq for _, seq in events]
    assert numbers == sorted(set(numbers))
    assert events[-1][1] == ack["seq"] + 1


@pytest.mark.slow
@pytest.mark.parametrize("serial", range(3))
def test_resume_during_changes_misses_and_repeats_nothing(
    admin, screen, material, serial
):
    after = screen(admin).catch_up(admin).metas[-1]["seq"]
    stop = gevent.event.Event()
    made = []

    def write():
        while not stop.is_set():
            made.append(f"{serial}-{len(made)}")
            change(material, made[-1])
            gevent.sleep(random.uniform(0, 0.004))

    writing = spawn(write)
    wait_until(lambda: len(made) > 20)
    resumed = screen(admin)
    assert resumed.call("resume", {"after": after})["ok"]  # before it has joined a room
    resumed.join("join_inventory")
    assert resumed.call("resume", {"after": after})["ok"]
    start = len(resumed.received)
    written = len(made)
    wait_until(lambda: len(made) > written + 20)
    stop.set()
    writing.get()
    resumed.catch_up(admin)
    events = units_received(resumed, material)
    # events between the join and the resume arrive twice, with the same number
    once = list(dict(sorted((seq, unit) for unit, seq in events)).values())
    assert once == made
    live = [seq for _, seq in events[-(len(resumed.received) - start) :]]
    assert live == sorted(live)


def test_resume_sends_only_events_that_the_client_may_receive_now(
    admin, client_with_keys, screen, material
):
    mine = client_with_keys("customers:view")
    after = screen(admin).catch_up(admin).metas[-1]["seq"]
    change(material, "secret")
    note = {"recipient": mine.id, "type": "x", "title": "personal"}
    assert admin.post("/api/notifications", note).status == 201
    resumed = screen(mine, "join_dashboard")
    assert resumed.call("resume", {"after": after})["ok"]
    resumed.catch_up(admin)
    titles = [
        payload.get("title")
        for name, payload in resumed.received
        if name == "notification"
    ]
    assert "personal" in titles
    assert units_received(resumed, material) == []


@pytest.mark.slow
def test_resume_before_the_start_of_the_log_is_refused(
    admin, screen, material, expire_events
):
    mine = screen(admin, "join_inventory")
    after = mine.catch_up(admin).metas[-1]["seq"]
    for unit in range(5):
        change(material, unit)
    last = mine.catch_up(admin).metas[-1]["seq"]
    expire_events({"seq": {"$lte": after + 2}})
    assert mine.call("resume", {"after": after}) == {
        **STARTS_LATER,
        "oldest": after + 3,
    }
    assert mine.call("resume", {"after": after + 2})["ok"]
    assert mine.call("resume", {"after": last})["ok"]
    ahead = mine.call("resume", {"after": last + 1_000_000})
    assert ahead == {**STARTS_LATER, "oldest": after + 3}  # as from another store


@pytest.mark.parametrize(
    "payload",
    [(), (None,), ({},), ({"after": -1},), ({"after": "5"},), ({"after": 1.5},),
     ({"after": True},), ("7",), ([],)],
)  # fmt: skip
def test_invalid_resume_is_refused(admin, screen, payload):
    ack = screen(admin).call("resume", *payload)
    assert ack == {"ok": False, "error": "after must be an integer of 0 or more"}


def test_outbox_entry_is_committed_with_its_transaction_or_not_at_all(
    material, unpublished
):
    waiting = get_db()[outbox.COLLECTION]

    @unit_of_work
    def work(fails):
        change(material, "kept")
        if fails:
            raise ValueError("on purpose")

    with pytest.raises(ValueError, match="on purpose"):
        work(fails=True)
    assert waiting.count_documents({}) == 0
    material.reload()
    work(fails=False)
    (row,) = waiting.find()
    assert [entry["data"]["unit"] for entry in row["entries"]] == ["kept"]


@pytest.mark.slow
def test_sweep_publishes_the_outbox_of_a_dead_process_once(
    admin, screen, material, unpublished
):
    mine = screen(admin, "join_inventory")
    change(material, "orphan")
    mine.wait_for(lambda: units_received(mine, material))
    wait_until_published()
    mine.catch_up(admin)
    assert [unit for unit, _ in units_received(mine, material)] == ["orphan"]
    assert get_db()[outbox.COLLECTION].count_documents({}) == 0


def test_commit_with_a_lost_answer_is_found_though_it_publishes_nothing(
    app, admin, screen, lose_commit_answer
):
    mine = screen(admin, "join_dashboard").catch_up(admin)
    lost = []

    def publish():  # before the unit of work looks for its batch
        app.extensions["realtime"].publisher.wake()
        wait_until_published()

    def make():
        lost.append(lose_commit_answer(publish))
        unit_of_work(lambda: save(Customer(name="once")))()

    assert mine.events_during(admin, make) == []
    assert lost == [[True]]
    assert Customer.objects(name="once").count() == 1


def test_concurrent_publishers_store_one_batch_once(material, unpublished):
    change(material, "x")
    (row,) = get_db()[outbox.COLLECTION].find()
    batch = read_batch(row)
    made = {batch.id: [event_log.Event("x", b"1", ("r|k",), batch.at)] * 3}
    stored = run_concurrently([partial(event_log.store, made)] * 8)
    assert sorted(len(one) for one in stored) == [0] * 7 + [3]


def test_large_unit_of_work_is_stored_in_parts_and_published_in_order(
    admin, screen, monkeypatch
):
    monkeypatch.setattr(outbox, "MAX_BATCH_ENTRIES", 7)
    mine = screen(admin).join_station("s")

    @unit_of_work
    def work():
        for serial in range(50):
            send_message("notification", {"serial": serial}, stations=["s"])

    events = mine.events_during(admin, work)
    assert [payload["serial"] for _, payload in events] == list(range(50))


@pytest.mark.slow
def test_changed_retention_is_applied(app):
    own = app.extensions["runtime"]
    before = own.event_retention
    try:
        for days in (3, 9):
            own.event_retention = timedelta(days=days)
            event_log.ensure()
            assert retention_s(event_log.COLLECTION, "at") == days * 86400
    finally:
        own.event_retention = before
        event_log.ensure()


@pytest.mark.slow
def test_oldest_event_is_found_with_any_gap(app):
    log = get_db()[event_log.COLLECTION]
    log.delete_many({})
    try:
        for kept in ((), (9, 10), (10,), range(1, 11), range(4, 11)):
            at = clock.now()
            rows = [{"_id": f"t{n}", "seq": n, "at": at} for n in kept]
            if rows:
                log.insert_many(rows)
            assert event_log.oldest(10) == (min(kept) if kept else 11)
            log.delete_many({})
    finally:
        log.delete_many({})
