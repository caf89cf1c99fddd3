"""The service as users start it: parent process, gunicorn, store and signals."""

import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests
from glassflow_client import Socket

from databases import new_database
from glassflow.embedded.ping import responds
from plain_store import plain_store
from ports import free_port
from service import COMMAND, ROOT, Service
from waiting import REQUEST_TIMEOUT_S

BIN = Path(sys.executable).parent
# The Procfile's command, for the tests that start gunicorn without the parent process.
PROGRAM, *ARGUMENTS = (ROOT / "Procfile").read_text().removeprefix("web: ").split()
GUNICORN = [str(BIN / PROGRAM), *ARGUMENTS]
# of gunicorn; its own gevent worker would wait so long for open connections
GRACEFUL_TIMEOUT_S = 15
# The limit of each wait for a condition; far more than a busy machine needs.
WAIT_TIMEOUT_S = 120

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


class LaunchedService(Service):
    """The service as started in a terminal: launched at once, all output recorded."""

    def __init__(self, folder, command=COMMAND, **settings):
        settings = {"DATA_DIR": folder, **settings}
        super().__init__(
            folder.parent, command=command, environment=environment(), **settings
        )
        self.data_dir = folder
        self.log = folder.parent / f"{folder.name}.{secrets.token_hex(3)}.log"
        self.launch()

    def up(self):
        """Wait until the service is ready."""
        wait(lambda: self.status("/health/ready") == 200, self.output)
        return self

    def status(self, path):
        """The status of a GET; 0 if there was no response."""
        try:
            return requests.get(f"{self.url}/api{path}", timeout=6).status_code
        except requests.RequestException:
            return 0

    def gunicorn(self):
        """The process id of gunicorn's master."""
        return next(
            pid for pid in children(self.process.pid) if b"gunicorn" in command_of(pid)
        )

    def output(self):
        """Everything that the service has printed."""
        return self.log.read_text("utf-8")

    def end(self, sig, *, group=False):
        """Send a signal; return how many seconds it took to end."""
        begin = time.monotonic()
        (os.killpg if group else os.kill)(self.process.pid, sig)
        self.process.wait(WAIT_TIMEOUT_S)
        return time.monotonic() - begin


@pytest.fixture
def folder(tmp_path):
    """A data directory with a space and Thai letters in its name."""
    return tmp_path / "ร้าน กระจก"


@pytest.fixture
def start(folder):
    """Starts services, and stops all of them at the end."""
    services = []

    def begin(**settings):
        services.append(LaunchedService(folder, **settings))
        return services[-1]

    yield begin
    for service in services:
        if service.process.poll() is None:
            service.end(signal.SIGKILL, group=True)


def environment(**settings):
    """The environment of a user who has set only these variables."""
    given = {name: str(value) for name, value in settings.items()}
    return os.environ | {"GLASSFLOW_CONFIG": ""} | given


def wait(condition, details):
    """Wait until a condition holds; fail with `details()` if it does not."""
    deadline = time.monotonic() + WAIT_TIMEOUT_S
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"not within {WAIT_TIMEOUT_S} s: {details()}")
        time.sleep(0.05)


def ended(pid):
    """Whether a process has ended (a zombie has)."""
    try:
        return " Z" in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]
    except FileNotFoundError:
        return True


