"""What cannot be published goes to the dead letters, and holds nothing else up."""

import itertools
from functools import partial
from unittest.mock import Mock

import gevent
import pymongo
import pytest
from bson import ObjectId
from mongoengine.connection import get_db
from pymongo.errors import AutoReconnect, NetworkTimeout

from factories import save
from glassflow.core.events import dead_letters, event_log, publisher_lease
from glassflow.core.process import clock, deadlines
from glassflow.core.store import outbox
from glassflow.core.store.outbox_entries import OutboxBatch
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.jobs import group_publisher
from glassflow.jobs import publisher as publisher_module
from glassflow.jobs.group_publisher import GroupPublisher
from glassflow.models.customer import Customer
from messages import send_message
from store_commands import record_commands
from waiting import wait_until

SECRET = "0812345678"


@pytest.fixture
def publisher(app):
    """The application's publisher, with an empty outbox and no dead letters."""
    made = app.extensions["realtime"].publisher
    made.start()
    wait_until_published()
    dead_letters.discard()
    yield made
    wait_until_published()
    dead_letters.discard()


@pytest.fixture
def stored_first(app, publisher):
    """Makes changes whose batches are all in the outbox before one is published."""

    def make(change):
        own = app.extensions["runtime"]
        with publisher._one_at_a_time, pytest.MonkeyPatch.context() as patched:
            patched.setattr(own, "publish_soon", None)
            change()
        wait_until_published()

    return make


def wait_until_published():
    wait_until(lambda: not get_db()[outbox.COLLECTION].find_one())


def letters():
    return [(row["subject"], row["reason"]) for row in dead_letters.newest(100)]


def entries_kept():
    rows = get_db()[dead_letters.COLLECTION].find().sort("_id", 1)
    return [row["entry"] for row in rows]


def fail_for(monkeypatch, publisher, name, error, times=10**6):
    """Make rendering fail for messages of a name; returns the attempts made."""
    attempts = []
    build = publisher._groups._builder.build

    def failing(entry, at):
        if getattr(entry, "event", None) == name and len(attempts) < times:
            attempts.append(entry)
            raise error
        return build(entry, at)

    monkeypatch.setattr(publisher._groups._builder, "build", failing)
    return attempts


def titles(events):
    return [data["title"] for name, data in events if name == "notification"]


def test_entry_that_cannot_be_rendered_is_kept_and_the_others_go_on(
    admin, screen, publisher, caplog
):
    mine = screen(admin).join_station("s")

    def publish():
        send_message("pane:laminated", {"survivor": SECRET}, stations=["s"])
        send_message("notification", {"title": "behind"}, stations=["s"])

    assert titles(mine.events_during(admin, publish)) == ["behind"]
    ((subject, _),) = letters()
    assert subject == "pane:laminated"
    assert entries_kept()[0]["data"] == {"survivor": SECRET}
    assert "pane:laminated" in caplog.text
    assert SECRET not in caplog.text


def test_entry_of_another_release_that_is_not_known_is_kept_as_it_is(
    admin, screen, publisher
):
    mine = screen(admin).join_station("s")
    unknown = [1, {"is": "Nothing"}, {"is": "Change", "unknown": 1}]

    def publish():
        row = {"_id": outbox._next_id(), "at": clock.now(), "entries": unknown}
        get_db()[outbox.COLLECTION].insert_one(row)
        send_message("notification", {"title": "behind"}, stations=["s"])

    assert titles(mine.events_during(admin, publish)) == ["behind"]
    assert entries_kept() == unknown
    assert {reason for _, reason in letters()} == {"UnreadableEntryError"}


def test_event_that_is_too_large_for_the_store_is_kept_as_a_dead_letter(
    admin, screen, publisher, monkeypatch
):
    monkeypatch.setattr(event_log, "MAX_PAYLOAD_BYTES", 2_000)
    mine = screen(admin).join_station("s")

    def publish():
        send_message("notification", {"title": "x" * 3_000}, stations=["s"])
        send_message("notification", {"title": "behind"}, stations=["s"])

    assert titles(mine.events_during(admin, publish)) == ["behind"]
    assert letters() == [("notification", "EntryTooLargeError")]


def test_batch_that_the_store_refuses_does_not_hold_up_its_group(
    admin, screen, publisher, stored_first, monkeypatch
):
    mine = screen(admin).join_station("s")
    store = event_log.store

    def refuse(events, dead, history):
        for event in itertools.chain(*events.values()):
            if b"refused" in event.payload:
                raise pymongo.errors.DocumentTooLarge("too large")
        return store(events, dead, history)

    def send_three():
        for title in ("first", "refused", "last"):
            send_message("notification", {"title": title}, stations=["s"])

    monkeypatch.setattr(event_log, "store", refuse)
    events = mine.events_during(admin, lambda: stored_first(send_three))
    assert titles(events) == ["first", "last"]
    assert letters() == [("notification", "DocumentTooLarge")]


