"""Known wrong results of the embedded store, and the queries that work everywhere.

The tests assert that each wrong result still occurs. When one fails, the store has been
fixed, and its workaround can be removed.
"""

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from bson import DBRef, ObjectId
from bson.regex import Regex
from mongoengine import Document, StringField, connect, disconnect
from pymongo import MongoClient, ReturnDocument
from pymongo.errors import OperationFailure

pytestmark = pytest.mark.embedded_store
FIXED = "fixed upstream: the workaround can be removed"
NAMES = ("Float glass", "float glass clear", "Mirror (5mm)")


@pytest.fixture
def db(store):
    """An empty database of the embedded store."""
    with MongoClient(store) as client:
        client.drop_database("canary")
        yield client["canary"]
        client.drop_database("canary")


@pytest.fixture
def names(db):
    """Three names, indexed."""
    db["names"].create_index("name")
    db["names"].insert_many([{"name": name} for name in NAMES])
    return db["names"]


@pytest.fixture
def orders(db):
    """Two orders whose skus are inside an array of documents."""
    db["skus"].insert_many([{"_id": "a"}, {"_id": "b"}])
    db["orders"].insert_many(
        [
            {"_id": 1, "items": [{"sku": "a"}, {"sku": "b"}]},
            {"_id": 2, "items": [{"sku": "b"}]},
        ]
    )
    return db["orders"]


@pytest.mark.parametrize(
    "compiled", [re.compile("float", re.I), Regex("float", "i")], ids=["re", "bson"]
)
def test_compiled_expression_on_an_indexed_field_finds_nothing(names, compiled):
    assert names.count_documents({"name": compiled}) == 0, FIXED
    assert names.count_documents({"name": {"$in": [compiled]}}) == 0, FIXED


def test_regex_as_text_with_options_finds_all(names):
    assert names.count_documents({"name": {"$regex": "float", "$options": "i"}}) == 2


def test_icontains_of_mongoengine_on_an_indexed_field_finds_nothing(store, names):
    connect("canary", alias="canary", host=store, uuidRepresentation="standard")
    try:

        class Name(Document):
            name = StringField()
            meta = {
                "db_alias": "canary",
                "collection": "names",
                "auto_create_index": False,
            }

        text = {"name": {"$regex": "float", "$options": "i"}}
        assert Name.objects(name__icontains="float").count() == 0, FIXED
        assert Name.objects(__raw__=text).count() == 2
    finally:
        disconnect("canary")


def test_distinct_inside_an_array_of_documents_finds_nothing(orders):
    assert orders.distinct("items.sku") == [], FIXED


def test_unwound_groups_find_distinct_values(orders):
    stages = [{"$unwind": "$items"}, {"$group": {"_id": "$items.sku"}}]
    assert {row["_id"] for row in orders.aggregate(stages)} == {"a", "b"}


def test_lookup_by_a_field_inside_an_array_of_documents_finds_nothing(orders):
    stage = {"$lookup": _lookup("items.sku")}
    assert [row["found"] for row in orders.aggregate([stage])] == [[], []], FIXED


def test_unwound_lookup_finds_all(orders):
    stages = [{"$unwind": "$items"}, {"$lookup": _lookup("items.sku")}]
    found = [row["found"][0]["_id"] for row in orders.aggregate(stages)]
    assert sorted(found) == ["a", "b", "b"]


def test_path_over_an_array_in_an_expression_is_missing(orders):
    rows = orders.aggregate([{"$project": {"skus": "$items.sku"}}])
    assert all("skus" not in row for row in rows), FIXED


def test_map_over_an_array_gives_every_value(orders):
    mapped = {"$map": {"input": "$items", "in": "$$this.sku"}}
    rows = orders.aggregate([{"$sort": {"_id": 1}}, {"$project": {"skus": mapped}}])
    assert [row["skus"] for row in rows] == [["a", "b"], ["b"]]