def children(pid):
    """The ids of a process's children."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()]


def command_of(pid):
    """The program and arguments of a process."""
    return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")


def is_free(port):
    """Whether a listener may be opened on this port."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def refused(command=COMMAND, **settings):
    """Run a command that must refuse to start; return its last line of output."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment(**settings),
        capture_output=True,
        text=True,
        timeout=WAIT_TIMEOUT_S,
    )
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


@pytest.mark.embedded_store
def test_first_start_takes_a_free_port_prepares_prints_the_login_and_leaves_no_process(
    start,
):
    service = start(PREPARE=1, DEMO=0, PORT=0)
    greeting = r"running at (http://127\.0\.0\.1:[1-9]\d*) "
    wait(lambda: re.search(greeting, service.output()), service.output)
    service.url = re.search(greeting, service.output())[1]
    service.up()
    assert "log in as admin / " in service.output()
    address = f"{service.url}/"
    assert f"Open     {address} in a browser, and log in" in service.output()
    opened = requests.get(
        address, headers={"Accept": "text/html"}, timeout=REQUEST_TIMEOUT_S
    )
    assert opened.url == f"{address}floor/"
    assert '<div id="app">' in opened.text
    store = service.store
    assert service.end(signal.SIGINT, group=True) < GRACEFUL_TIMEOUT_S
    assert service.process.returncode == 0
    assert ended(store.pid)
    assert service.store is None
    assert "Traceback" not in service.output()


@pytest.mark.long
@pytest.mark.embedded_store
def test_sigterm_closes_sockets_at_once_and_second_start_keeps_data_and_tokens(
    start, folder, demo_workshop
):
    """It adds nothing: the password of demo workers is public, one may be deleted."""
    demo_workshop.copy_files(folder)
    first = start().up()
    admin = requests.Session()
    admin.headers["Authorization"] = f"Bearer {first.login()}"

    def somchai(service):
        path = service.url + "/api/workers?username=somchai"
        return admin.get(path, timeout=REQUEST_TIMEOUT_S).json()["data"]

    path = f"{first.url}/api/workers/{somchai(first)[0]['_id']}"
    assert admin.delete(path, timeout=REQUEST_TIMEOUT_S).status_code == 200
    sigterm_closes_connections_and_sockets_immediately(first)
    second = start(PREPARE=1).up()
    assert set(re.findall(r"(\d+) added", second.output())) == {"0"}
    assert admin.get(second.url + "/api/auth/me", timeout=REQUEST_TIMEOUT_S).ok
    assert somchai(second) == []


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A service on empty files, for the tests that neither stop nor restart it."""
    service = LaunchedService(tmp_path_factory.mktemp("launch") / "ร้าน กระจก").up()
    yield service
    service.end(signal.SIGTERM)


@pytest.mark.long
@pytest.mark.embedded_store
def test_start_without_prepare_starts_the_store_and_seeds_nothing(running):
    assert running.store.owner == running.process.pid
    assert "added" not in running.output()
    assert "running at" not in running.output()


@pytest.mark.long
@pytest.mark.embedded_store
def test_second_service_on_the_same_files_is_refused_with_both_process_ids(running):
    message = refused(DATA_DIR=running.data_dir, PORT=free_port())
    assert f"process {running.process.pid}" in message
    assert f"process {running.store.pid}" in message
    assert running.status("/health/ready") == 200