def test_entry_that_always_times_out_is_given_up_while_the_store_answers(
    admin, screen, publisher, monkeypatch
):
    mine = screen(admin).join_station("s").join_station("t")
    name = "station:check_in"
    attempts = fail_for(monkeypatch, publisher, name, NetworkTimeout("slow"))

    def publish():
        send_message(name, {"orderId": "x"}, stations=["s"])
        send_message("notification", {"title": "behind"}, stations=["s"])
        wait_until_published()

    assert titles(mine.events_during(admin, publish)) == ["behind"]
    assert letters() == [(name, "NetworkTimeout")]
    assert len(attempts) >= group_publisher.MAX_ATTEMPTS


def test_entry_that_times_out_once_is_published_in_its_place(
    admin, screen, publisher, monkeypatch
):
    mine = screen(admin).join_station("s")
    name = "station:check_in"
    fail_for(monkeypatch, publisher, name, NetworkTimeout("slow"), times=1)

    def publish():
        send_message(name, {"orderId": "x"}, stations=["s"])
        send_message("notification", {"title": "behind"}, stations=["s"])
        wait_until_published()

    received = [name for name, _ in mine.events_during(admin, publish)]
    assert received == [name, "notification"]
    assert letters() == []


def test_nothing_is_given_up_while_the_store_is_away(
    admin, screen, publisher, monkeypatch
):
    mine = screen(admin).join_station("s")
    name = "station:check_in"
    away = AutoReconnect("away")
    monkeypatch.setattr(group_publisher, "_accepts_writes", lambda: False)
    monkeypatch.setattr(publisher_module, "RETRY_DELAY_S", 0.01)
    tries = 3 * group_publisher.MAX_ATTEMPTS
    attempts = fail_for(monkeypatch, publisher, name, away, times=tries)

    def publish():
        send_message(name, {"orderId": "x"}, stations=["s"])
        wait_until_published()

    assert [event for event, _ in mine.events_during(admin, publish)] == [name]
    assert len(attempts) == tries
    assert letters() == []


def test_change_is_published_after_its_time_limit_is_used_up_by_earlier_ones(
    admin, screen, publisher, stored_first, monkeypatch
):
    """A retry continues behind what is stored: the limit is that of one group."""
    monkeypatch.setattr(publisher_module, "ENTRIES_PER_GROUP", 1)
    monkeypatch.setattr(deadlines, "PUBLISH_TIMEOUT_S", 1.0)
    build = publisher._groups._builder.build

    def slowly(entry, at):
        gevent.sleep(0.2)
        return build(entry, at)

    monkeypatch.setattr(publisher._groups._builder, "build", slowly)
    mine = screen(admin).join_station("s")

    def send_ten():
        for number in range(10):
            send_message("notification", {"title": str(number)}, stations=["s"])

    received = titles(mine.events_during(admin, lambda: stored_first(send_ten)))
    assert received == [str(number) for number in range(10)]


def test_publisher_catches_up_in_few_transactions(publisher, monkeypatch):
    """With one for each few changes, a busy process would fall behind for ever."""
    groups = record_commands(
        monkeypatch,
        lambda command: command.get("insert") == event_log.COLLECTION,
        of_all=True,
    )
    with publisher._one_at_a_time:
        for number in range(150):
            send_message("notification", {"title": str(number)})
    wait_until_published()
    # what the publisher had begun with, and the rest
    assert len(groups.sent) <= 2


@pytest.mark.parametrize(
    ("in_memory", "expected"),
    [
        ([1, 1, 1], [3]),
        ([150, 50, 1], [2, 1]),
        ([500, 500], [1, 1]),  # requests with many panes
        ([None] * 30, [20, 10]),
        ([100] + [None] * 11, [11, 1]),
    ],
)
def test_transaction_of_the_publisher_is_limited(in_memory, expected):
    ids = [ObjectId() for _ in in_memory]
    own = {
        id: OutboxBatch(id, clock.now(), (Mock(),) * entries)
        for id, entries in zip(ids, in_memory, strict=True)
        if entries
    }
    counts = []
    while ids:
        group = publisher_module._first_group(ids, own)
        counts.append(len(group))
        assert group == ids[: len(group)]
        ids = ids[len(group) :]
    assert counts == expected


