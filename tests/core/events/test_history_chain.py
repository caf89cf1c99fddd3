"""The chain of the history shows what was done to its rows, and is one for all processes."""

from contextlib import contextmanager
from datetime import timedelta

import pytest
from mongoengine import ValidationError
from mongoengine.connection import get_db

from concurrency import run_concurrently
from factories import save
from glassflow.core.events import history
from glassflow.core.process import clock
from glassflow.core.store import outbox
from glassflow.jobs import history_writer
from glassflow.jobs.history_writer import HistoryWriter
from glassflow.models.customer import Customer
from glassflow.services import history as service
from store_commands import record_commands
from waiting import wait_until

# Others have rows of later times, behind which nothing is pruned.
pytestmark = pytest.mark.usefixtures("own_history")


@pytest.fixture
def customer(app):
    """A customer with a creation and three changes in the history."""
    made = save(Customer(name="one"))
    for name in ("two", "three", "four"):
        made.name = name
        save(made)
    service.update()
    return made


def rows():
    return get_db()[history.COLLECTION]


def rows_of(record):
    return history.of_record(type(record).__name__, record.pk)[::-1]


@contextmanager
def put_back(*originals):
    """Stores these rows as they were after the block."""
    try:
        yield
    finally:
        for row in originals:
            rows().replace_one({"_id": row["_id"]}, row, upsert=True)


def faults():
    return [(fault.seq, fault.reason) for fault in history.verify().faults]


def test_untouched_chain_is_whole(customer):
    result = service.verify()
    assert result.is_whole
    assert result.rows >= 4
    assert result.head.seq == rows_of(customer)[-1]["_id"]


def test_altered_row_is_named(customer):
    _, second, *_ = rows_of(customer)
    with put_back(second):
        rows().update_one({"_id": second["_id"]}, {"$set": {"now.name": "never"}})
        assert faults() == [(second["_id"], "altered")]
    with put_back(second):  # with a hash that fits
        forged = {**second, "by": None, "via": "token"}
        forged["hash"] = history.row_hash(rows_of(customer)[0]["hash"], forged)
        rows().replace_one({"_id": second["_id"]}, forged)
        assert faults() == [(second["_id"] + 1, "altered")]
    assert faults() == []


@pytest.mark.parametrize("place", [0, -1], ids=["inside", "newest"])
def test_missing_row_is_named(customer, place):
    removed = rows_of(customer)[place]
    with put_back(removed):
        rows().delete_one({"_id": removed["_id"]})
        (fault,) = faults()
        assert fault[1] == "missing"
        assert fault[0] in (removed["_id"], removed["_id"] + 1)


def test_chain_is_read_in_parts_and_verified_across_them(customer, monkeypatch):
    monkeypatch.setattr(history, "ROWS_PER_READ", 2)
    for removed in rows_of(customer)[:3]:
        with put_back(removed):
            rows().delete_one({"_id": removed["_id"]})
            assert faults() == [(removed["_id"] + 1, "missing")]
    commands = record_commands(monkeypatch, lambda one: "getMore" in one)
    read = []
    result = history.verify(on_rows=read.append)
    assert result.is_whole
    assert len(commands.sent) >= result.rows // 2
    assert read[:2] == [2, 4]
    assert read[-1] == result.rows


def test_swapped_rows_are_named(customer):
    _, second, third, _ = rows_of(customer)
    with put_back(second, third):
        rows().replace_one({"_id": second["_id"]}, {**third, "_id": second["_id"]})
        rows().replace_one({"_id": third["_id"]}, {**second, "_id": third["_id"]})
        assert (second["_id"], "altered") in faults()


def test_inserted_row_is_named(customer):
    newest = rows_of(customer)[-1]
    behind, between = newest["_id"] + 1, newest["_id"] - 0.5
    for forged in (behind, between, -1, "text", None):
        rows().insert_one({**newest, "_id": forged})
        found = faults()
        rows().delete_one({"_id": forged})
        assert (forged, "inserted") in found
    assert faults() == []


def test_several_processes_append_each_change_once(customer, app):
    """Greenlets with a session each conflict as processes do."""
    changed = []
    for number in range(6):
        customer.name = f"name {number}"
        save(customer)
        changed.append(customer.name)
    wait_until(lambda: not get_db()[outbox.COLLECTION].find_one())
    run_concurrently([service.append] * 5)
    service.update()
    assert [row["now"]["name"] for row in rows_of(customer)[4:]] == changed
    assert faults() == []


def test_change_that_was_not_published_when_the_process_died_is_in_the_history(
    customer, app, monkeypatch
):
    """Another process publishes what is in the outbox, with its differences."""
    with monkeypatch.context() as patched:
        patched.setattr(app.extensions["runtime"], "publish_soon", None)
        customer.name = "before the kill"
        save(customer)
    service.append()
    assert len(rows_of(customer)) == 4
    service.update()
    service.update()
    assert [row["now"]["name"] for row in rows_of(customer)[4:]] == ["before the kill"]


