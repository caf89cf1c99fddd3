"""What the extension of the embedded store mends, and what its parts do.

`test_store_faults.py` says which faults the program without the extension has.
"""

import datetime
import inspect
import json
import re
import resource
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import bson
import gevent
import pytest
import wiredtiger
import wiredtiger.packing as plain_packing
from bson import Regex
from hypothesis import given
from hypothesis import strategies as st
from mongoengine import Document, StringField, connect, disconnect
from pymongo import MongoClient, ReturnDocument
from pymongo.errors import ExecutionTimeout, OperationFailure
from secantus import projection, sortkey, storage
from secantus.query import QueryError, matches
from secantus.transactions import TransactionRegistry
from wiredtiger.intpacking import pack_int

from glassflow.embedded import incomplete_tables
from glassflow.embedded import store as embedded_store
from glassflow.embedded.store_extension import (
    catalogue,
    encoded,
    projections,
    rows,
    statements,
)
from plain_store import plain_store
from waiting import WAIT_TIMEOUT_S, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.embedded_store]


@pytest.fixture
def client(store):
    """A client of the extended store."""
    with MongoClient(store) as connected:
        connected.drop_database("extension")
        yield connected
        connected.drop_database("extension")


@pytest.fixture
def db(client):
    """An empty database of it."""
    return client["extension"]


@pytest.mark.parametrize("read", ["find", "count", "update_many"])
def test_range_by_an_index_of_three_fields_has_its_upper_bound(db, read):
    day = datetime.datetime(2026, 11, 26)
    db["panes"].create_index([("status", 1), ("createdAt", 1), ("_id", 1)])
    db["panes"].insert_one({"_id": 1, "status": "pending", "createdAt": day})
    query = {"status": "pending", "createdAt": {"$lte": day}}
    found = {
        "find": lambda: len(list(db["panes"].find(query))),
        "count": lambda: len(list(db["panes"].aggregate([{"$match": query}]))),
        "update_many": lambda: (
            db["panes"].update_many(query, {"$set": {"seen": True}}).matched_count
        ),
    }
    assert found[read]() == 1


@pytest.mark.parametrize(
    "pattern", [re.compile("float", re.I), Regex("float", "i")], ids=["re", "bson"]
)
def test_compiled_pattern_on_an_indexed_field_finds_all(db, pattern):
    db["names"].create_index("name")
    db["names"].insert_many([{"name": "Float glass"}, {"name": "Mirror"}])
    assert len(list(db["names"].find({"name": pattern}))) == 1
    assert len(list(db["names"].find({"name": {"$in": [pattern]}}))) == 1


def test_icontains_of_mongoengine_on_an_indexed_field_finds_all(store, db):
    db["names"].create_index("name")
    db["names"].insert_one({"name": "Float glass"})
    connect("extension", alias="names", host=store, uuidRepresentation="standard")
    try:

        class Name(Document):
            name = StringField()
            meta = {
                "db_alias": "names",
                "collection": "names",
                "auto_create_index": False,
            }

        assert len(Name.objects(name__icontains="float")) == 1
    finally:
        disconnect("names")


def test_range_on_an_indexed_array_finds_elements_on_both_sides(db):
    db["lots"].create_index("cuts.mm")
    db["lots"].insert_one({"_id": 1, "cuts": [{"mm": 1}, {"mm": 9}]})
    assert len(list(db["lots"].find({"cuts.mm": {"$gte": 4, "$lte": 6}}))) == 1


def test_index_that_is_created_beside_a_transaction_has_what_it_wrote(db):
    panes = db["panes"]
    panes.insert_one({"_id": 0, "order": 1})
    with db.client.start_session() as session:
        session.start_transaction()
        panes.insert_one({"_id": 1, "order": 1}, session=session)
        creating = gevent.spawn(panes.create_index, "order")
        creating.join(0.5)
        session.commit_transaction()
    creating.get(timeout=30)
    assert len(list(panes.find({"order": 1}))) == 2


def test_index_that_is_dropped_beside_a_transaction_goes_after_its_end(db):
    panes = db["panes"]
    panes.create_index("order")
    panes.insert_one({"_id": 1, "order": 1})
    with db.client.start_session() as session:
        session.start_transaction()
        panes.update_one({"_id": 1}, {"$set": {"order": 2}}, session=session)
        dropping = gevent.spawn(panes.drop_index, "order_1")
        dropping.join(0.5)
        assert panes.find_one({"_id": 1}, session=session)["order"] == 2
        session.commit_transaction()
    dropping.get(timeout=60)
    assert list(panes.index_information()) == ["_id_"]