@pytest.mark.long
@pytest.mark.embedded_store
def test_port_in_use_is_refused_with_one_sentence_and_starts_no_store(folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"Port {port} on 127.0.0.1 is in use" in refused(
            DATA_DIR=folder, PORT=port
        )
    assert not (folder / "db").exists()


def sigterm_closes_connections_and_sockets_immediately(service):
    """Stop a service to which idle connections and sockets are open."""
    token, disconnected = service.login(), []
    store = service.store
    for transport in ("websocket", "polling"):
        client = Socket(timeout_s=REQUEST_TIMEOUT_S, reconnection=False)
        client.on("disconnect", lambda *_, name=transport: disconnected.append(name))
        client.connect(service.url, auth={"token": token}, transports=[transport])
    with requests.Session() as session:
        session.get(
            service.url + "/api/health", timeout=REQUEST_TIMEOUT_S
        )  # stays open: keep-alive
        assert service.end(signal.SIGTERM) < GRACEFUL_TIMEOUT_S
    wait(lambda: len(disconnected) == 2, lambda: f"only {disconnected}")
    assert sorted(disconnected) == ["polling", "websocket"]
    assert "Traceback" not in service.output()
    assert service.process.returncode == 0
    assert ended(store.pid)


@pytest.mark.long
@pytest.mark.embedded_store
def test_killed_store_restarts_at_the_same_address_with_its_data(
    start, folder, demo_workshop
):
    demo_workshop.copy_files(folder)
    service = start().up()
    store = service.store
    os.kill(service.process.pid, signal.SIGSTOP)  # it must not restart the store yet
    try:
        os.kill(store.pid, signal.SIGKILL)
        answer = requests.post(
            service.url + "/api/auth/login",
            json={"username": "admin", "password": "whatever"},
            headers={"X-Request-ID": "while-away"},
            timeout=REQUEST_TIMEOUT_S,
        )
    finally:
        os.kill(service.process.pid, signal.SIGCONT)
    assert answer.status_code == 503
    wait(lambda: service.store != store, service.output)
    service.up()
    assert ended(store.pid)
    assert service.store.uri == store.uri
    assert service.login()
    # time, level, process, request id, logger, message
    for line in (
        rf"^\S+ \S+ WARNING \[{service.process.pid}\] \[-\] "
        r"glassflow\.embedded\.run: the embedded store ended; starting it again$",
        r"^\S+ \S+ WARNING \[\d+\] \[while-away\] "
        r"glassflow\.web\.errors: the store is unreachable: ",
    ):
        assert re.search(line, service.output(), re.MULTILINE), service.output()


@pytest.mark.long
@pytest.mark.embedded_store
def test_killing_the_parent_ends_gunicorn_and_store_and_the_next_start_works(start):
    service = start().up()
    store, gunicorn = service.store, service.gunicorn()
    service.end(signal.SIGKILL)
    again = start(PORT=service.port)  # it waits for the workers of the killed one
    wait(lambda: again.store and again.store.pid != store.pid, again.output)
    again.up()
    assert ended(store.pid)
    wait(lambda: ended(gunicorn), service.output)
    again.end(signal.SIGTERM)


@pytest.mark.long
@pytest.mark.embedded_store
def test_killing_gunicorn_s_master_ends_the_service_and_frees_the_port(start):
    service = start().up()
    store, master = service.store, service.gunicorn()
    workers = children(master)
    assert workers
    os.kill(master, signal.SIGKILL)
    assert service.process.wait(WAIT_TIMEOUT_S) == 128 + signal.SIGKILL
    assert ended(store.pid)
    assert is_free(service.port)
    wait(lambda: all(map(ended, workers)), service.output)


@pytest.mark.long
@pytest.mark.embedded_store
def test_application_that_cannot_be_loaded_ends_the_service(folder):
    service = LaunchedService(folder, [*COMMAND, "glassflow.no_such_module:app"])
    # gunicorn's WORKER_BOOT_ERROR
    assert service.process.wait(WAIT_TIMEOUT_S) == 3, service.output()
    assert service.store is None


@pytest.mark.long
@pytest.mark.embedded_store
def test_ctrl_c_during_the_start_leaves_no_process(start):
    service = start(PREPARE=1)
    wait(lambda: service.store is not None, service.output)
    store = service.store
    service.end(signal.SIGINT, group=True)
    wait(lambda: ended(store.pid), service.output)
    assert "Traceback" not in service.output()


@pytest.mark.long
@pytest.mark.embedded_store
def test_sighup_replaces_the_worker_and_the_end_of_gunicorn_is_that_of_the_service(
    start,
):
    service = start().up()
    store, before = service.store, children(service.gunicorn())
    os.kill(service.process.pid, signal.SIGHUP)
    wait(lambda: all(map(ended, before)), service.output)
    service.up()
    assert children(service.gunicorn())
    assert service.store == store
    os.kill(service.gunicorn(), signal.SIGTERM)
    assert service.process.wait(WAIT_TIMEOUT_S) == 0  # gunicorn's exit code
    assert service.store is None
    assert ended(store.pid)


@pytest.mark.long
@pytest.mark.embedded_store
def test_flask_commands_use_the_store_of_the_running_service(running):
    done = subprocess.run(
        [str(BIN / "flask"), "seed", "roles"],
        cwd=ROOT,
        env=environment(DATA_DIR=running.data_dir),
        capture_output=True,
        text=True,
        timeout=WAIT_TIMEOUT_S,
    )
    assert done.returncode == 0, done.stderr
    assert "5 added" in done.stdout
    assert responds(running.store.port)


@pytest.mark.parametrize("command", [GUNICORN, COMMAND], ids=["gunicorn", "parent"])
def test_production_does_not_start_with_settings_that_are_refused(folder, command):
    message = refused(
        command,
        GLASSFLOW_CONFIG="production",
        DATA_DIR=folder,
        PORT=0,
        JWT_SECRET=secrets.token_hex(32),
        MONGODB_URI="",
    )
    assert "MONGODB_URI is not set" in message
    assert not folder.exists()


@pytest.fixture(scope="module")
def standalone(tmp_path_factory):
    """The address of a store that is no replica set."""
    with plain_store(tmp_path_factory.mktemp("standalone"), "--standalone") as uri:
        yield uri


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "prepare"),
    [(GUNICORN, 0), (COMMAND, 0), (COMMAND, 1)],
    ids=["gunicorn", "parent", "parent-that-prepares"],
)
@pytest.mark.embedded_store
def test_production_refuses_a_store_without_transactions(standalone, command, prepare):
    message = refused(
        command,
        GLASSFLOW_CONFIG="production",
        PREPARE=prepare,
        PORT=0,
        JWT_SECRET=secrets.token_hex(32),
        MONGODB_URI=standalone,
    )
    assert "has no transactions" in message
    assert "rs.initiate()" in message


