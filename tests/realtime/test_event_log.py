"""Nothing is missed: events are numbered, kept, and heard again by who was away."""

import random
from datetime import timedelta
from functools import partial

import gevent
import pytest
from mongoengine.connection import get_db

from crowd import at_once
from glassflow.core import clock, event_log, outbox
from glassflow.core.unit_of_work import unit_of_work
from glassflow.models.customer import Customer
from glassflow.realtime import publisher

LATE = {"ok": False, "error": "Event log starts later"}


@pytest.fixture
def material(app, workshop):
    made = workshop.material(unit="0")
    app.extensions["publisher"].start()  # other tests may have left something
    all_published()
    return made


def all_published():
    """Wait until nothing is left in the outbox."""
    with gevent.Timeout(10):
        while get_db()[outbox.COLLECTION].find_one():
            gevent.sleep(0.01)


@pytest.fixture
def unpublished():
    """Let what is stored wait in the outbox, as if its process had died."""
    before = list(outbox._publisher)
    outbox.set_publisher(None)
    yield
    outbox._publisher[:] = before
    get_db()[outbox.COLLECTION].delete_many({})


def change(material, unit):
    material.unit = str(unit)
    material.save()


def units_heard(screen, material):
    """The units of a material that a screen heard and their numbers, as they came."""
    return [
        (said["data"]["unit"], meta["seq"])
        for (event, said), meta in zip(screen.heard, screen.metas, strict=True)
        if event == "material:updated" and said["data"]["_id"] == str(material.pk)
    ]


def test_live_events_carry_their_numbers_without_a_gap(admin, screen, material):
    mine = screen(admin, "join_inventory").quiet(admin)
    start = len(mine.heard)
    for unit in range(5):
        change(material, unit)
    mine.quiet(admin)
    metas = mine.metas[start : start + 6]  # and the mark's notification
    first = metas[0]["seq"]
    assert [meta["seq"] for meta in metas] == list(range(first, first + 6))
    assert len({meta["id"] for meta in metas}) == 6
    assert all(meta["at"].endswith("Z") for meta in metas)


def test_a_join_tells_up_to_where_all_has_been_heard(admin, screen, material):
    change(material, "before")
    mine = screen(admin)
    mine.quiet(admin)
    seq = mine.call("join_inventory")["seq"]
    assert seq == mine.metas[-1]["seq"]
    change(material, "after")
    mine.wait_for(lambda: units_heard(mine, material))
    assert units_heard(mine, material) == [("after", seq + 1)]


def test_who_was_away_hears_what_was_missed_in_order_and_then_live(
    admin, screen, material
):
    before = screen(admin)
    after = before.quiet(admin).metas[-1]["seq"]
    before.close()
    for unit in range(20):
        change(material, unit)
    all_published()
    back = screen(admin, "join_inventory")
    ack = back.call("resume", {"after": after})
    assert ack["ok"]
    change(material, "live")
    back.quiet(admin)
    heard = units_heard(back, material)
    assert [unit for unit, _ in heard] == [*map(str, range(20)), "live"]
    numbers = [seq for _, seq in heard]
    assert numbers == sorted(set(numbers))
    assert heard[-1][1] == ack["seq"] + 1


@pytest.mark.slow
@pytest.mark.parametrize("serial", range(3))
def test_resuming_while_the_floor_is_busy_misses_and_doubles_nothing(
    admin, screen, material, serial
):
    after = screen(admin).quiet(admin).metas[-1]["seq"]
    stop = gevent.event.Event()
    made = []

    def be_busy():
        while not stop.is_set():
            made.append(f"{serial}-{len(made)}")
            change(material, made[-1])
            gevent.sleep(random.uniform(0, 0.004))

    busy = gevent.spawn(be_busy)
    gevent.sleep(0.3)
    back = screen(admin)
    assert back.call("resume", {"after": after})["ok"]  # holds no room yet
    back.join("join_inventory")
    assert back.call("resume", {"after": after})["ok"]
    start = len(back.heard)
    gevent.sleep(0.3)
    stop.set()
    busy.get()
    back.quiet(admin)
    heard = units_heard(back, material)
    # what came between the join and the resume is heard live too: by its number
    once = list(dict(sorted((seq, unit) for unit, seq in heard)).values())
    assert once == made
    live = [seq for _, seq in heard[-(len(back.heard) - start) :]]
    assert live == sorted(live)