def test_find_and_modify_on_a_document_that_exists_never_returns_nothing(client):
    counters = client["extension"]["counters"]
    for _ in range(5):
        counters.insert_one({"_id": "one", "n": 0})
        answers = increments_at_once(counters)
        assert sorted(answer["n"] for answer in answers) == list(range(1, 9))


def increments_at_once(counters):
    """Increment one counter eight times at once, and delete it; return the answers."""
    start = threading.Barrier(8)

    def increment(_):
        start.wait()
        return counters.find_one_and_update(
            {"_id": "one"},
            {"$inc": {"n": 1}},
            return_document=ReturnDocument.AFTER,
        )

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(increment, range(8)))
    counters.delete_many({})
    return answers


def test_change_of_the_catalogue_is_given_up_while_a_transaction_stays_open(
    monkeypatch,
):
    monkeypatch.setattr(catalogue, "MAX_WAIT_S", 0.01)
    gate = catalogue.Gate()
    gate.begin_transaction()
    busy = pytest.raises(QueryError, match="while transactions are open")
    with busy as no, gate.change():
        pytest.fail("it ran beside a transaction")
    assert no.value.code == 46
    gate.begin_transaction()  # lets others begin again
    for _ in range(2):
        gate.end_transaction()
    with gate.change():
        assert gate.is_mine()


def test_change_of_the_catalogue_that_waits_lets_other_transactions_begin(monkeypatch):
    """A backup is a transaction of minutes: the requests of a workshop go on meanwhile."""
    monkeypatch.setattr(catalogue, "MAX_WAIT_S", WAIT_TIMEOUT_S)
    monkeypatch.setattr(catalogue, "TURN_S", 0.01)
    monkeypatch.setattr(catalogue, "PAUSE_S", 0.01)
    gate, done = catalogue.Gate(), []
    gate.begin_transaction()

    def change():
        with gate.change():
            done.append(True)

    with ThreadPoolExecutor(1) as pool:
        changed = pool.submit(change)
        wait_until(lambda: gate._owner)
        for _ in range(20):
            gate.begin_transaction()
            gate.end_transaction()
        assert not done
        gate.end_transaction()
        changed.result(WAIT_TIMEOUT_S)
    assert done


@pytest.mark.long
def test_store_refuses_an_index_while_a_transaction_stays_open(client):
    panes = client["extension"]["panes"]
    panes.insert_one({"_id": 0, "order": 1})
    with client.start_session() as session:
        session.start_transaction()
        panes.insert_one({"_id": 1, "order": 1}, session=session)
        with pytest.raises(OperationFailure, match="while transactions are open") as no:
            panes.create_index("order")
        assert no.value.code == 46
        with client.start_session() as other, other.start_transaction():
            panes.insert_one({"_id": 2, "order": 1}, session=other)
        session.commit_transaction()
    panes.create_index("order")
    assert panes.count_documents({"order": 1}) == 3


def test_index_that_exists_is_asked_for_beside_a_transaction_without_a_wait(client):
    panes = client["extension"]["panes"]
    panes.create_index("order")
    with client.start_session() as session, session.start_transaction():
        panes.insert_one({"_id": 1, "order": 1}, session=session)
        assert panes.create_index("order") == "order_1"
        with pytest.raises(OperationFailure, match="same name"):
            panes.create_index("order", unique=True)


def test_index_is_not_created_in_a_transaction(client):
    panes = client["extension"]["panes"]
    panes.insert_one({"_id": 0})
    with client.start_session() as session:
        session.start_transaction()
        with pytest.raises(OperationFailure, match="not created in a transaction"):
            panes.create_index("order", session=session)
        session.abort_transaction()
    assert list(panes.index_information()) == ["_id_"]


def test_array_of_a_transaction_that_is_aborted_leaves_its_index_right(client):
    panes = client["extension"]["panes"]
    panes.create_index([("routing", 1), ("_id", 1)])
    panes.insert_many([{"_id": number, "routing": "cut"} for number in range(3)])
    with client.start_session() as session:
        session.start_transaction()
        panes.insert_one({"_id": 3, "routing": ["cut", "wash"]}, session=session)
        query = {"routing": "cut"}
        inside = panes.find(query, session=session).sort("_id").limit(9)
        assert [one["_id"] for one in inside] == [0, 1, 2, 3]
        session.abort_transaction()
    assert [one["_id"] for one in panes.find(query).sort("_id").limit(9)] == [0, 1, 2]
    assert client["extension"].command("validate", "panes")["valid"]


