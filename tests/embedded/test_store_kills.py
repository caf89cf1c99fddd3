"""Writers beside changes of indexes, and kills of the store: nothing is lost or half done.

Each writer runs transactions on two collections, a fifth of which it aborts. At the end
every acknowledged one is there as a whole, no aborted one is, and each index has just the
entries that its documents ask for.
"""

import random
import time
from contextlib import contextmanager

import gevent
import pytest
from gevent.event import Event
from pymongo import MongoClient
from pymongo.errors import OperationFailure, PyMongoError

from glassflow.embedded import store as embedded_store
from plain_store import plain_store
from sizes import size

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sized,
    pytest.mark.embedded_store,
    pytest.mark.timeout(900),
]
WRITERS = 5
PANES = 200
INDEX_NOT_FOUND = 27  # a kill came after the last one was dropped
INDEXES = (
    [("station", 1)],
    [("routing", 1)],
    [("station", 1), ("at", 1), ("_id", 1)],
)


class Aborted(Exception):
    """A writer has changed its mind."""


class Writers:
    """Writers on a store that may be killed and started again meanwhile."""

    def __init__(self, uri):
        self.client = MongoClient(uri, serverSelectionTimeoutMS=2_000, timeoutMS=5_000)
        self.db = self.client["kills"]
        self.acknowledged, self.aborted = set(), set()
        self.db["logs"].insert_one({"_id": "first"})
        self.db["panes"].insert_many(
            [
                {"_id": n, "station": n % 5, "routing": [n % 3], "at": n}
                for n in range(PANES)
            ]
        )
        for keys in INDEXES:
            self.db["panes"].create_index(keys)
        self.db["panes"].create_index("number", unique=True, sparse=True)

    @contextmanager
    def at_work(self):
        """Let the writers write during the block."""
        running = [gevent.spawn(self._write, number) for number in range(WRITERS)]
        try:
            yield
        finally:
            self._stops = True
            gevent.joinall(running, raise_error=True)
            self._stops = False

    _stops = False

    def _write(self, writer):
        chosen, count = random.Random(writer), 0
        while not self._stops:
            count += 1
            key = f"{writer}-{count}-{len(self.acknowledged)}"
            try:
                self._transaction(key, chosen)
            except Aborted:
                self.aborted.add(key)
            except PyMongoError:
                gevent.sleep(0.02)
            else:
                self.acknowledged.add(key)

    def _transaction(self, key, chosen):
        routing = [chosen.randrange(3) for _ in range(chosen.randrange(3))]
        changes = {"station": chosen.randrange(5), "at": chosen.randrange(500)}
        with self.client.start_session() as session, session.start_transaction():
            self.db["panes"].insert_one(
                {"_id": key, "number": key, "routing": routing, **changes},
                session=session,
            )
            some = {"_id": {"$in": chosen.sample(range(PANES), 2)}}
            self.db["panes"].update_many(some, {"$set": changes}, session=session)
            self.db["logs"].insert_one({"_id": key}, session=session)
            if chosen.random() < 0.2:
                raise Aborted

    def change_indexes(self, chosen):
        """Drop an index and create it again."""
        keys = chosen.choice(INDEXES)
        try:
            self.db["panes"].drop_index(keys)
        except OperationFailure as error:
            if error.code != INDEX_NOT_FOUND:
                raise
        self.db["panes"].create_index(keys)

    def assert_nothing_is_lost_or_half_done(self):
        """Compare what is stored with what the writers were told."""
        panes = {row["_id"] for row in self.db["panes"].find({}, {"_id": 1})}
        logs = {row["_id"] for row in self.db["logs"].find({}, {"_id": 1})}
        assert panes - set(range(PANES)) == logs - {"first"}
        assert self.acknowledged <= logs
        assert not self.aborted & logs
        for name in ("panes", "logs"):
            answer = self.db.command("validate", name)
            assert answer["valid"], answer["errors"]
        found = self.db["panes"].find({"station": 1}).sort([("at", 1), ("_id", 1)])
        page = [row["_id"] for row in found.limit(9_999_999)]
        rows = [row for row in self.db["panes"].find() if row["station"] == 1]
        assert set(page) == {row["_id"] for row in rows}


def restarted(running):
    """Kill a store, and start it again on its files and its port."""
    running.process.kill()
    running.process.wait()
    return embedded_store.start_again(running)


def test_transactions_beside_changes_of_indexes_leave_every_index_whole(store):
    writers = Writers(store)
    try:
        chosen = random.Random(1)
        with writers.at_work():
            ends_at = time.monotonic() + size(4, 120)
            while time.monotonic() < ends_at:
                writers.change_indexes(chosen)
                gevent.sleep(0.3)
        assert len(writers.acknowledged) > 20
        writers.assert_nothing_is_lost_or_half_done()
    finally:
        writers.client.drop_database("kills")
        writers.client.close()


def test_kills_lose_nothing_and_leave_every_index_whole(tmp_path):
    running = embedded_store.start(str(tmp_path))
    try:
        writers, chosen = Writers(running.uri), random.Random(2)
        with writers.at_work():
            for _ in range(size(2, 40)):
                killed = Event()
                changing = gevent.spawn(change_until, killed, writers, chosen)
                gevent.sleep(chosen.uniform(0.5, 2.0))
                running = restarted(running)
                killed.set()
                changing.join()
            gevent.sleep(0.5)
        assert writers.acknowledged
        for keys in INDEXES:  # one that was being created is there as a whole, or not
            writers.db["panes"].create_index(keys)
        writers.assert_nothing_is_lost_or_half_done()
        writers.client.close()
    finally:
        running.process.kill()
        running.process.wait()


def change_until(killed, writers, chosen):
    """Change indexes until the store is away; a kill between two calls is not noticed."""
    try:
        while not killed.is_set():
            writers.change_indexes(chosen)
    except PyMongoError:
        pass


def test_files_of_an_earlier_release_are_used_as_they_are(tmp_path):
    """Written and killed without the extension, they are read and written with it."""
    with plain_store(tmp_path) as uri:
        before = Writers(uri)
        with before.at_work():
            gevent.sleep(size(1, 10))
        before.client.close()
    running = embedded_store.start(str(tmp_path))
    try:
        with MongoClient(running.uri) as client:
            before.client, before.db = client, client["kills"]
            before.assert_nothing_is_lost_or_half_done()
            with before.at_work():
                gevent.sleep(size(1, 10))
            before.assert_nothing_is_lost_or_half_done()
    finally:
        running.process.kill()
        running.process.wait()
