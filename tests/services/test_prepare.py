"""The collections and indexes of a store: created beside existing ones, and compared."""

from importlib import import_module
from pkgutil import walk_packages

import gevent
import pytest
from mongoengine.connection import get_db

from databases import new_database
from glassflow import core
from glassflow.core.events import dead_letters, event_numbers
from glassflow.core.store import (
    connection,
    counters,
    outbox,
    reference_locks,
    ttl_indexes,
)
from glassflow.models import ALL
from glassflow.models.indexes import declared
from glassflow.models.job_type import JobType
from glassflow.models.pane import Pane
from glassflow.services import daily_figures
from glassflow.services.forecasts import kept
from glassflow.services.prepare import (
    COLLECTIONS,
    IndexRefused,
    create,
    differences,
    ensure_indexes,
)
from greenlets import spawn


@pytest.fixture
def job_types(app):
    """The collection of job types without indexes; they return after the test."""
    collection = JobType.collection()
    collection.drop_indexes()
    yield collection
    collection.delete_many({})
    collection.drop_indexes()
    create([JobType])


def names(collection):
    return set(collection.index_information()) - {"_id_"}


def test_a_list_is_in_order_by_the_index_of_each_filter(app):
    found = {index.name for index in declared(Pane)}
    assert {
        "createdAt_1__id_1",
        "order_1_listed_1_createdAt_1__id_1",
        "currentStation_1_listed_1_createdAt_1__id_1",
        "currentStatus_1_createdAt_1__id_1",
    } <= found
    assert not list(differences(ALL))


def test_indexes_are_created_beside_records_and_by_several_at_once(job_types):
    job_types.insert_many([{"code": f"c{n}", "name": "x"} for n in range(50)])
    gevent.joinall([spawn(create, [JobType]) for _ in range(6)], raise_error=True)
    assert names(job_types) == {index.name for index in declared(JobType)}
    create([JobType])
    assert not list(differences([JobType]))


def test_unique_index_over_equal_values_is_refused_by_name(job_types):
    job_types.insert_many([{"code": "same"}, {"code": "same"}])
    with pytest.raises(IndexRefused, match="code_1 of job_types"):
        create([JobType])


def test_index_with_other_options_is_refused_and_found(job_types):
    job_types.create_index("code")
    with pytest.raises(IndexRefused, match="code_1 of job_types exists with other"):
        create([JobType])
    found = {one.index: one.is_missing for one in differences([JobType])}
    assert found["code_1"] is False


def test_missing_indexes_are_found(job_types):
    found = list(differences([JobType]))
    assert {one.index for one in found} == {one.name for one in declared(JobType)}
    assert all(one.is_missing and one.collection == "job_types" for one in found)


@pytest.fixture
def new_store(app, store):
    """Connects the models to a database without any collection; afterwards as before."""
    before = get_db().name
    connection.connect(store, new_database())
    yield
    connection.connect(store, before)


@pytest.mark.slow
def test_all_collections_that_transactions_write_exist_in_a_prepared_store(new_store):
    """A transaction that creates a collection conflicts with all others that do."""
    for _ in range(2):
        ensure_indexes()
    assert outbox.COLLECTION in get_db().list_collection_names()
    shards = get_db()[reference_locks.COLLECTION].count_documents({})
    assert shards == reference_locks.SHARDS


def test_every_module_of_core_that_creates_collections_is_called():
    names = (name for _, name, _ in walk_packages(core.__path__, "glassflow.core."))
    modules = (import_module(name) for name in names)
    preparing = {module for module in modules if "ensure" in vars(module)}
    called_by_others = {event_numbers, dead_letters, counters, ttl_indexes}
    others = {daily_figures, kept}  # those of `services`
    assert preparing - called_by_others | others == set(COLLECTIONS)


def test_only_numbers_are_indexed_in_descending_order(app):
    """Texts in descending order are found wrongly (docs/store-faults, f04)."""
    ensure_indexes()
    descending = {
        (name, field)
        for name in get_db().list_collection_names()
        for index in get_db()[name].index_information().values()
        for field, direction in index["key"]
        if direction == -1
    }
    assert descending == {("history", "_id"), ("webhook_deliveries", "seq")}
