"""A rolling upgrade: processes of the release before and of this one serve one store."""

import io
import math
import subprocess
import sys
import tarfile
import threading
import time
from itertools import cycle

import pytest
from acknowledged import RecordingClient
from pymongo import MongoClient
from workshop_checks import WorkshopChecks, read_workshop

from databases import new_database
from demo.client import Api, HttpClient
from demo.day import Day
from demo.workshop import demo_passwords
from glassflow.core.store import migrations
from optional_tools import skip_unless
from service import PROCFILE_COMMAND, QUICK_HASHES, ROOT, Service
from sizes import size
from waiting import WAIT_TIMEOUT_S, wait_until

#: The first commit that has this file is the previous release: older ones store the last
#: scan of a pane under other names. By its file, because the id of a commit changes if it
#: is rebased.
FIRST_FILE = "glassflow/web/overload.py"
GUNICORN = [sys.executable, *f"-m {PROCFILE_COMMAND}".split()]
DAY = size({"requests": 3, "panes_each": 1}, long={"requests": 10, "panes_each": 2})
#: Changes that are acknowledged before the next step of the upgrade.
CHANGES = 25
DAY_TIMEOUT_S = 400

pytestmark = [
    pytest.mark.long,
    pytest.mark.slow,
    pytest.mark.timeout(600),
    # the library leaves a websocket open that ends before its first packet
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]


@pytest.fixture(scope="module")
def previous(tmp_path_factory):
    """The sources of the previous release, from the history of this repository.

    They know no migration, so this release has all of them to carry out.
    """
    folder = tmp_path_factory.mktemp("previous")
    archive = git("archive", first_commit_with(FIRST_FILE))
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # 3.11.4
        files.extractall(folder, **safely)
    for step in migrations.known():
        (folder / "glassflow" / "migrations" / f"{step}.py").unlink(missing_ok=True)
    return folder


def first_commit_with(file, folder=ROOT):
    """Return the commit that has added a file; skip the test where git does not know it.

    In a shallow history the oldest commit seems to have added all that it contains.
    """
    shallow = git("rev-parse", "--is-shallow-repository", folder=folder).strip()
    added = git("log", "--diff-filter=A", "--format=%H", "--", file, folder=folder)
    skip_unless(
        shallow == b"false" and added,
        f"the history lacks the commit that added {file}: get all of it "
        "(git fetch --unshallow)",
    )
    return added.split()[-1].decode()


