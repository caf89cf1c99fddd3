"""The file of a backup: what is in it, and that no damage stays unnoticed."""

import gzip
import json
import tarfile
from hashlib import sha256
from io import BytesIO

import bson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.core.store import backup_file
from glassflow.core.store.backup_file import BackupFile, BackupWriter, Damaged, Tally

PANES = [{"_id": n, "note": "กระจก" * n, "data": bytes(n)} for n in range(30)]
INDEXES = [{"v": 2, "key": {"order": 1, "_id": -1}, "name": "order_1__id_-1"}]


def encoded(documents):
    return b"".join(map(bson.encode, documents))


def example():
    """A backup of two collections, one of them empty."""
    file = BytesIO()
    writer = BackupWriter(file, "workshop")
    writer.add("panes", [encoded(PANES[:20]), encoded(PANES[20:])], INDEXES)
    writer.add("claims", [], [])
    assert writer.documents == 30
    writer.finish({"eventHead": 7})
    return file.getvalue()


EXAMPLE = example()


@pytest.fixture
def path(tmp_path):
    """The example as a file."""
    path = tmp_path / "backup.tar"
    path.write_bytes(EXAMPLE)
    return path


def test_backup_is_a_tar_archive_in_the_layout_of_mongodump(path):
    with tarfile.open(path) as archive:
        names = archive.getnames()
        panes = archive.extractfile("dump/workshop/panes.bson").read()
        metadata = archive.extractfile("dump/workshop/panes.metadata.json").read()
    assert names == [
        "dump/workshop/panes.bson",
        "dump/workshop/panes.metadata.json",
        "dump/workshop/claims.bson",
        "dump/workshop/claims.metadata.json",
        "manifest.json",
        "manifest.json.sha256",
    ]
    assert bson.decode_all(panes) == PANES
    assert json.loads(metadata)["indexes"] == INDEXES


def test_whole_backup_is_read_as_it_was_written_compressed_too(path):
    packed = path.with_suffix(".tar.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    for one in (path, packed):
        backup = BackupFile(one)
        backup.verify()
        assert backup.manifest["eventHead"] == 7
        assert backup.collections["panes"]["indexes"] == INDEXES
        assert backup.contents("panes").documents == 30
        assert b"".join(backup.batches("panes")) == encoded(PANES)


@given(at=st.integers(0, 2**32), bit=st.integers(0, 7))
def test_one_changed_bit_is_noticed_or_changes_nothing_that_is_read(
    tmp_path_factory, at, bit
):
    damaged = bytearray(EXAMPLE)
    damaged[at % len(EXAMPLE)] ^= 1 << bit
    path = tmp_path_factory.getbasetemp() / "damaged.tar"
    path.write_bytes(damaged)
    try:
        backup = BackupFile(path)
        backup.verify()
        read = b"".join(backup.batches("panes"))
    except Damaged:
        return
    assert read == encoded(PANES)  # it was a time or an owner in a header, or padding
    assert backup.manifest["eventHead"] == 7


def test_shortened_file_and_other_files_are_refused(path, tmp_path):
    content = path.read_bytes()
    for end in (0, 1, 600, len(content) // 2, len(content) - 2048):
        path.write_bytes(content[:end])
        with pytest.raises(Damaged) as refused:
            BackupFile(path).verify()
        assert "\n" not in str(refused.value)
    path.write_bytes(b"")
    with pytest.raises(Damaged, match="it is no tar archive"):
        BackupFile(path)
    with pytest.raises(Damaged):
        BackupFile(tmp_path / "is_not_there.tar")


def test_manifest_that_is_too_large_is_not_read_as_a_whole(path, monkeypatch):
    monkeypatch.setattr(backup_file, "MAX_MANIFEST_BYTES", 100)
    path.write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(Damaged, match="too large"):
        BackupFile(path)


def test_digest_of_a_collection_does_not_depend_on_the_order_of_its_documents():
    one, other, shorter = Tally(), Tally(), Tally()
    one.add(encoded(PANES))
    other.add(encoded(PANES[::-1]))
    shorter.add(encoded(PANES[1:]))
    assert one.contents().digest == other.contents().digest
    assert one.contents().digest != shorter.contents().digest
    assert one.contents().sha256 == sha256(encoded(PANES)).hexdigest()