@pytest.mark.parametrize("accepted", [(False, True), (True, False)])
def test_batch_is_not_given_up_if_the_store_was_stalled_before_or_after_its_last_attempt(
    publisher, monkeypatch, accepted
):
    probes = iter(accepted)
    groups = GroupPublisher(Mock(), Mock(), on_published=Mock())
    batch = OutboxBatch(ObjectId(), clock.now(), ())
    groups._failed[batch.id] = group_publisher.MAX_ATTEMPTS
    monkeypatch.setattr(group_publisher, "_accepts_writes", lambda: next(probes))
    monkeypatch.setattr(groups, "publish", Mock(side_effect=NetworkTimeout("slow")))
    monkeypatch.setattr(groups, "_give_up", Mock())
    with pytest.raises(NetworkTimeout):
        groups._publish_alone(batch)
    groups._give_up.assert_not_called()


def test_nothing_is_given_up_while_the_store_answers_pings_and_writes_nothing(
    admin, screen, publisher, stored_first, monkeypatch
):
    monkeypatch.setattr(publisher_module, "RETRY_DELAY_S", 0.01)
    mine = screen(admin).join_station("s")
    store, attempts = event_log.store, []
    tries = 3 * group_publisher.MAX_ATTEMPTS

    def stall(*args):
        attempts.append(args)
        if len(attempts) <= tries:
            raise NetworkTimeout("slow")
        return store(*args)

    def refuse_write():
        if len(attempts) < tries:
            raise NetworkTimeout("slow")

    monkeypatch.setattr(event_log, "store", stall)
    monkeypatch.setattr(publisher_lease, "write_probe", refuse_write)
    send = partial(send_message, "notification", {"title": "late"}, stations=["s"])
    assert titles(mine.events_during(admin, lambda: stored_first(send))) == ["late"]
    assert letters() == []


def test_entry_is_not_given_up_because_those_before_it_were_slow(
    admin, screen, publisher, stored_first, monkeypatch
):
    monkeypatch.setattr(deadlines, "PUBLISH_TIMEOUT_S", 1.0)
    build = publisher._groups._builder.build

    def slowly(entry, at):
        gevent.sleep(0.2)
        get_db()["customers"].find_one({})  # refused when the time is used up
        return build(entry, at)

    monkeypatch.setattr(publisher._groups._builder, "build", slowly)
    mine = screen(admin).join_station("s")

    @unit_of_work
    def send_ten():
        for number in range(10):
            send_message("notification", {"title": str(number)}, stations=["s"])

    received = titles(mine.events_during(admin, lambda: stored_first(send_ten)))
    assert received == [str(number) for number in range(10)]
    assert letters() == []


def test_dead_letters_can_be_published_again(admin, screen, publisher, monkeypatch):
    mine = screen(admin).join_station("s")
    name = "station:check_in"
    with monkeypatch.context() as broken:
        fail_for(broken, publisher, name, KeyError(SECRET))
        mine.events_during(
            admin, lambda: send_message(name, {"orderId": "x"}, stations=["s"])
        )
    assert letters() == [(name, "KeyError")]

    def publish():
        assert dead_letters.retry() == 1
        wait_until_published()

    assert mine.events_during(admin, publish) == [(name, {"orderId": "x"})]
    assert letters() == []


def test_change_of_a_record_is_a_dead_letter_without_its_content_in_the_log(
    admin, publisher, monkeypatch, caplog
):
    def fail(entry, at):
        raise ValueError(f"cannot render {entry.data}")

    with monkeypatch.context() as broken:
        broken.setattr(publisher._groups._builder, "build", fail)
        save(Customer(name="x", phone=SECRET))
        wait_until_published()
    assert ("Customer created", "ValueError") in letters()
    assert SECRET not in caplog.text


def test_log_and_counter_are_read_as_a_majority_has_stored_them(app, monkeypatch):
    """Otherwise a failover could give a number that clients have seen once more."""
    commands = record_commands(monkeypatch)
    event_log.after(0)
    event_log.since(clock.now(), "x")
    event_log.oldest(event_log.last())
    logged = {
        (one["find"], one.get("readConcern", {}).get("level"))
        for one in commands.named("find")
        if one["find"] in ("event_log", "counters")
    }
    assert logged == {("event_log", "majority"), ("counters", "majority")}


@pytest.mark.parametrize("error", [ValueError("broken"), NetworkTimeout("slow")])
def test_sockets_are_checked_though_the_change_of_their_worker_is_a_dead_letter(
    worker, screen, publisher, monkeypatch, error
):
    mine = screen(worker)
    build = publisher._groups._builder.build

    def failing(entry, at):
        if getattr(entry, "kind", None) == "Worker":
            raise error
        return build(entry, at)

    monkeypatch.setattr(publisher._groups._builder, "build", failing)
    monkeypatch.setattr(publisher_module, "RETRY_DELAY_S", 0.01)
    assert worker.post("/api/auth/logout").status == 200
    mine.wait_for(lambda: not mine.socket.connected)
    assert letters() == [("Worker updated", type(error).__name__)]
