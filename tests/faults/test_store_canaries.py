"""Known wrong results of the embedded store, and the queries that work everywhere.

The tests assert that each wrong result still occurs. When one fails, the store has been
fixed, and its workaround can be removed. What the store's extension mends is in
`tests/embedded/test_store_extension.py`.
"""

import pytest
from bson import DBRef, ObjectId
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


def test_regex_as_text_with_options_finds_all(names):
    assert names.count_documents({"name": {"$regex": "float", "$options": "i"}}) == 2


def test_descending_index_of_texts_has_those_that_begin_with_others_in_a_wrong_place(
    db,
):
    db["names"].create_index([("name", -1)])
    db["names"].insert_many([{"name": name} for name in ("a", "ab", "b")])
    found = [row["name"] for row in db["names"].find().sort("name", -1)]
    assert found == ["b", "a", "ab"], FIXED
    db["names"].drop_index("name_-1")
    db["names"].create_index("name")
    found = [row["name"] for row in db["names"].find().sort("name", -1)]
    assert found == ["b", "ab", "a"]


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


def test_references_as_dbref_cannot_be_found_by_id_nor_indexed(db):
    wanted = ObjectId()
    db["refs"].insert_one({"old": DBRef("orders", wanted), "plain": wanted})
    assert db["refs"].count_documents({"old.$id": wanted}) == 0, FIXED
    _fails("internal server error", lambda: db["refs"].create_index("old"))
    db["refs"].create_index("plain")
    assert db["refs"].count_documents({"plain": wanted}) == 1


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
