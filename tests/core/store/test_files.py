"""Files in GridFS form, stored and deleted with the transaction of their record."""

import os

import gridfs
import pytest
from bson import ObjectId
from mongoengine.connection import get_db

from glassflow.core.store import files
from glassflow.core.store.unit_of_work import unit_of_work

SIZES = (0, 1, files.CHUNK_BYTES, files.CHUNK_BYTES + 1, 3 * files.CHUNK_BYTES)


@pytest.fixture
def contents(app):
    return {ObjectId(): os.urandom(size) for size in SIZES}


def test_files_are_read_as_they_were_stored(contents):
    unit_of_work(files.insert)(contents)
    assert files.read_files(contents.keys()) == contents
    assert files.read_files([ObjectId()]) == {}


def test_driver_reads_the_files_as_gridfs(contents):
    unit_of_work(files.insert)(contents)
    bucket = gridfs.GridFSBucket(get_db(), files.BUCKET)
    for file_id, content in contents.items():
        assert bucket.open_download_stream(file_id).read() == content


def test_files_of_a_transaction_that_fails_are_not_stored(contents):
    @unit_of_work
    def fail():
        files.insert(contents)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail()
    assert files.read_files(contents.keys()) == {}


def test_deleted_files_leave_nothing(contents):
    unit_of_work(files.insert)(contents)
    first, *others = contents
    unit_of_work(files.delete)(others)
    assert files.read_files(contents.keys()) == {first: contents[first]}
    query = {"_id": {"$in": others}}
    assert get_db()[f"{files.BUCKET}.files"].count_documents(query) == 0


def test_collections_have_the_indexes_of_gridfs_and_that_of_unused_files(app):
    found = {
        tuple(name for name, _ in index["key"])
        for part in ("files", "chunks")
        for index in get_db()[f"{files.BUCKET}.{part}"].index_information().values()
    }
    gridfs_indexes = {("_id",), ("filename", "uploadDate"), ("files_id", "n")}
    assert found == {*gridfs_indexes, ("metadata.unusedSince",)}
