"""The preparation of a store creates the collections that transactions write.

A transaction that creates a collection conflicts with all others that do.
"""

import pytest
from mongoengine.connection import get_db

from databases import new_database
from glassflow.core.store import connection, outbox, reference_locks
from glassflow.models import ensure_indexes


@pytest.fixture
def new_store(app, store):
    """Connects the models to a database without any collection; afterwards as before."""
    before = get_db().name
    connection.connect(store, new_database())
    yield
    connection.connect(store, before)


@pytest.mark.slow
def test_all_collections_of_transactions_exist_after_it(new_store):
    for _ in range(2):
        ensure_indexes()
    assert outbox.COLLECTION in get_db().list_collection_names()
    shards = get_db()[reference_locks.COLLECTION].count_documents({})
    assert shards == reference_locks.SHARDS
