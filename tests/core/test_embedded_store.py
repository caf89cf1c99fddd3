"""The embedded store as a child process: found, shared, refused twice, gone with us."""

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pymongo import MongoClient

from glassflow.core import embedded_store, store_process
from glassflow.core.embedded_store import StoreError
from glassflow.core.store_check import NO_TRANSACTIONS, why_unfit
from glassflow.core.store_ping import answers

pytestmark = pytest.mark.slow
HOLDER = """
import sys, time
from glassflow.core import embedded_store
print(embedded_store.start(sys.argv[1]).process.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def folder(tmp_path):
    """A data directory with a name that real ones have."""
    return tmp_path / "ข้อมูล ร้าน's"


@pytest.fixture
def running(folder):
    """A store on that directory, killed in the end: an orderly stop takes seconds."""
    store = embedded_store.start(str(folder))
    yield store
    kill(store)


def kill(store):
    """End a store at once."""
    store.process.kill()
    store.process.wait()


def test_a_store_is_found_by_its_note_while_it_runs(folder, running):
    assert embedded_store.find(str(folder)) == running.uri
    with MongoClient(running.uri) as client:
        client["shop"]["panes"].insert_one({"_id": 1})
    assert why_unfit(running.uri) is None
    running.stop()
    assert embedded_store.find(str(folder)) is None
    assert not (folder / "store.json").exists()


def test_what_was_written_is_there_after_a_restart_and_after_a_kill(folder, running):
    with MongoClient(running.uri) as client:
        client["shop"]["panes"].insert_one({"_id": 1})
    kill(running)
    again = embedded_store.start(str(folder), port=running.port)
    try:
        assert again.uri == running.uri
        with MongoClient(again.uri) as client:
            assert client["shop"]["panes"].count_documents({}) == 1
    finally:
        kill(again)


def test_the_note_is_for_the_owner_only(folder, running):
    note = folder / "store.json"
    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    assert json.loads(note.read_text()) == {
        "uri": running.uri,
        "pid": running.process.pid,
        "port": running.port,
        "owner": os.getpid(),
    }


def test_a_second_store_on_the_same_files_is_refused_by_name(folder, running):
    with pytest.raises(StoreError, match=f"process {os.getpid()}, its store is"):
        embedded_store.start(str(folder))
    assert running.alive()


def test_files_locked_by_an_unknown_process_are_explained(folder, running):
    (folder / "store.json").unlink()
    with pytest.raises(StoreError, match="are in use by another process"):
        embedded_store.start(str(folder))
    assert running.alive()


@pytest.mark.parametrize(
    "note", ["", "{", "[]", '{"uri": 1}', '{"uri":"x","pid":"1","port":2,"owner":3}']
)
def test_a_note_that_is_no_use_is_no_store(folder, note):
    folder.mkdir()
    (folder / "store.json").write_text(note)
    assert embedded_store.find(str(folder)) is None


def test_a_stale_note_is_no_obstacle(folder, running):
    kill(running)
    assert (folder / "store.json").exists()
    assert embedded_store.find(str(folder)) is None
    kill(embedded_store.start(str(folder)))


def test_a_command_shares_the_running_store_and_leaves_it(folder, running):
    settings = {"MONGODB_URI": "", "DATA_DIR": str(folder)}
    with embedded_store.open_store(settings) as uri:
        assert uri == running.uri
    assert running.alive()


def test_a_command_without_a_running_store_has_its_own_for_its_time(folder):
    settings = {"MONGODB_URI": "", "DATA_DIR": str(folder)}
    with embedded_store.open_store(settings) as uri:
        port = int(uri.split(":")[2].split("/")[0])
        assert answers(port)
    assert not answers(port)


def test_a_given_address_is_used_as_it_is():
    settings = {"MONGODB_URI": "mongodb://db", "DATA_DIR": "/nowhere"}
    with embedded_store.open_store(settings) as uri:
        assert uri == "mongodb://db"


def test_a_store_that_is_not_installed_says_how_to_get_it(folder, monkeypatch):
    monkeypatch.setattr(store_process, "PROGRAM", "no-such-program")
    with pytest.raises(StoreError, match=r"pip install 'glassflow\[embedded\]'"):
        embedded_store.start(str(folder))


def test_a_directory_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"^DATA_DIR .*file/var cannot be used: "):
        embedded_store.start(str(tmp_path / "file" / "var"))


def test_a_store_that_cannot_start_says_where_its_words_are(folder):
    (folder / "db").mkdir(parents=True)
    (folder / "db" / "WiredTiger").write_text("not a store's file")
    (folder / "db" / "WiredTiger.turtle").write_text("neither is this")
    with pytest.raises(StoreError, match=r"did not start: .*store\.log"):
        embedded_store.start(str(folder))


def test_a_forked_child_does_not_stop_its_parent_s_store(running):
    pid = os.fork()
    if pid == 0:
        running.stop()
        os._exit(0)
    os.waitpid(pid, 0)
    assert running.alive()
    assert answers(running.port)


@pytest.fixture
def holder(folder):
    """Another process that has started a store on the directory."""
    command = [sys.executable, "-c", HOLDER, str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    process.store_pid = int(process.stdout.readline())
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_the_store_dies_with_a_killed_owner(folder, holder):
    holder.kill()
    holder.wait()
    again = embedded_store.start(str(folder))  # at once: it waits for the orphan
    assert not _is_a_program(holder.store_pid)
    kill(again)


def test_an_orphan_that_hangs_is_killed(folder, holder, monkeypatch):
    monkeypatch.setattr(embedded_store, "ORPHAN_SECONDS", 0.5)
    os.kill(holder.store_pid, signal.SIGSTOP)
    holder.kill()
    holder.wait()
    kill(embedded_store.start(str(folder)))
    assert not _is_a_program(holder.store_pid)


def test_a_number_in_a_stale_note_that_is_somebody_else_s_is_left_alone(folder):
    somebody = subprocess.Popen(["sleep", "60"])
    nobody = subprocess.Popen(["true"])
    nobody.wait()
    folder.mkdir()
    note = {"uri": "mongodb://x", "pid": somebody.pid, "port": 1, "owner": nobody.pid}
    (folder / "store.json").write_text(json.dumps(note))
    kill(embedded_store.start(str(folder)))
    assert somebody.poll() is None
    somebody.kill()
    somebody.wait()


def test_a_store_without_transactions_is_told_from_one_with(tmp_path):
    port = embedded_store.free_port()
    program = os.path.join(os.path.dirname(sys.executable), store_process.PROGRAM)
    command = [program, "--standalone", "--port", str(port), "--log-level", "ERROR"]
    alone = subprocess.Popen([*command, "--storage-path", str(tmp_path / "db")])
    try:
        deadline = time.monotonic() + 20
        while not answers(port) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert why_unfit(f"mongodb://127.0.0.1:{port}/") == NO_TRANSACTIONS
    finally:
        alone.kill()
        alone.wait()


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("mongo://x", "makes no sense to the driver: Invalid URI scheme"),
        ("mongodb://x:y:z", "makes no sense to the driver"),
        ("mongodb://127.0.0.1:1", "did not answer within 0.5 seconds: 127.0.0.1:1"),
    ],
)
def test_an_address_that_does_not_work_is_one_sentence(uri, words):
    sentence = why_unfit(uri, seconds=0.5)
    assert words in sentence
    assert "\n" not in sentence
    assert len(sentence) < 250


def _is_a_program(pid):
    """Tell whether a process runs; one that has ended and waits to be noted does not."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""
    except FileNotFoundError:
        return False