@pytest.mark.long
def test_gunicorn_alone_without_a_store_is_refused_with_one_sentence(folder):
    message = refused(GUNICORN, DATA_DIR=folder, PORT=free_port())
    assert message.startswith("glassflow: MONGODB_URI is not set: ")
    assert not (folder / "db").exists()


def test_gunicorn_alone_runs_with_a_store_and_logs_request_ids(folder, store):
    service = LaunchedService(
        folder, GUNICORN, MONGODB_URI=store, MONGODB_DB=new_database()
    )
    try:
        service.up()
        assert not children(children(service.process.pid)[0])
        assert service.store is None
        # the listening line of gunicorn, in the service's own format
        line = rf"^\S+ \S+ INFO \[{service.process.pid}\] \[-\] gunicorn\.error: Listen"
        assert re.search(line, service.output(), re.MULTILINE), service.output()
    finally:
        service.end(signal.SIGTERM)
    assert service.process.returncode == 0


ACTIVATE = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.set_inheritable(3, True)
os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
os.execv(sys.argv[2], sys.argv[2:])
"""


@pytest.mark.long
def test_gunicorn_takes_the_socket_that_systemd_passes(tmp_path, store):
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_server(("127.0.0.1", 0)) as taken,
    ):
        port = listener.getsockname()[1]
        process = subprocess.Popen(
            [sys.executable, "-c", ACTIVATE, str(listener.fileno()), *GUNICORN],
            cwd=ROOT,
            env=environment(
                DATA_DIR=tmp_path,
                PORT=taken.getsockname()[1],  # in use; must be ignored
                MONGODB_URI=store,
                MONGODB_DB=new_database(),
            ),
            pass_fds=[listener.fileno()],
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            # the listener exists before the service does: the request waits for it
            url = f"http://127.0.0.1:{port}/api/health/ready"
            assert requests.get(url, timeout=WAIT_TIMEOUT_S).status_code == 200
        finally:
            process.terminate()
            _, errors = process.communicate(timeout=WAIT_TIMEOUT_S)
    assert process.returncode == 0, errors
    assert "in use" not in errors


LOADED = """
import json, sys
from gevent import monkey
monkey.patch_all()
from glassflow.app import create_app
from glassflow.settings import load_settings
create_app(load_settings())
print(json.dumps(sorted(sys.modules)))
"""


def test_production_loads_nothing_of_the_embedded_store(tmp_path):
    given = environment(DATA_DIR=tmp_path, MONGODB_URI="mongodb://127.0.0.1:1")
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=ROOT, env=given, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert b'"glassflow.app"' in done.stdout
    assert b"glassflow.embedded" not in done.stdout


@pytest.mark.parametrize(
    "modules",
    ["config.gunicorn, config.worker", "glassflow.embedded.gunicorn_config"],
)
def test_gunicorn_s_master_does_not_import_the_driver(tmp_path, modules):
    """gevent patches the workers after the fork, and the driver must come after that."""
    code = f"import sys, {modules}; print('pymongo' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment(DATA_DIR=tmp_path),
        capture_output=True,
        text=True,
    )
    assert done.stdout == "False\n", done.stderr
