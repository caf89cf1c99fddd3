"""On the embedded store the service removes expired documents, by plain indexes."""

from datetime import timedelta

import pytest
from mongoengine.connection import get_db

from glassflow.core import clock, expiry, ttl_indexes
from retention import retention_s

COLLECTION = "expiring_in_a_test"
DAY_S = 86_400
pytestmark = [pytest.mark.usefixtures("app"), pytest.mark.embedded_store]


@pytest.fixture(autouse=True)
def collection():
    yield get_db()[COLLECTION]
    get_db().drop_collection(COLLECTION)
    get_db()[expiry.COLLECTION].delete_many({"collection": COLLECTION})


def test_only_what_is_older_than_the_retention_is_removed(collection):
    ttl_indexes.ensure(COLLECTION, "at", DAY_S)
    ages_s = {1: 2 * DAY_S, 2: DAY_S + 60, 3: DAY_S - 60, 4: -60}
    rows = [
        {"_id": number, "at": clock.now() - timedelta(seconds=age)}
        for number, age in ages_s.items()
    ]
    collection.insert_many([*rows, {"_id": 5, "at": "a text"}, {"_id": 6}])
    expiry.remove_expired()
    assert sorted(collection.distinct("_id")) == [3, 4, 5, 6]


def test_changed_retention_is_used_from_then_on(collection):
    ttl_indexes.ensure(COLLECTION, "at", DAY_S)
    collection.insert_one({"at": clock.now() - timedelta(hours=2)})
    expiry.remove_expired()
    assert collection.count_documents({}) == 1
    ttl_indexes.ensure(COLLECTION, "at", 3600)
    expiry.remove_expired()
    assert collection.count_documents({}) == 0


def test_index_of_an_earlier_release_for_which_the_store_reads_everything_is_replaced(
    collection,
):
    collection.create_index("at", expireAfterSeconds=60)
    ttl_indexes.ensure(COLLECTION, "at", DAY_S)
    assert "expireAfterSeconds" not in collection.index_information()["at_1"]
    assert retention_s(COLLECTION, "at") == DAY_S


def test_no_collection_of_the_service_has_an_index_for_which_the_store_reads_everything():
    for name in get_db().list_collection_names():
        for index in get_db()[name].index_information().values():
            assert "expireAfterSeconds" not in index, name
