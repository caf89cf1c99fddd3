"""The demo workshop for services that tests start, prepared once in a test run.

`flask prepare` costs more than the start of a service, and most tests need only what it
leaves: as files of an embedded store, or as a database of the store of the tests.
"""

import fcntl
import os
import shutil

import bson
from pymongo import MongoClient

from databases import new_database
from glassflow.embedded import store as embedded_store
from service import Service

DATABASE = "glassflow"  # the default of MONGODB_DB
#: As `flask prepare`, but without work: tests count what they have made themselves.
COMMANDS = (("indexes",), ("migrate",), ("seed", "all"))


class DemoWorkshop:
    """What `flask prepare` leaves, kept in a folder to make copies of it."""

    def __init__(self, folder):
        self._data = folder / "data"
        self._dump = folder / "dump.bson"
        folder.mkdir(exist_ok=True)
        with (folder / "lock").open("w") as lock:  # the first test process prepares
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not self._dump.exists():
                self._prepare(folder)

    def _prepare(self, folder):
        store = embedded_store.start(str(self._data))
        try:
            service = Service(folder, MONGODB_URI=store.uri)
            for command in COMMANDS:
                done = service.flask(*command)
                assert done.returncode == 0, done.stderr
            with MongoClient(store.uri) as client:
                self._dump.write_bytes(bson.encode(_dump(client[DATABASE])))
        finally:
            store.stop()

    def copy_files(self, data_dir):
        """Make a data directory, for an embedded store of its own."""
        shutil.copytree(self._data, data_dir)

    def copy_database(self, uri):
        """Make a database in the store at `uri`; return its name."""
        name = new_database()
        with MongoClient(uri) as client:
            for collection, content in bson.decode(self._dump.read_bytes()).items():
                _restore(client[name], collection, **content)
        return name


def prepared_once(tmp_path_factory):
    """Return the demo workshop that all test processes of this run share."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    return DemoWorkshop(folder / "demo_workshop")


def _dump(database):
    """The indexes and documents of each collection."""
    return {
        name: {
            "indexes": [dict(index) for index in database[name].list_indexes()],
            "documents": list(database[name].find()),
        }
        for name in database.list_collection_names()
    }


def _restore(database, collection, indexes, documents):
    database.create_collection(collection)
    secondary = [index for index in indexes if index["name"] != "_id_"]
    if secondary:
        database.command("createIndexes", collection, indexes=secondary)
    if documents:
        database[collection].insert_many(documents)
