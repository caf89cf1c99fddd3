"""The service as it is really started: gunicorn, launcher, embedded store, signals."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import requests

from glassflow.core import embedded_store, store_process
from glassflow.core.store_ping import answers
from screens import Client

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
# The line of the Procfile is what is started here, too.
PROGRAM, *ARGUMENTS = (ROOT / "Procfile").read_text().removeprefix("web: ").split()
GUNICORN = [str(BIN / PROGRAM), *ARGUMENTS]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(90)]


class Service:
    """The service in a process group of its own, as a terminal has it."""

    def __init__(self, folder, **settings):
        self.port = embedded_store.free_port()
        self.url = f"http://127.0.0.1:{self.port}/api"
        self.folder = folder
        self.log = folder.parent / f"{folder.name}.{secrets.token_hex(3)}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                GUNICORN,
                cwd=ROOT,
                env=environment(DATA_DIR=folder, PORT=self.port, **settings),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def up(self):
        """Wait until it can work."""
        wait(lambda: self.status("/health/ready") == 200, 30, self.said)
        return self

    def status(self, path):
        """The status of a GET; 0 if nobody answers."""
        try:
            return requests.get(self.url + path, timeout=6).status_code
        except requests.RequestException:
            return 0

    def store(self):
        """What its store is known by."""
        return embedded_store.store_note.read(self.folder)

    def said(self):
        """All that it said so far."""
        return self.log.read_text("utf-8")

    def end(self, sig, *, group=False):
        """Send a signal and tell how many seconds it took to end."""
        begin = time.monotonic()
        (os.killpg if group else os.kill)(self.process.pid, sig)
        self.process.wait(30)
        return time.monotonic() - begin


@pytest.fixture
def folder(tmp_path):
    """A data directory with a name that real ones have."""
    return tmp_path / "ร้าน กระจก"


@pytest.fixture
def start(folder):
    """Starts services, and leaves none behind."""
    services = []

    def begin(**settings):
        services.append(Service(folder, **settings))
        return services[-1]

    yield begin
    for service in services:
        if service.process.poll() is None:
            service.end(signal.SIGKILL, group=True)


def environment(**settings):
    """The environment of a user who set only these."""
    own = {"JWT_SECRET", "MONGODB_URI", "DEMO", "PREPARE", "WORKERS", "HOST"}
    kept = {name: value for name, value in os.environ.items() if name not in own}
    return kept | {"GLASSFLOW_CONFIG": ""} | {k: str(v) for k, v in settings.items()}


def wait(condition, seconds, otherwise):
    """Wait until something holds; fail with the words of `otherwise`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"it did not happen within {seconds} s: {otherwise()}")
        time.sleep(0.05)


def gone(pid):
    """Tell whether a process has ended (a zombie has)."""
    try:
        return " Z" in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]
    except FileNotFoundError:
        return True