def git(*arguments, folder=ROOT):
    """Return what a git command prints about this repository, if it is one."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, check=False
    )
    return done.stdout


def test_history_without_the_previous_release_is_no_silent_skip(tmp_path, monkeypatch):
    made = tmp_path / "whole"
    commit = ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "-m", "x"]
    made.mkdir()
    git("init", "-q", folder=made)
    for name in ("first", "second"):
        (made / name).write_text(name)
        git("add", name, folder=made)
        git(*commit, folder=made)
    newest = git("rev-parse", "HEAD", folder=made).strip().decode()
    assert first_commit_with("second", made) == newest
    assert first_commit_with("first", made) != newest
    shallow = tmp_path / "shallow"
    git("clone", "-q", "--depth=1", f"file://{made}", str(shallow), folder=tmp_path)
    none = tmp_path / "none"
    none.mkdir()
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    for folder in (shallow, none):
        monkeypatch.delenv("GLASSFLOW_REQUIRE_OPTIONAL_TOOLS", raising=False)
        with pytest.raises(pytest.skip.Exception, match="--unshallow"):
            first_commit_with("first", folder)
        monkeypatch.setenv("GLASSFLOW_REQUIRE_OPTIONAL_TOOLS", "1")
        with pytest.raises(pytest.fail.Exception, match="must not be skipped"):
            first_commit_with("first", folder)


class Balancer(RecordingClient):
    """Sends the requests to the services in turn, as a load balancer does.

    The clients go on up to a number of acknowledged changes, and wait there.
    """

    def __init__(self, url):
        super().__init__(url)
        self.served = {}
        self.limit = CHANGES
        self.use(url)

    def use(self, *urls):
        """Send requests to these services from now on."""
        for url in urls:
            self.served.setdefault(url, 0)
        self._services = cycle([HttpClient(url) for url in urls])

    def send(self, *request, **options):
        while self.acknowledged.changes >= self.limit:
            time.sleep(0.01)
        return super().send(*request, **options)

    def exchange(self, *request):
        service = next(self._services)
        self.served[service.url] += 1
        return service.exchange(*request)


def test_demo_day_runs_through_a_rolling_upgrade(store, previous, tmp_path):
    settings = {
        "MONGODB_URI": store,
        "MONGODB_DB": new_database(),
        "JWT_SECRET": "a secret that both releases have: 0123456789",
        **QUICK_HASHES,
    }
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    old = Service(tmp_path / "old", command=GUNICORN, cwd=previous, **settings)
    new = Service(tmp_path / "new", command=GUNICORN, **settings)
    try:
        prepared = old.flask("prepare")
        assert prepared.returncode == 0, prepared.stderr
        old.start()
        assert "none pending" in old.flask("migrate").stdout  # as it knows none
        balancer = Balancer(old.url)
        day, finish = start_day(old.url, balancer)
        wait_for_changes(balancer, day)
        balancer.limit += CHANGES  # are made while the new release prepares the store
        upgraded = new.flask("prepare")
        assert upgraded.returncode == 0, upgraded.stderr
        assert f"migrations: {migrations.known()[-1]} done" in upgraded.stdout
        new.start()
        balancer.use(old.url, new.url)
        wait_for_changes(balancer, day)
        before = balancer.served[new.url]
        balancer.use(new.url)
        old.stop()
        balancer.limit = math.inf
        finish()
        assert balancer.served[old.url] > CHANGES
        assert balancer.served[new.url] > before > 0
        check(new, balancer)
    finally:
        old.stop()
        new.stop()
    with MongoClient(store) as client:
        check_events(client[settings["MONGODB_DB"]])


def start_day(url, balancer):
    """Begin the demo day; return its thread and a function that waits for its end."""
    admin = Api.login(url, "admin", demo_passwords()["admin"], balancer)
    day, errors = Day(admin, count_events=False, **DAY), []

    def work():
        try:
            day.run()
        except Exception as error:
            errors.append(error)

    working = threading.Thread(target=work, daemon=True)
    working.start()

    def finish():
        working.join(DAY_TIMEOUT_S)
        text = day.report.text()
        assert not errors, (errors, text)
        assert not day.report.problems, text

    return working, finish


def wait_for_changes(balancer, day):
    """Let clients go on until more changes are acknowledged; then they wait."""
    balancer.limit = balancer.acknowledged.changes + CHANGES
    wait_until(
        lambda: (
            (balancer.acknowledged.changes >= balancer.limit and not balancer.in_flight)
            or not day.is_alive()
        ),
        DAY_TIMEOUT_S,
    )
    assert day.is_alive(), "the day ended before the upgrade"


def check(service, balancer):
    """Nothing that either release has acknowledged is missing, doubled or half done."""
    inspector = Api.login(service.url, "admin", demo_passwords()["admin"])
    state = read_workshop(inspector)
    faults = balancer.acknowledged.missing_from(state) + WorkshopChecks(state).faults()
    assert not faults, "\n".join(map(str, faults[:20]))


def check_events(database):
    """Each event has the next number, and each batch was published once."""
    wait_until(lambda: not database.outbox.find_one(), WAIT_TIMEOUT_S)
    rows = list(database.event_log.find({}, {"seq": 1}).sort("seq", 1))
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    assert len({row["_id"] for row in rows}) == len(rows) > CHANGES
    assert not database.dead_letters.find_one()