def test_collection_of_a_transaction_that_is_aborted_stays_empty(client):
    panes = client["extension"]["panes"]
    for commits in (False, True):
        with client.start_session() as session:
            session.start_transaction()
            panes.insert_one({"_id": 1}, session=session)
            if commits:
                session.commit_transaction()
        assert panes.count_documents({}) == int(commits)


def test_collection_that_was_renamed_is_written_by_several_transactions_at_once(client):
    """It has no UUID any more, which transactions would add, each in its own."""
    db = client["extension"]
    db["old"].insert_one({"_id": 0})
    db["old"].rename("new")
    with client.start_session() as one, client.start_session() as other:
        for number, session in enumerate((one, other), 1):
            session.start_transaction()
            db["new"].insert_one({"_id": number}, session=session)
        one.commit_transaction()
        other.commit_transaction()
    assert db["new"].count_documents({}) == 3


def test_transaction_that_would_not_fit_into_the_cache_is_refused(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(embedded_store, "CACHE_SIZE", "50M")
    running = embedded_store.start(str(tmp_path))
    try:
        with MongoClient(running.uri) as client, client.start_session() as session:
            session.start_transaction()
            rows = ({"_id": number, "text": "x" * 1_000_000} for number in range(9))
            with pytest.raises(OperationFailure, match="too large") as refused:
                client["t"]["rows"].insert_many(rows, session=session)
            assert refused.value.code == 388
            assert client["t"]["rows"].count_documents({}) == 0
    finally:
        running.process.kill()
        running.process.wait()


def test_insert_of_many_documents_ends_with_its_time(db):
    rows = [{"_id": number} for number in range(1000)]
    with pytest.raises(ExecutionTimeout):
        db.command({"insert": "rows", "documents": rows}, maxTimeMS=1)
    assert db.rows.count_documents({}) < 1000


@pytest.mark.parametrize(
    "query",
    [
        {"number": {"$in": ["b", "a"]}},
        {"$or": [{"number": "a"}, {"number": "b"}]},
    ],
)
def test_records_of_several_unique_values_have_the_order_of_the_sort(client, query):
    rows = client["extension"].rows
    rows.create_index("number", unique=True)
    rows.insert_many(
        [{"_id": 1, "number": "a", "n": 5}, {"_id": 2, "number": "b", "n": 3}]
    )
    for sort, expected in (("_id", [1, 2]), ("n", [2, 1])):
        for direction in (1, -1):
            found = rows.find(query).sort(sort, direction).limit(5)
            assert [one["_id"] for one in found] == expected[::direction]


# Reads rows of a history in their order, all of them; prints the numbers of the rows, how
# many documents the store has read, and whether the plain program has read them.
SORTED_READS = """
import json, sys
from bson import ObjectId
from secantus.storage import Storage

from glassflow.core.events.history import INDEXES
from glassflow.embedded.store_extension import parts, reads, rows

parts.install()
store = Storage(sys.argv[1], ttl_sweep_seconds=0)
store.create_collection("t", "rows")
for keys in INDEXES:
    store.create_index("t", "rows", "_".join(name for name, _ in keys), dict(keys))
people = ObjectId(), ObjectId()
store.insert("t", "rows", [
    {
        "_id": number, "by": people[number % 2], "version": number,
        "kind": "Customer" if number % 1000 == 0 else "Pane",
        "action": "deleted" if number % 500 == 0 else "updated",
    }
    for number in range(1, 4001)
])
document, plain, read = rows.document_of, reads._find_all, {"documents": 0, "plain": 0}

def counted(row):
    read["documents"] += 1
    return document(row)

def counted_plain(*args, **options):
    read["plain"] += 1
    return plain(*args, **options)

rows.document_of, reads._find_all = counted, counted_plain
deleted = {
    "kind": {"$in": ["Customer", "Order", "Pane"]},
    "action": {"$in": ["deleted"]},
    "_id": {"$gte": 100, "$lt": 3900},
}
for query in (
    deleted,
    {**deleted, "by": people[0]},
    {"kind": "Pane", "action": "updated", "by": people[0], "version": {"$gt": 3994}},
    {"kind": "Customer"},
):
    read["documents"] = read["plain"] = 0
    found = store.find_matching("t", "rows", query, sort={"_id": -1})
    print(json.dumps([[one["_id"] for one in found], *read.values()]))
store.close()
"""


def test_sorted_read_without_a_limit_reads_what_an_index_leaves(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", SORTED_READS, str(tmp_path)],
        capture_output=True,
        text=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers == [
        [[3500, 3000, 2500, 2000, 1500, 1000, 500], 7, 0],
        [[3500, 3000, 2500, 2000, 1500, 1000, 500], 7, 0],
        [[3998, 3996], 1992, 0],
        [[4000, 3000, 2000, 1000], 4, 0],
    ], done.stderr


# Runs a statement in a transaction; prints which cursors stand on a row while it is open.
STATEMENTS = """
import sys
from secantus import storage
from secantus.storage import Storage

from glassflow.embedded.store_extension import parts

parts.install()
store = Storage(sys.argv[1], ttl_sweep_seconds=0)
store.create_collection("t", "rows")
store.create_index("t", "rows", "n_1", {"n": 1})
store.insert("t", "rows", [{"_id": one, "n": one} for one in range(50)])

def is_on_a_row(cursor):
    try:
        return bool(cursor.get_key())
    except storage.wt.WiredTigerError:
        return False

for statement in (
    lambda: store.find_matching("t", "rows", {"_id": 7}),
    lambda: store.find_matching("t", "rows", {"n": {"$gte": 9}}),
    lambda: store.update_matching("t", "rows", {"_id": 7}, {"$set": {"n": 70}}),
    lambda: store.delete_matching("t", "rows", {"_id": 8}),
    lambda: store.insert("t", "rows", [{"_id": 80, "n": 8}]),
    lambda: store.find_matching("t", "rows", {"_id": "none"}),
):
    transaction = store.begin_user_transaction()
    with store.use_user_transaction(transaction):
        statement()
    cursors = transaction.cursors.items()
    print(sorted(table for (table, _), cursor in cursors if is_on_a_row(cursor)))
    store.abort_user_transaction(transaction)  # which a question about a key has broken
"""


def test_open_transaction_stands_on_no_page_between_its_statements(tmp_path):
    # the engine evicts no page on which a cursor stands, and searches of a large one wait
    done = subprocess.run(
        [sys.executable, "-c", STATEMENTS, str(tmp_path)],
        capture_output=True,
        text=True,
    )
    assert done.stdout.split("\n") == ["[]"] * 6 + [""], done.stderr


def test_log_of_changes_that_an_earlier_release_wrote_is_emptied(tmp_path):
    with plain_store(tmp_path) as uri, MongoClient(uri) as client:
        client["t"]["rows"].insert_many([{"_id": number} for number in range(50)])
    assert rows_of(tmp_path, "secantus_oplog") >= 50
    running = embedded_store.start(str(tmp_path))
    with MongoClient(running.uri) as client:
        client["t"]["rows"].insert_one({"_id": 50})
        assert client["t"]["rows"].count_documents({}) == 51
    running.process.kill()
    running.process.wait()
    assert rows_of(tmp_path, "secantus_oplog") == 0


def rows_of(folder, table):
    """The number of rows of a table of a stopped store."""
    files = wiredtiger.wiredtiger_open(str(folder / "db"), incomplete_tables.CONFIG)
    try:
        cursor = files.open_session().open_cursor(f"table:{table}")
        return sum(1 for _ in cursor)
    finally:
        files.close()


OTHER_VERSION = """
import importlib.metadata
importlib.metadata.version = lambda name: "0.8.0"
from glassflow.embedded.store_extension.__main__ import main
from secantus import storage
plain = storage.Storage.find_matching
try:
    main()
finally:
    assert storage.Storage.find_matching is plain
"""


def test_extension_is_left_out_of_another_version_with_a_line_in_the_log():
    command = [sys.executable, "-c", OTHER_VERSION, "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == (
        "The extension of the store is for SecantusDB 0.7.0b3 and is not loaded: "
        "this is 0.8.0.\n"
    )


def test_service_does_not_load_the_extension():
    query = (
        "import sys, glassflow.app; print([m for m in sys.modules if 'extension' in m])"
    )
    done = subprocess.run(
        [sys.executable, "-c", query], capture_output=True, text=True, check=True
    )
    assert "store_extension" not in done.stdout
    assert "secantus" not in done.stdout


#: Methods of the program that write descriptions, and are not changes of the catalogue.
OTHER_WRITERS = {
    "__init__",  # creates the tables
    "_write_coll_options",  # called by changes, and by `_collection_uuid`
    "_collection_uuid",
    "_ensure_collection",
    "_maybe_mark_multikey",
    "_recover_pending_drops_locked",  # before anything is served
}
READERS = {
    "_coll_options",
    "_iter_indexes",
    "_table_kf",
    "list_collections",
    "list_databases",
    "prune_ttl_all_collections",
}


def test_every_method_that_names_the_tables_of_descriptions_is_known():
    tables = re.compile(r"\b(_IDX_TABLE|_COLL_TABLE|_write_coll_options\()")
    named = {
        name
        for name, method in vars(storage.Storage).items()
        if inspect.isfunction(method) and tables.search(inspect.getsource(method))
    }
    assert named - READERS - OTHER_WRITERS - catalogue.CHANGES.keys() == set()


NAMES = st.sampled_from("abc")
#: Values of all types; equal ones of several of them.
OTHERS = [
    *("", "x", "y", bson.Code("x"), bson.Code("x", {"y": 1}), bson.Regex("x", "i")),
    *(True, False, 1.0, bson.Int64(1), bson.Decimal128("1"), bson.Timestamp(1, 1)),
    *(bson.ObjectId(b"x" * 12), bson.ObjectId(b"y" * 12), b"x", bson.Binary(b"x", 5)),
    *(datetime.datetime(1960, 1, day) for day in (1, 2)),
    *(bson.MinKey(), bson.MaxKey(), bson.DBRef("x", 1)),
]
VALUES = st.recursive(
    st.none() | st.integers(0, 9) | st.sampled_from(OTHERS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    document=st.dictionaries(st.sampled_from(["a", "b", "c", "_id"]), VALUES),
    paths=st.lists(st.lists(NAMES, min_size=1, max_size=3), min_size=1, max_size=3),
    without_id=st.booleans(),
)
def test_included_fields_are_those_of_the_plain_program_in_its_order(
    document, paths, without_id
):
    wanted = dict.fromkeys(map(".".join, paths), 1) | ({"_id": 0} if without_id else {})
    try:
        plan = projection.compile_projection(wanted)
    except projection.ProjectionError:  # one path is inside another one
        return
    found, plain = (
        projections.project(document, plan),
        projections._plain(document, plan),
    )
    assert bson.encode({"": found}) == bson.encode({"": plain})
    fields = projections.included_fields(wanted)
    assert (fields is None) == ("." in "".join(wanted))
    if fields is not None:
        assert encoded.part(bson.encode(document), fields) == bson.encode(plain)


@pytest.mark.parametrize(
    "wanted", [{"_id": 0}, {"a": 0}, {"_id": 0, "a": 0}, {"a": "$b"}]
)
def test_other_projections_are_left_to_the_plain_program(wanted):
    assert projections.included_fields(wanted) is None


TESTED = ["", "x", "y", True, False, bson.ObjectId(b"x" * 12), bson.ObjectId(b"y" * 12)]
DATES = [one for one in OTHERS if isinstance(one, datetime.datetime)]
CONDITIONS = st.one_of(
    st.sampled_from(TESTED),
    st.sampled_from(["$eq", "$ne"]).flatmap(
        lambda operator: st.fixed_dictionaries({operator: st.sampled_from(TESTED)})
    ),
    st.sampled_from(["$in", "$nin"]).flatmap(
        lambda operator: st.fixed_dictionaries(
            {operator: st.lists(st.sampled_from(TESTED), min_size=1, max_size=3)}
        )
    ),
    st.dictionaries(
        st.sampled_from(["$gt", "$gte", "$lt", "$lte"]),
        st.sampled_from(DATES),
        min_size=1,
    ),
    st.sampled_from(["x", "y", "x|y"]).map(lambda pattern: {"$regex": pattern}),
)


@given(
    document=st.dictionaries(st.sampled_from(["a", "b", "c", "_id"]), VALUES),
    query=st.dictionaries(NAMES, CONDITIONS, min_size=1),
    part=st.dictionaries(NAMES | st.just("a.b"), CONDITIONS | VALUES, max_size=2),
)
def test_bytes_of_a_document_tell_what_its_values_do(document, query, part):
    row = bson.encode(document)
    conditions = encoded.tests(query)
    found = encoded.meets(encoded.elements(row, conditions), conditions)
    assert found in (None, bool(matches(bson.decode(row), query)))
    either = {"$or": [query, part], **query} if part else query
    read = bson.decode(encoded.part(row, encoded.fields_of(either)))
    assert matches(read, either) == matches(bson.decode(row), either)


@given(st.integers(-(2**62), 2**62) | st.integers(8_000, 9_000))
def test_ids_of_records_are_packed_as_wiredtiger_packs_them(record):
    assert rows.packed(record) == pack_int(record)


@given(st.text(), st.text(), st.integers(-(2**62), 2**62), st.binary())
def test_keys_are_packed_as_wiredtiger_packs_them(one, other, number, raw):
    for format_, values in (
        ("SS", (one, other)),
        ("SSS", (one, other, one)),
        ("SSSu", (one, other, one, raw)),
        ("SSq", (one, other, number)),
        ("q", (number,)),
        ("u", (raw,)),
    ):
        packed = plain_packing.pack(format_, *values)
        assert statements.pack(format_, *values) == packed
        assert statements.unpack(format_, packed) == plain_packing.unpack(
            format_, packed
        )


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        1,
        1.5,
        bson.Int64(1),
        bson.Decimal128("1"),
        "x",
        bson.Code("x"),
        {},
        bson.SON(),
        [],
        b"x",
        bson.Binary(b"x"),
        bson.ObjectId(),
        datetime.datetime(2026, 1, 1),
        bson.Timestamp(1, 1),
        Regex("x"),
        bson.MinKey(),
        bson.MaxKey(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_types_have_their_places_in_the_order(value):
    assert statements.rank(value) == sortkey._rank(value)
    assert statements.rank(value) == sortkey._rank(value)  # remembered


class Clock:
    """A clock that stands still until it is set."""

    now = 1_000.0

    def __call__(self):
        return self.now


def test_expired_transaction_is_aborted_unless_a_thread_works_on_it():
    clock, ended = Clock(), []
    registry = TransactionRegistry(rollback_func=ended.append, time_func=clock)
    idle, _ = registry.for_statement(b"1", None, 1, start=True)
    busy, _ = registry.for_statement(b"2", None, 1, start=True)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(busy.mutex.acquire).result()
        clock.now += 61
        assert statements.prune_transactions(registry) == 1
        assert ended == [idle]
        pool.submit(busy.mutex.release).result()
        assert statements.prune_transactions(registry) == 0  # looked for a moment ago
        clock.now += statements.SWEEP_INTERVAL_S
        assert statements.prune_transactions(registry) == 1


def test_oldest_replies_are_forgotten_after_their_time_or_when_they_are_too_many():
    clock = Clock()
    registry = TransactionRegistry(time_func=clock)
    many = statements.MAX_REPLIES + 5
    for number in range(many):
        registry._retryable[b"1", number] = ({"ok": 1.0}, clock.now, b"")
    statements.prune_replies(registry)
    assert min(number for _, number in registry._retryable) == 5
    clock.now += statements.REPLY_LIFETIME_S + 1
    registry._retryable[b"1", many] = ({"ok": 1.0}, clock.now, b"")
    statements.prune_replies(registry)
    assert list(registry._retryable) == [(b"1", many)]


def test_reads_in_portions_return_each_document_once(client):
    rows = client["extension"]["walked"]
    rows.insert_many([{"_id": one, "n": 0} for one in (*range(50), *"abc", None)])
    reads = [
        rows.find(batch_size=7),
        rows.find().sort("_id", 1).batch_size(7),
        rows.find({"_id": {"$gt": 9, "$lte": 40}}).sort("_id", -1).batch_size(7),
    ]
    first = [[row["_id"] for row in islice(read, 7)] for read in reads]
    assert first == [
        [0, 1, 2, 3, 4, 5, 6],
        [None, 0, 1, 2, 3, 4, 5],
        [40, 39, 38, 37, 36, 35, 34],
    ]
    with client.start_session() as session, session.start_transaction():
        of_a_moment = rows.find(batch_size=7, session=session)
        next(of_a_moment)
        rows.update_one({"_id": 20}, {"$set": {"n": "longer" * 100}})
        rows.delete_one({"_id": 21})
        rows.insert_one({"_id": 30.5})
        moment = [row["_id"] for row in of_a_moment]
        assert moment == [*range(1, 50), *"abc", None]
        session.abort_transaction()
    rest = [{row["_id"]: row.get("n") for row in read} for read in reads]
    assert [one[20] for one in rest] == ["longer" * 100] * 3
    assert list(rest[0]) == [*range(7, 21), *range(22, 50), *"abc", None, 30.5]
    numbers = [*range(6, 21), *range(22, 31), 30.5, *range(31, 50)]
    assert list(rest[1]) == [*numbers, *"abc"]
    assert list(rest[2]) == [
        *range(33, 30, -1),
        30.5,
        *range(30, 21, -1),
        *range(20, 9, -1),
    ]


def test_reads_in_portions_end_as_other_reads(client):
    rows = client["extension"]["walked"]
    rows.insert_many([{"_id": one, "n": one} for one in range(10)])
    by_id = {"sort": {"_id": 1}}
    for more, of_first, is_open in (
        ({"batchSize": 0}, 0, True),
        ({"batchSize": 5}, 5, True),
        ({"batchSize": 10}, 10, True),  # a full batch does not show that none follow
        ({"batchSize": 11}, 10, False),
        ({"batchSize": 4, "limit": 4}, 4, False),
        ({"limit": 3, "singleBatch": True}, 3, False),
        ({"batchSize": 2, "limit": 4}, 2, True),
        ({"filter": {"_id": {"$gte": 4, "$lt": 6}}, **by_id}, 2, False),
        ({"filter": {"_id": {"$gt": "a"}}, **by_id}, 0, False),
    ):
        cursor = client["extension"].command("find", "walked", **more)["cursor"]
        assert (len(cursor["firstBatch"]), bool(cursor["id"])) == (of_first, is_open)
    newest = rows.find_one({}, {"_id": 1}, sort=[("_id", -1)])
    assert newest == {"_id": 9}
    rows.insert_one({"_id": {"b": 1}})
    assert [row["_id"] for row in rows.find().sort("_id", -1)][:2] == [{"b": 1}, 9]
    assert list(client["extension"]["none"].find()) == []


def test_cursor_of_a_read_in_portions_ends_with_its_transaction_or_when_it_is_killed(
    client,
):
    database = client["extension"]
    database["walked"].insert_many([{"_id": one} for one in range(10)])
    with client.start_session() as session, session.start_transaction():
        found = database.command("find", "walked", batchSize=2, session=session)
        with pytest.raises(OperationFailure, match="not found"):
            more(database, found)
        assert more(database, found, session=session)["cursor"]["nextBatch"]
        session.abort_transaction()
    with pytest.raises(OperationFailure, match="not found"):
        more(database, found)
    found = database.command("find", "walked", batchSize=2)
    assert [row["_id"] for row in more(database, found)["cursor"]["nextBatch"]] == [
        2,
        3,
    ]
    database.command("killCursors", "walked", cursors=[found["cursor"]["id"]])
    with pytest.raises(OperationFailure, match="not found"):
        more(database, found)


def more(database, found, **options):
    number = bson.Int64(found["cursor"]["id"])
    return database.command(
        "getMore", number, collection="walked", batchSize=2, **options
    )


@pytest.mark.parametrize("query", [{}, {"_id": {"$gte": 0}}])
def test_cursors_of_a_large_collection_keep_none_of_it(client, store_process, query):
    rows = client["extension"]["large"]
    for begin in range(0, 400, 100):
        rows.insert_many(
            [{"_id": begin + one, "of": "x" * 100_000} for one in range(100)]
        )
    before = memory(store_process)
    cursors = [rows.find(query, batch_size=1) for _ in range(20)]
    for cursor in cursors:
        if query:
            cursor.sort("_id", 1)
        assert next(cursor)
    # 20 times 40 MB, if each kept all
    assert memory(store_process) - before < 300_000_000
    for cursor in cursors:
        cursor.close()


def memory(store):
    """The bytes of memory that a process has."""
    pages = Path(f"/proc/{store.process.pid}/statm").read_text().split()[1]
    return int(pages) * resource.getpagesize()
