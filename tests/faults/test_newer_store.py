"""A store that a newer release has migrated: the service does not start on it."""

import sys

import pytest
from pymongo import MongoClient

from demo_workshop import DATABASE
from glassflow.core.store import migrations
from glassflow.embedded import store as embedded_store
from service import PROCFILE_COMMAND, Service
from waiting import START_TIMEOUT_S

GUNICORN = [sys.executable, *f"-m {PROCFILE_COMMAND}".split()]

pytestmark = [
    pytest.mark.long,
    pytest.mark.slow,
    pytest.mark.embedded_store,
    pytest.mark.timeout(600),
]


def refused(service, **settings):
    """Whether a start ends with the one sentence."""
    code = service.launch(**settings).process.wait(START_TIMEOUT_S)
    return code != 0 and migrations.NEWER in service.output()


def test_service_refuses_to_start_on_the_store_of_a_newer_release(
    tmp_path, demo_workshop
):
    data = tmp_path / "data"
    demo_workshop.copy_files(data)
    store = embedded_store.start(str(data))
    try:
        with MongoClient(store.uri) as client:
            rows = client[DATABASE][migrations.COLLECTION]
            rows.insert_one({"_id": "9000_of_the_next_release"})
        with_mongodb = tmp_path / "with_mongodb"
        with_mongodb.mkdir()
        assert refused(Service(with_mongodb, command=GUNICORN, MONGODB_URI=store.uri))
    finally:
        store.stop()
    for number, settings in enumerate(({}, {"PREPARE": "1"})):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert refused(Service(folder, DATA_DIR=data), **settings)