def refused(**settings):
    """Start what must not start; return its last words."""
    done = subprocess.run(
        GUNICORN,
        cwd=ROOT,
        env=environment(**settings),
        capture_output=True,
        text=True,
        timeout=40,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def test_a_first_start_prepares_tells_the_login_and_ends_without_traces(start):
    service = start(PREPARE=1, DEMO=0).up()
    said = service.said()
    assert f"running at http://127.0.0.1:{service.port} " in said
    assert "log in as admin / " in said
    store = service.store()
    assert service.end(signal.SIGINT, group=True) < 5
    assert service.process.returncode == 0
    assert gone(store.pid)
    assert service.store() is None
    assert "Traceback" not in service.said()


def test_a_second_start_is_quick_and_keeps_data_and_tokens(start):
    first = start(PREPARE=1).up()
    login = {"username": "admin", "password": "admin1234"}
    answer = requests.post(first.url + "/auth/login", json=login, timeout=10).json()
    first.end(signal.SIGTERM)
    begin = time.monotonic()
    second = start(PREPARE=1).up()
    assert time.monotonic() - begin < 10
    token = {"Authorization": f"Bearer {answer['data']['token']}"}
    assert requests.get(second.url + "/auth/me", headers=token, timeout=10).ok


def test_a_plain_start_brings_its_store_along_and_seeds_nothing(start):
    service = start().up()
    assert service.store().owner == service.process.pid
    assert "added" not in service.said()


def test_a_second_service_on_the_same_files_is_refused_by_name(start, folder):
    service = start().up()
    words = refused(DATA_DIR=folder, PORT=embedded_store.free_port())
    assert f"process {service.process.pid}" in words
    assert f"process {service.store().pid}" in words
    assert service.status("/health/ready") == 200


def test_a_port_in_use_is_one_sentence_and_starts_no_store(folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"Port {port} on 127.0.0.1 is in use" in refused(
            DATA_DIR=folder, PORT=port
        )
    assert not (folder / "db").exists()


def test_sigterm_hangs_up_on_idle_connections_at_once(start):
    service = start().up()
    with requests.Session() as session:
        session.get(service.url + "/health", timeout=5)  # stays open: keep-alive
        assert service.end(signal.SIGTERM) < 5
    assert "Traceback" not in service.said()


@pytest.mark.parametrize("transport", ["websocket", "polling"])
def test_sigterm_hangs_up_on_live_sockets_at_once(start, transport):
    service = start(PREPARE=1).up()
    login = {"username": "admin", "password": "admin1234"}
    answer = requests.post(service.url + "/auth/login", json=login, timeout=10).json()
    client, told = Client(reconnection=False), threading.Event()
    client.on("disconnect", told.set)
    client.connect(
        service.url.removesuffix("/api"),
        auth={"token": answer["data"]["token"]},
        transports=[transport],
        socketio_path="/api/socket-entry",
    )
    assert service.end(signal.SIGTERM) < 5
    assert told.wait(5), "the client hears that it is over"
    assert "Traceback" not in service.said()
    assert service.process.returncode == 0


def test_a_killed_store_comes_back_at_the_same_address_with_its_data(start):
    service = start(PREPARE=1, DEMO=0).up()
    store = service.store()
    os.kill(store.pid, signal.SIGKILL)
    wait(lambda: service.store() != store, 10, service.said)
    service.up()
    assert gone(store.pid)
    assert service.store().uri == store.uri
    assert service.status("/auth/me") == 401


def test_nothing_outlives_a_killed_master_and_a_start_at_once_works(start):
    service = start().up()
    store = service.store()
    service.end(signal.SIGKILL)
    again = start().up()
    assert gone(store.pid)
    assert again.store().pid != store.pid
    again.end(signal.SIGTERM)


def test_ctrl_c_while_starting_leaves_nothing_behind(start, folder):
    service = start(PREPARE=1)
    wait(lambda: service.store() is not None, 20, service.said)
    store = service.store()
    service.end(signal.SIGINT, group=True)
    wait(lambda: gone(store.pid), 10, service.said)


def test_a_reload_changes_the_worker_and_keeps_the_store(start):
    service = start().up()
    store = service.store()
    os.kill(service.process.pid, signal.SIGHUP)
    time.sleep(1)
    service.up()
    assert service.store() == store
    assert service.end(signal.SIGTERM) < 20
    assert gone(store.pid)


def test_flask_commands_share_the_store_of_the_running_service(start, folder):
    service = start().up()
    done = subprocess.run(
        [str(BIN / "flask"), "seed", "roles"],
        cwd=ROOT,
        env=environment(DATA_DIR=folder),
        capture_output=True,
        text=True,
        timeout=40,
    )
    assert done.returncode == 0, done.stderr
    assert "3 added" in done.stdout
    assert answers(service.store().port)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"JWT_SECRET": ""}, "JWT_SECRET is not set"),
        ({"JWT_SECRET": "secret" * 8}, "JWT_SECRET is too weak"),
        ({"MONGODB_URI": ""}, "MONGODB_URI is not set"),
        ({"WORKERS": "2"}, "2 workers need REDIS_URL"),
        ({"PORT": "web"}, "PORT must be a whole number"),
    ],
)
def test_production_refuses_to_start_unsafely(folder, settings, words):
    safe = {"JWT_SECRET": secrets.token_hex(32), "MONGODB_URI": "mongodb://127.0.0.1:1"}
    given = {"PORT": 0, "GLASSFLOW_CONFIG": "production", **safe, **settings}
    assert words in refused(DATA_DIR=folder, **given)
    assert not folder.exists()


def test_production_refuses_a_store_without_transactions(tmp_path):
    port = embedded_store.free_port()
    program = [str(BIN / store_process.PROGRAM), "--standalone", "--port", str(port)]
    alone = subprocess.Popen(
        [*program, "--storage-path", str(tmp_path / "db"), "--log-level", "ERROR"]
    )
    try:
        wait(lambda: answers(port), 20, lambda: "no store")
        words = refused(
            GLASSFLOW_CONFIG="production",
            PORT=0,
            JWT_SECRET=secrets.token_hex(32),
            MONGODB_URI=f"mongodb://127.0.0.1:{port}",
        )
    finally:
        alone.kill()
        alone.wait()
    assert "has no transactions" in words
    assert "rs.initiate()" in words


def test_the_launcher_does_not_import_the_driver():
    """gevent patches the workers after the fork, and the driver must come after that."""
    asked = "import sys, config.launch, config.worker; print('pymongo' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout == "False\n", done.stderr


def test_a_demo_worker_who_was_deleted_does_not_come_back(start):
    """Their password is public, so the next start must not let them in again."""
    first = start(PREPARE=1).up()
    login = {"username": "admin", "password": "admin1234"}
    token = requests.post(first.url + "/auth/login", json=login, timeout=10).json()
    admin = requests.Session()
    admin.headers["Authorization"] = f"Bearer {token['data']['token']}"

    def somchai(service):
        path = service.url + "/workers?username=somchai"
        return admin.get(path, timeout=10).json()["data"]

    path = f"{first.url}/workers/{somchai(first)[0]['_id']}"
    assert admin.delete(path, timeout=10).status_code == 200
    first.end(signal.SIGTERM)
    assert somchai(start(PREPARE=1).up()) == []