def test_positional_operator_in_find_and_modify_fails(orders):
    filter_, change = {"_id": 1, "items.sku": "b"}, {"$set": {"items.$.sku": "c"}}
    _fails("positional operator", lambda: orders.find_one_and_update(filter_, change))


def test_array_filters_change_the_right_element(orders):
    changed = orders.find_one_and_update(
        {"_id": 1},
        {"$set": {"items.$[one].sku": "c"}},
        array_filters=[{"one.sku": "b"}],
        return_document=ReturnDocument.AFTER,
    )
    assert changed["items"] == [{"sku": "a"}, {"sku": "c"}]


def test_range_on_an_indexed_array_path_misses_documents(db):
    lots = db["lots"]
    lots.insert_many(
        [{"_id": 1, "cuts": [{"mm": 1}, {"mm": 9}]}, {"_id": 2, "cuts": [{"mm": 5}]}]
    )
    between = {"$gte": 4, "$lte": 6}
    wanted = [{"_id": 1}, {"_id": 2}]  # one element satisfies each bound, as in MongoDB
    assert list(lots.find({"cuts.mm": between}, {"_id": 1}).sort("_id")) == wanted
    lots.create_index("cuts.mm")
    answer = list(lots.find({"cuts.mm": between}, {"_id": 1}).sort("_id"))
    assert answer == [{"_id": 2}], FIXED
    element = {"cuts": {"$elemMatch": {"mm": between}}}
    assert list(lots.find(element, {"_id": 1})) == [{"_id": 2}]


def test_references_as_dbref_cannot_be_found_by_id_nor_indexed(db):
    wanted = ObjectId()
    db["refs"].insert_one({"old": DBRef("orders", wanted), "plain": wanted})
    assert db["refs"].count_documents({"old.$id": wanted}) == 0, FIXED
    _fails("internal server error", lambda: db["refs"].create_index("old"))
    db["refs"].create_index("plain")
    assert db["refs"].count_documents({"plain": wanted}) == 1


def test_find_and_modify_upsert_in_a_race_may_return_none(db):
    rounds = (_upserts_at_once(db["counters"]) for _ in range(50))
    assert any(None in answers for answers in rounds), FIXED


def test_find_and_modify_on_a_document_that_exists_never_returns_none(db):
    for _ in range(5):
        db["counters"].insert_one({"_id": "one", "n": 0})
        answers = _upserts_at_once(db["counters"], upsert=False)
        assert sorted(answer["n"] for answer in answers) == list(range(1, 9))


def test_find_and_modify_and_mixed_filters_scan_the_collection(db):
    panes = db["panes"]
    panes.insert_many([{"_id": number, "version": 0} for number in range(5000)])
    mixed = panes.find({"_id": 77, "version": 0}).explain()
    assert mixed["executionStats"]["totalDocsExamined"] == 5000, FIXED
    by_id = _least_ms(lambda: panes.update_one({"_id": 77}, {"$inc": {"v": 1}}))
    scanning = _least_ms(
        lambda: panes.find_one_and_update({"_id": 77}, {"$inc": {"v": 1}})
    )
    assert scanning > 4 * by_id, FIXED


def _fails(text, work):
    try:
        work()
    except OperationFailure as error:
        message = str(error)
    else:
        message = FIXED
    assert text in message


def _lookup(local):
    return {"from": "skus", "localField": local, "foreignField": "_id", "as": "found"}


def _upserts_at_once(counters, upsert=True):
    start = threading.Barrier(8)

    def increment(_):
        start.wait()
        return counters.find_one_and_update(
            {"_id": "one"},
            {"$inc": {"n": 1}},
            upsert=upsert,
            return_document=ReturnDocument.AFTER,
        )

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(increment, range(8)))
    counters.delete_many({})
    return answers


def _least_ms(work):
    """The shortest of several times, which other load on the machine affects least."""
    times = []
    for _ in range(15):
        begin = time.perf_counter()
        work()
        times.append((time.perf_counter() - begin) * 1000)
    return min(times)
