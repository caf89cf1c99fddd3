"""The store of the tests: the embedded one, or the MongoDB that TEST_MONGODB_URI names.

On a MongoDB each test process uses databases of its own, which it drops at its end.
"""

import os
import secrets

import pytest
from pymongo import MongoClient

from glassflow.core.store.mongo_check import why_unfit

TEST_URI = os.environ.get("TEST_MONGODB_URI", "")
#: The database of this test process, and the beginning of the names of its others.
DATABASE = "_".join(
    (
        "glassflow_test",
        os.environ.get("PYTEST_XDIST_WORKER", "main"),
        secrets.token_hex(4),
    )
)
EMBEDDED_ONLY = (
    "embedded_store: TEST_MONGODB_URI is set, and this is about another store"
)

_names = [DATABASE]


def new_database():
    """The name of one more database, for a service of its own."""
    _names.append(f"{DATABASE}_{secrets.token_hex(4)}")
    return _names[-1]


def use_mongodb(uri):
    """Yield the URI of a MongoDB that has what glassflow needs; then drop the databases."""
    sentence = why_unfit(uri, DATABASE)
    if sentence:
        pytest.exit(f"TEST_MONGODB_URI: {sentence}", returncode=2)
    yield uri
    with MongoClient(uri) as client:
        for name in _names:
            client.drop_database(name)


def skip_embedded_only(items):
    """Skip the tests marked `embedded_store` where the tests run on a MongoDB."""
    for item in items if TEST_URI else ():
        if item.get_closest_marker("embedded_store"):
            item.add_marker(pytest.mark.skip(reason=EMBEDDED_ONLY))
