"""The directory of metrics: its slots, and what killed processes leave."""

import os
import tempfile

import pytest

from glassflow.host import metrics_files


@pytest.fixture
def held(monkeypatch):
    """The locks that this process takes; closed, as by the end of a process."""
    descriptors = []
    monkeypatch.setattr(metrics_files, "_held", descriptors)
    yield descriptors
    while descriptors:
        os.close(descriptors.pop())


def test_a_slot_belongs_to_one_process_until_it_ends(tmp_path, held):
    path = str(tmp_path)
    assert [metrics_files.take_slot(path) for _ in range(3)] == [0, 1, 2]
    os.close(held.pop(1))  # the second process ends
    with metrics_files.reserved(path, 0) as is_free:
        assert not is_free
    with metrics_files.reserved(path, 1) as is_free:
        assert is_free
        assert metrics_files.take_slot(path) == 3, "it is being cleaned up"
    assert metrics_files.take_slot(path) == 1
    assert metrics_files.slots(path) == [0, 1, 2, 3]


def test_directories_of_killed_masters_are_removed_and_no_others(
    tmp_path, held, monkeypatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv(metrics_files.VARIABLE, "")
    abandoned, young, other = (
        tmp_path / f"{metrics_files.PREFIX}1",
        tmp_path / f"{metrics_files.PREFIX}2",
        tmp_path / "other",
    )
    for one in (abandoned, young, other):
        one.mkdir()
    for one in (abandoned, other):
        os.utime(one, (0, 0))
    metrics_files.create_directory()
    running = os.environ[metrics_files.VARIABLE]
    os.utime(running, (0, 0))
    assert not abandoned.exists()
    metrics_files.create_directory()  # another master starts
    assert os.path.isdir(running), "its master lives"
    assert young.exists()
    assert other.exists()
    metrics_files.remove_directory()
    assert len(list(tmp_path.iterdir())) == 3