def test_nothing_is_in_the_history_of_a_change_that_was_not_stored(customer):
    customer.name = "five"
    customer.phone = 7  # no text
    with pytest.raises(ValidationError):
        save(customer)
    service.update()
    assert len(rows_of(customer)) == 4


def test_pruned_chain_is_verified_from_where_it_begins_now(
    customer, clock_at, monkeypatch
):
    # in some steps, however many rows other tests have left
    monkeypatch.setattr(history, "ROWS_PER_PRUNE", rows().count_documents({}) // 3 + 1)
    limit = clock_at(60)
    for name in ("five", "six", "seven"):
        customer.name = name
        save(customer)
    service.update()
    kept = rows_of(customer)[4:]
    commands = record_commands(monkeypatch)
    assert history.prune(limit) >= 4
    # no index has the time: the store would read the rows of years for it
    conditions = [set(one["filter"]) for one in commands.named("find")]
    assert {"_id"} in conditions
    assert not any("at" in names for names in conditions)
    assert rows_of(customer) == kept
    assert history.verify().rows == len(kept)
    assert faults() == []
    assert history.prune(limit) == 0
    with put_back(kept[0]):
        rows().delete_one({"_id": kept[0]["_id"]})
        assert faults() == [(kept[1]["_id"], "missing")]


@pytest.fixture
def retention(app, monkeypatch):
    """Sets HISTORY_RETENTION: `retention(timedelta(hours=1))`.

    There are no rows of other tests, whose clocks were others: rows are removed in their
    order, up to the first one that is kept.
    """
    service_runtime = app.extensions["runtime"]
    tomorrow = clock.now() + timedelta(days=1)
    history.prune(tomorrow)
    yield lambda kept: monkeypatch.setattr(service_runtime, "history_retention", kept)
    history.prune(tomorrow)


def change(customer, *names):
    """Rename a customer, and return the new rows in the history."""
    before = len(rows_of(customer))
    for name in names:
        customer.name = name
        save(customer)
    service.update()
    return rows_of(customer)[before:]


def test_commands_prune_what_is_older_than_the_setting_and_verify_the_rest(
    app, retention, customer, clock_at
):
    def flask(*words):
        done = app.test_cli_runner().invoke(args=["history", *words])
        return done.exit_code, done.output

    assert flask("prune") == (0, "0 rows removed\n"), "five years by default"
    clock_at(3600)
    kept = change(customer, "kept", "too")
    retention(timedelta(minutes=30))
    older = rows().count_documents({}) - len(kept)
    assert flask("prune") == (0, f"{older} rows removed\n")
    assert rows_of(customer) == kept
    assert flask("prune") == (0, "0 rows removed\n")
    head = history.head()
    whole = f"history: 2 rows verified, head {head.seq}\n{head.hash}\n"
    assert flask("verify") == (0, whole)
    with put_back(kept[0]):
        rows().update_one({"_id": kept[0]["_id"]}, {"$set": {"now.name": "never"}})
        assert flask("verify") == (1, f"row {kept[0]['_id']}: altered\n")
    assert flask("verify") == (0, whole)


def test_process_that_publishes_prunes_once_a_day(
    app, retention, customer, clock_at, monkeypatch
):
    monkeypatch.setattr(history_writer, "PAUSE_S", 0.01)
    monkeypatch.setattr(history_writer, "POLL_INTERVAL_S", 0.01)
    passes, append = [], service.append
    monkeypatch.setattr(service, "append", lambda: passes.append(1) or append())

    def wait_for_a_whole_pass():
        """Each pass of the writer appends first, and prunes then."""
        seen = len(passes)
        wait_until(lambda: len(passes) >= seen + 3)

    retention(timedelta(minutes=30))
    clock_at(3600)
    kept = change(customer, "kept")
    idle = HistoryWriter(is_holder=lambda: False)
    idle.start()
    writer = HistoryWriter(is_holder=lambda: True)
    try:
        assert len(rows_of(customer)) == 5
        writer.start()
        wait_until(lambda: rows_of(customer) == kept)
        assert history.verify().is_whole
        clock_at(7200)  # it is older now, and the next day has not begun
        later = change(customer, "later")
        wait_for_a_whole_pass()
        assert rows_of(customer) == kept + later
        monkeypatch.setattr(history_writer, "PRUNE_INTERVAL_S", 0.0)
        wait_until(lambda: rows_of(customer) == later)
    finally:
        writer.stop()
        idle.stop()
    assert history.verify().is_whole


def test_change_takes_no_round_trip_for_its_history(customer, monkeypatch):
    recorder = record_commands(monkeypatch)
    customer.discount = 5
    save(customer)
    assert recorder.names[:3] == ["update", "insert", "commitTransaction"]
