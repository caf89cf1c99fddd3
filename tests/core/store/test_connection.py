"""The service sets the concerns of its reads and writes, whatever MONGODB_URI says."""

import pytest
from mongoengine.connection import get_connection
from pymongo import MongoClient

from factories import save
from glassflow.core.store import connection, counters, reference_locks
from glassflow.core.store.connection import without_concerns
from glassflow.core.store.mongo_check import why_unfit
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.models.customer import Customer
from greenlets import spawn
from store_commands import record_commands

MAJORITY = {"w": "majority", "j": True}
CONCERNS = "w=majority&journal=true&readConcernLevel=majority&readPreference=secondary"


@pytest.mark.parametrize(
    ("uri", "left"),
    [
        ("mongodb://db", "mongodb://db"),
        ("mongodb://db/?w=majority", "mongodb://db/"),
        (
            "mongodb+srv://me:p%3Fw@db.example/?retryWrites=true&w=majority&appName=x",
            "mongodb+srv://me:p%3Fw@db.example/?appName=x",
        ),
        ("mongodb://a,b/?replicaSet=rs0;W=1", "mongodb://a,b/?replicaSet=rs0"),
    ],
)
def test_options_that_set_concerns_are_left_out_of_the_uri(uri, left):
    assert without_concerns(uri) == left


@pytest.fixture
def reconnect(app, store_settings):
    """Connects the models with other options in the URI; afterwards as before."""

    def with_options(options):
        uri = store_settings["MONGODB_URI"]
        changed = f"{uri}{'&' if '?' in uri else '?'}{options}"
        connection.connect(changed, store_settings["MONGODB_DB"])
        return changed

    yield with_options
    connection.connect(store_settings["MONGODB_URI"], store_settings["MONGODB_DB"])


def test_units_of_work_succeed_with_concerns_in_the_uri(reconnect, store_settings):
    uri = reconnect(CONCERNS)

    @unit_of_work
    def make():
        made = save(Customer(name="a"))
        made.name = "b"
        save(made)
        return Customer.objects.get(pk=made.pk)

    assert make().name == "b"
    assert why_unfit(uri, store_settings["MONGODB_DB"]) is None


def test_another_greenlet_can_use_the_store_while_the_old_connection_is_closed(
    app, reconnect, monkeypatch
):
    """The publisher once made the old one again in between; connecting then failed."""
    used, close = [], MongoClient.close

    def use_the_store_and_close(client):
        greenlet = spawn(lambda: used.append(get_connection()))
        greenlet.get()
        close(client)

    monkeypatch.setattr(MongoClient, "close", use_the_store_and_close)
    reconnect("appName=other")
    monkeypatch.undo()
    assert used == [get_connection()]
    assert Customer.objects.count() == 0


def test_commits_and_numbers_and_locks_wait_for_the_majority(app, monkeypatch):
    commands = record_commands(monkeypatch)
    unit_of_work(save)(Customer(name="a"))
    counters.next_numbers("PNE")
    reference_locks._write_one_by_one({"$set": {"going": {}}})
    numbers = [
        one for one in commands.named("findAndModify") if "autocommit" not in one
    ]
    locks = [one for one in commands.named("update") if one["update"] == "ties"]
    commits = commands.named("commitTransaction")
    for found in (numbers, locks, commits):  # others are the publisher's
        assert found
        assert all(command.get("writeConcern") == MAJORITY for command in found)


def test_statements_of_a_transaction_have_no_concern_of_their_own(app, monkeypatch):
    """MongoDB refuses them: it takes the transaction's first and the commit's."""
    commands = record_commands(monkeypatch)

    @unit_of_work
    def draw():
        save(Customer(name="a"))
        Customer.objects(name="a").update(set__discount=1)

    draw()
    statements = [one for one in commands.sent if one.get("autocommit") is False]
    statements = [one for one in statements if "commitTransaction" not in one]
    assert len(statements) >= 3  # a record, its outbox batch, an update
    assert not [one for one in statements if "writeConcern" in one]


def test_store_is_asked_once_whether_it_is_the_embedded_one(app, monkeypatch):
    monkeypatch.setattr(connection, "_described", (None, {}))
    commands = record_commands(monkeypatch)
    answers = {connection.is_embedded() for _ in range(3)}
    assert len(answers) == 1
    assert [name.lower() for name in commands.names].count("buildinfo") == 1
