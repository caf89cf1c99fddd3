"""Reference locks end with their deletion, however it ends, and block nobody for long."""

import time
from contextlib import ExitStack, contextmanager

import pytest
from mongoengine.connection import get_connection, get_db
from pymongo.errors import AutoReconnect

from glassflow.core.process import deadlines
from glassflow.core.store import reference_locks, unit_of_work
from glassflow.core.store.unit_of_work import unit_of_work as work
from glassflow.domain.errors import Conflict
from glassflow.services.deletion import delete

NAME = "Customer:5f0000000000000000000001"


@pytest.fixture(autouse=True)
def _no_locks(app):
    reference_locks.ensure()
    reference_locks.clear_all()


@pytest.fixture
def short_deadline(monkeypatch):
    """Units of work give up soon inside the block."""

    @contextmanager
    def shortened():
        with monkeypatch.context() as patch:
            patch.setattr(deadlines, "UNIT_OF_WORK_TIMEOUT_S", 0.3)
            patch.setattr(deadlines, "LOCK_RELEASE_TIMEOUT_S", 1.0)
            yield

    return shortened


@contextmanager
def written_by_a_dead_process(collection, record_id):
    """Keep a document written in a transaction that nobody ends."""
    with get_connection().start_session() as session, session.start_transaction():
        get_db()[collection].update_one(
            {"_id": record_id}, {"$inc": {"turn": 1}}, session=session
        )
        yield
        session.abort_transaction()


def locks():
    """The ids of the locks on each shard."""
    shards = get_db()[reference_locks.COLLECTION].find().sort("_id")
    return [set(shard["going"]) for shard in shards]


def protect_on_every_shard(name=NAME):
    @work
    def protect():
        reference_locks.protect([name])

    for _ in range(reference_locks.SHARDS):
        protect()


def in_ten_seconds():
    return time.monotonic() + 10


def test_deletion_that_loses_every_race_leaves_no_lock_in_force(
    admin, workshop, short_deadline
):
    customer = workshop.customer()
    with written_by_a_dead_process("customers", customer.pk), short_deadline():
        assert admin.delete(f"/api/customers/{customer.pk}").status == 409
    protect_on_every_shard(f"Customer:{customer.pk}")  # its time was over: it is marked
    body = {"customer": str(customer.pk), "details": {"type": "a", "quantity": 1}}
    assert admin.post("/api/requests", body).status == 201


def test_deletion_with_an_error_leaves_no_lock(admin, workshop, monkeypatch):
    customer = workshop.customer()

    def fail(*_):
        raise RuntimeError

    monkeypatch.setattr(delete, "_delete_rows", fail)
    assert admin.delete(f"/api/customers/{customer.pk}").status == 500
    assert locks() == [set()] * reference_locks.SHARDS


def test_deletion_ends_while_a_dead_process_holds_a_shard(
    admin, workshop, short_deadline
):
    customer = workshop.customer()
    body = {"customer": str(customer.pk), "details": {"type": "a", "quantity": 1}}
    with written_by_a_dead_process(reference_locks.COLLECTION, 7):
        with short_deadline():
            answer = admin.delete(f"/api/customers/{customer.pk}")
        assert answer.status in (409, 503), answer
        # the shards before it have the name of the customer, which is not in force
        assert locks()[0]
        assert admin.post("/api/requests", body).status == 201
    protect_on_every_shard(f"Customer:{customer.pk}")


def refuse_deletion(before_refusing):
    """Lock a record as a deletion does that is refused in the end."""
    with reference_locks.deleting([NAME], in_ten_seconds()):
        before_refusing()
        raise Conflict("refused")


def test_refused_deletion_is_released_while_a_dead_process_holds_a_shard(
    short_deadline,
):
    with ExitStack() as dead, short_deadline():
        shard = written_by_a_dead_process(reference_locks.COLLECTION, 0)
        with pytest.raises(Conflict):
            refuse_deletion(lambda: dead.enter_context(shard))
    protect_on_every_shard()


def test_lock_whose_release_failed_is_released_by_the_next_writer(monkeypatch, caplog):
    def lose_the_answer(*_, **__):
        raise AutoReconnect

    with monkeypatch.context() as patch:

        def disconnect():
            patch.setattr(reference_locks, "_write_shards", lose_the_answer)
            patch.setattr(reference_locks, "_insert_released", lose_the_answer)

        with pytest.raises(Conflict):
            refuse_deletion(disconnect)
    [logged] = [one for one in caplog.records if one.name == reference_locks.__name__]
    assert logged.exc_info is None
    assert "\n" not in logged.getMessage()
    assert all(locks())
    protect_on_every_shard()
    with reference_locks.deleting(["Station:another"], in_ten_seconds()):
        assert all(len(names) == 1 for names in locks())  # the other one is removed


def test_lock_of_a_successful_deletion_is_released_too(monkeypatch):
    # a record that is restored can be referred to again
    monkeypatch.setattr(deadlines, "LOCK_RELEASE_TIMEOUT_S", 0.0)  # it has more
    with reference_locks.deleting([NAME], in_ten_seconds()):
        assert all(locks())
    assert locks() == [set()] * reference_locks.SHARDS


def test_next_deletion_removes_what_a_dead_process_has_left():
    # beyond the margin for clocks that differ, too
    old = {"at": time.time() - 3 * deadlines.LOCK_TTL_S, "names": [NAME]}
    shards = get_db()[reference_locks.COLLECTION]
    shards.update_many({}, {"$set": {"going.dead": old, "going.live": old}})
    shards.update_many({}, {"$set": {"going.live.at": time.time()}})
    protect_on_every_shard("Customer:another")
    with reference_locks.deleting(["Station:another"], in_ten_seconds()):
        assert all("live" in names and "dead" not in names for names in locks())


def test_lock_on_a_kind_is_in_force_for_each_of_its_records(monkeypatch):
    monkeypatch.setattr(deadlines, "UNIT_OF_WORK_TIMEOUT_S", 0.1)
    with reference_locks.deleting(["Customer"], in_ten_seconds()):
        with pytest.raises(Conflict):
            protect_on_every_shard()
        protect_on_every_shard("Station:5f0000000000000000000001")


def test_unit_of_work_passes_its_deadline_to_the_lock(app, monkeypatch):
    given = []

    @contextmanager
    def lock(names, deadline):
        given.append(deadline)
        yield

    @work
    def locked():
        unit_of_work.lock_before([NAME], lock)

    locked()
    (deadline,) = given
    left = deadline - time.monotonic()
    assert 0 < left <= deadlines.UNIT_OF_WORK_TIMEOUT_S