def test_only_what_one_may_hear_now_is_heard_again(admin, holder, screen, material):
    mine = holder("customers:view")
    after = screen(admin).quiet(admin).metas[-1]["seq"]
    change(material, "secret")
    note = {"recipient": mine.id, "type": "x", "title": "personal"}
    assert admin.post("/api/notifications", note).status == 201
    back = screen(mine, "join_dashboard")
    assert back.call("resume", {"after": after})["ok"]
    back.quiet(admin)
    titles = [said.get("title") for name, said in back.heard if name == "notification"]
    assert "personal" in titles
    assert units_heard(back, material) == []


@pytest.mark.slow
def test_a_log_that_starts_later_says_so(admin, screen, material):
    mine = screen(admin, "join_inventory")
    after = mine.quiet(admin).metas[-1]["seq"]
    for unit in range(5):
        change(material, unit)
    last = mine.quiet(admin).metas[-1]["seq"]
    log = get_db()[event_log.COLLECTION]
    log.delete_many({"seq": {"$lte": after + 2}})
    assert mine.call("resume", {"after": after}) == {**LATE, "oldest": after + 3}
    assert mine.call("resume", {"after": after + 2})["ok"]
    assert mine.call("resume", {"after": last})["ok"]
    ahead = mine.call("resume", {"after": last + 1_000_000})
    assert ahead == {**LATE, "oldest": after + 3}  # a number of another store


@pytest.mark.parametrize(
    "payload",
    [(), (None,), ({},), ({"after": -1},), ({"after": "5"},), ({"after": 1.5},),
     ({"after": True},), ("7",), ([],)],
)  # fmt: skip
def test_a_bad_resume_is_refused(admin, screen, payload):
    ack = screen(admin).call("resume", *payload)
    assert ack == {"ok": False, "error": "after must be an integer of 0 or more"}


def test_a_change_is_in_the_outbox_with_its_transaction_or_not_at_all(
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
    work(fails=False)
    (row,) = waiting.find()
    assert [entry["data"]["unit"] for entry in row["entries"]] == ["kept"]


@pytest.mark.slow
def test_what_a_process_stored_and_never_published_still_goes_out_once(
    admin, screen, material, unpublished
):
    mine = screen(admin, "join_inventory")
    change(material, "orphan")
    mine.wait_for(lambda: units_heard(mine, material))
    gevent.sleep(publisher.SWEEP_EVERY * 2)
    assert [unit for unit, _ in units_heard(mine, material)] == ["orphan"]
    assert get_db()[outbox.COLLECTION].count_documents({}) == 0


def test_a_commit_whose_answer_got_lost_is_found_though_nobody_hears_of_the_change(
    app, admin, screen, lose_an_answer
):
    mine = screen(admin, "join_dashboard").quiet(admin)
    lost = []

    def publish():  # faster than the look for the bundle
        app.extensions["publisher"](())
        all_published()

    def make():
        lost.append(lose_an_answer(publish))
        unit_of_work(lambda: Customer(name="once").save())()

    assert mine.during(admin, make) == []
    assert lost == [[True]]
    assert Customer.objects(name="once").count() == 1


def test_two_who_publish_one_bundle_store_it_once(material, unpublished):
    change(material, "x")
    (row,) = get_db()[outbox.COLLECTION].find()
    bundle = outbox.read(row)
    made = {bundle.id: [event_log.Event("x", b"1", ("r|k",), bundle.at)] * 3}
    stored = at_once([partial(event_log.store, made)] * 8)
    assert sorted(len(one) for one in stored) == [0] * 7 + [3]


def test_large_units_of_work_are_stored_in_parts_and_told_in_order(
    admin, screen, monkeypatch
):
    monkeypatch.setattr(outbox, "MOST", 7)
    mine = screen(admin).join_station("s")

    @unit_of_work
    def work():
        for serial in range(50):
            outbox.tell("notification", {"serial": serial}, stations=["s"])

    heard = mine.during(admin, work)
    assert [said["serial"] for _, said in heard] == list(range(50))


@pytest.mark.slow
def test_a_changed_retention_is_put_into_force(app):
    before = event_log._retention[0]
    try:
        for days in (3, 9):
            event_log.configure(retention=timedelta(days=days).total_seconds())
            event_log.ensure()
            indexes = get_db()[event_log.COLLECTION].index_information()
            assert indexes["at_1"]["expireAfterSeconds"] == days * 86400
    finally:
        event_log.configure(retention=before.total_seconds())
        event_log.ensure()


@pytest.mark.slow
def test_the_oldest_event_is_found_wherever_it_is(app):
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
