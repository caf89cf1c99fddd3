"""TTL indexes get another retention in place, without a time without the index."""

import pytest
from mongoengine.connection import get_db
from pymongo.database import Database
from pymongo.errors import OperationFailure

from glassflow.core.store import ttl_indexes
from store_commands import record_commands

COLLECTION = "ttl_of_a_test"
pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture(autouse=True)
def collection():
    yield get_db()[COLLECTION]
    get_db().drop_collection(COLLECTION)


def retention_s(collection):
    return collection.index_information()["at_1"]["expireAfterSeconds"]


def test_changed_retention_keeps_the_index(collection, monkeypatch):
    ttl_indexes.ensure(COLLECTION, "at", 60)
    commands = record_commands(monkeypatch)
    ttl_indexes.ensure(COLLECTION, "at", 90)
    assert [one["collMod"] for one in commands.named("collMod")] == [COLLECTION]
    assert not commands.named("dropIndexes")
    assert retention_s(collection) == 90


def test_unchanged_retention_changes_nothing(collection, monkeypatch):
    ttl_indexes.ensure(COLLECTION, "at", 60)
    commands = record_commands(monkeypatch)
    ttl_indexes.ensure(COLLECTION, "at", 60)
    assert not commands.named("collMod")


def test_plain_index_of_an_earlier_release_gets_a_retention(collection):
    collection.create_index("at")
    ttl_indexes.ensure(COLLECTION, "at", 90)
    assert retention_s(collection) == 90


def test_index_is_made_again_by_a_user_who_may_not_change_it(collection, monkeypatch):
    ttl_indexes.ensure(COLLECTION, "at", 60)
    refuse_coll_mod(monkeypatch, 13)
    ttl_indexes.ensure(COLLECTION, "at", 90)
    assert retention_s(collection) == 90


def test_other_refusals_keep_the_index(collection, monkeypatch):
    ttl_indexes.ensure(COLLECTION, "at", 60)
    refuse_coll_mod(monkeypatch, 117)
    with pytest.raises(OperationFailure):
        ttl_indexes.ensure(COLLECTION, "at", 90)
    assert retention_s(collection) == 60


def refuse_coll_mod(monkeypatch, code):
    command = Database.command

    def refusing(self, name, *args, **options):
        if name == "collMod":
            raise OperationFailure("refused", code)
        return command(self, name, *args, **options)

    monkeypatch.setattr(Database, "command", refusing)
