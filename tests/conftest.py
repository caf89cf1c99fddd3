"""Fixtures of all tests: a real store, a real server, and clients that are logged in.

There is one store and one server for each test process. Every test begins with empty
collections; `workshop` creates the three system roles, and each client its worker.
"""

from gevent import monkey

monkey.patch_all()  # before anything else is imported

import environment

environment.prepare()  # before anything reads it

import gc

gc.disable()  # until the tests are collected: what is imported and made stays

from dataclasses import replace
from datetime import datetime, timedelta

import gevent
import hypothesis
import pymongo
import pytest
from mongoengine.connection import get_connection, get_db
from pymongo import DeleteMany, UpdateOne, monitoring
from pymongo.errors import AutoReconnect, ClientBulkWriteException, OperationFailure

import databases
import earlier_tests
import greenlets
import sizes
from clients import Api
from demo_workshop import prepared_once
from described_answers import DescribedAnswers
from described_events import DescribedEvents
from factories import Workshop
from figures_recount import forget_earlier_tests
from glassflow import runtime
from glassflow.app import create_app
from glassflow.core.access import rate_limits
from glassflow.core.events import dead_letters, event_numbers, history, webhook_log
from glassflow.core.process import clock, deadlines, record_cache, time_limit
from glassflow.core.store import migrations, outbox, unit_of_work
from glassflow.domain import calendar
from glassflow.models import ALL
from glassflow.services import archives, daily_figures, demo_mark
from glassflow.services.auth import identity
from glassflow.services.forecasts import kept as forecasts
from glassflow.services.forecasts import past
from glassflow.services.prepare import ensure_indexes
from glassflow.settings import load_settings
from glassflow.web import throttle
from greenlets import spawn
from metrics_samples import Metrics
from network import Network
from optional_tools import count_missing_packages
from run_order import longest_first
from screens import Screen
from server import serve
from store_commands import WrittenCollections
from watched_store import WatchedStore

#: Tests extend the time limits of the service by this factor, so that on a slow machine
#: something takes longer instead of being refused or given up.
DEADLINE_FACTOR = 30
#: What is in `deadlines` and is no limit, or is one that tests wait for.
NOT_EXTENDED = {
    "ANSWER_TIMEOUT_S",  # only documents the sum of others
    "STORE_SELECTION_TIMEOUT_MS",  # given to the driver, which looks for a store in vain
    "LAST_ATTEMPT_S",  # a share of a limit
    "RECORD_CACHE_S",  # the age of cached records
    "READINESS_KEPT_S",
    "WEBHOOK_FIRST_RETRY_S",  # pauses
    "WEBHOOK_LONGEST_RETRY_S",
}
PRODUCTION_DEADLINES_S = {
    name: seconds
    for name, seconds in vars(deadlines).items()
    if name.isupper() and name not in NOT_EXTENDED
}

WRITTEN = WrittenCollections()
#: Allocations until garbage is looked for, and how many such looks until older objects are
#: looked through: a test leaves little, and takes a twentieth less time than with 700.
GARBAGE_THRESHOLDS = 20_000, 20, 50
#: The collections that are empty at the begin of each test.
EMPTIED = {model.collection_name() for model in ALL}
EMPTIED |= {rate_limits.COLLECTION, dead_letters.COLLECTION}
EMPTIED |= {outbox.COLLECTION}  # no test hears the late events of the one before
EMPTIED |= {webhook_log.STATES, webhook_log.DELIVERIES}
EMPTIED |= {daily_figures.COLLECTION, demo_mark.COLLECTION, archives.COLLECTION}
EMPTIED |= {forecasts.COLLECTION}


def pytest_configure(config):
    """Prepare what all tests of this process need."""
    # Without limits on the time of an example: no test depends on the machine. The same
    # examples in each run of `make test`, and others in each of `make test-long`.
    hypothesis.settings.register_profile(
        "any machine",
        database=None,
        deadline=None,
        derandomize=not sizes.LONG,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
    hypothesis.settings.load_profile("any machine")
    if not sizes.LONG:
        # garbage of one test is found during another one, which then would fail
        for warning in (
            "PytestUnraisableExceptionWarning",
            "PytestUnhandledThreadExceptionWarning",
        ):
            config.addinivalue_line("filterwarnings", f"default::pytest.{warning}")
    if not hasattr(config, "workerinput"):
        environment.end_leftovers()
    gevent.spawn(_wake_regularly)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Look for garbage from here on, but not among what is imported and collected."""
    collected = yield
    gc.freeze()
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    gc.enable()
    return collected


def _wake_regularly():
    """Wake gevent's loop: xdist's own thread can reach it only while it runs."""
    while True:
        gevent.sleep(0.05)


@pytest.hookimpl(trylast=True)  # after the shuffle of pytest-randomly
def pytest_collection_modifyitems(items):
    """Order the files; skip the tests of the embedded store where another one is used."""
    if not sizes.LONG:
        longest_first(items)
    databases.skip_embedded_only(items)


@pytest.hookimpl(wrapper=True, tryfirst=True)  # to print after all other parts
def pytest_terminal_summary(terminalreporter):
    """List the packages that skipped tests need, at the end of the summary."""
    yield
    reports = terminalreporter.stats.get("skipped", [])
    missing = count_missing_packages(str(report.longrepr) for report in reports)
    if missing:
        terminalreporter.section("skipped for missing packages")
        for package, count in sorted(missing.items()):
            tests = "test" if count == 1 else "tests"
            terminalreporter.write_line(f"{package}: {count} {tests} skipped")


@pytest.fixture(scope="session")
def store_process(tmp_path_factory):
    """A real store on files of its own."""
    running = WatchedStore(str(tmp_path_factory.mktemp("data")))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def store(request):
    """The address of a real store: TEST_MONGODB_URI, or the embedded one's."""
    if databases.TEST_URI:
        yield from databases.use_mongodb(databases.TEST_URI)
    else:
        yield request.getfixturevalue("store_process").uri


@pytest.fixture(scope="session")
def demo_workshop(tmp_path_factory):
    """The demo workshop, of which services that a test starts get copies."""
    return prepared_once(tmp_path_factory)


@pytest.fixture(scope="session")
def store_settings(store):
    """The settings that name the store and the database of this test process."""
    return {"MONGODB_URI": store, "MONGODB_DB": databases.DATABASE}


@pytest.fixture(scope="session")
def app(store_settings):
    """The application on the store of this test process, with extended deadlines."""
    for name, seconds in PRODUCTION_DEADLINES_S.items():
        setattr(deadlines, name, DEADLINE_FACTOR * seconds)
    deadlines.READINESS_KEPT_S = 0.0  # tests ask, change something, and ask again
    monitoring.register(WRITTEN)  # with the clients that are made from here on
    created = create_app(load_settings("testing", env=store_settings))
    # A tenth of what the tests would make the store do. `services.history.update` moves
    # what a test asks for; in the services that tests start, the history is written.
    created.extensions["realtime"]._history.start = lambda: None
    created.extensions["realtime"]._history.on_published = lambda: None
    # It compares with the clock of the machine what a test did at another time.
    created.extensions["realtime"]._overdue.start = lambda: None
    # A child process takes half a second; see `cutting_api.search`.
    created.extensions["realtime"]._cutting_searches.start = lambda: None
    ensure_indexes()
    list(migrations.run())
    created.extensions["described_answers"] = DescribedAnswers(created)
    created.extensions["described_events"] = DescribedEvents(created)
    gc.collect()
    gc.freeze()  # collections no longer go through all that was imported and made
    yield created
    created.extensions["realtime"].stop()  # its writes would create the database again


@pytest.fixture
def production_deadlines(app, monkeypatch):
    """The deadlines that a real service has, for tests of what happens after them."""
    for name, seconds in PRODUCTION_DEADLINES_S.items():
        monkeypatch.setattr(deadlines, name, seconds)


@pytest.fixture(scope="session")
def server(app):
    """The address of the application served over real HTTP and sockets."""
    url, stop = serve(app)
    yield url
    stop()


@pytest.fixture
def network(server):
    """A proxy before the server, whose connections can be cut."""
    proxy = Network(server)
    yield proxy
    proxy.cut()


@pytest.fixture(scope="module", autouse=True)
def _collect_garbage(request):
    """Report unclosed resources in the module that left them, not in a later one."""
    yield
    if request.node.get_closest_marker("slow"):
        gc.collect()


@pytest.fixture(autouse=True)
def _no_time_limit():
    """End the time limit that a failed test has left: the next one would fail of it too."""
    time_limit._current.set(None)
    pymongo._csot.reset_all()


@pytest.fixture(autouse=True)
def _empty_collections(request, _no_time_limit):
    """Empty the collections before each test that uses the store."""
    if "app" in request.fixturenames:
        app = request.getfixturevalue("app")
        runtime.set_default(app.extensions["runtime"])  # another test may have made one
        with earlier_tests.ended(app):
            written = WRITTEN.take()
            _delete_all(written & EMPTIED, with_changes=outbox.EVENT_LOG in written)
        if outbox.EVENT_LOG in written:
            earlier_tests.deliver_events(app)
        throttle.init_app(app)  # without the refusals that it remembers
        record_cache.clear_all()
        past.forget()


def _delete_all(collections, *, with_changes):
    """Delete all documents; `with_changes`, their history will not be written either."""
    marks = get_db()[history.MARKS]
    done = {"_id": history.HEAD}, {"$max": {"event": event_numbers._highest[1]}}
    if databases.TEST_URI:  # may be a release without bulkWrite
        for name in collections:
            get_db()[name].delete_many({})
        if with_changes:
            marks.update_one(*done)
        return
    # with one command: it costs less than one for each
    writes = [
        DeleteMany({}, namespace=f"{databases.DATABASE}.{name}") for name in collections
    ]
    if with_changes:
        writes.append(UpdateOne(*done, namespace=marks.full_name))
    if writes:
        try:
            get_connection().bulk_write(writes)
        except ClientBulkWriteException as error:  # as a driver that retries writes
            if not isinstance(error.error, AutoReconnect):
                raise
            get_connection().bulk_write(writes)


@pytest.fixture(autouse=True)
def _end_greenlets(_empty_collections):
    """End what a test has started, also where it failed."""
    yield
    greenlets.end_all()


@pytest.fixture(autouse=True)
def _no_hang(request):
    """Fail a test during which the store hung, with the stacks of the store's threads."""
    uses_it = not databases.TEST_URI and "app" in request.fixturenames
    store = request.getfixturevalue("store_process") if uses_it else None
    yield
    hangs = store.take_hangs() if store else []
    if hangs:
        pytest.fail("\n".join(["the store hung and was started again", *hangs]))


@pytest.fixture(autouse=True)
def _as_described(request):
    """Fail a test in which an answer or event differed from its description."""
    if "app" not in request.fixturenames:
        yield
        return
    extensions = request.getfixturevalue("app").extensions
    watched = extensions["described_answers"], extensions["described_events"]
    for one in watched:
        one.take()
    yield
    faults = [fault for one in watched for fault in one.take()]
    if not request.node.get_closest_marker("undescribed"):
        assert faults == []


@pytest.fixture
def lose_commit_answer(monkeypatch):
    """Simulates the loss of the answer to the next commit: `lose_commit_answer(act)`.

    The commit is stored, `act` is called, and the store reports that it does not know
    the transaction, as after a restart between a commit and its retry. Returns a list
    that is not empty afterwards.
    """

    def lose_next(act=lambda: None):
        labels = {"errorLabels": ["TransientTransactionError"]}
        commit, lost = unit_of_work._commit, []

        def commit_and_fail(session, deadline):
            commit(session, deadline)
            if not lost:
                lost.append(True)
                act()
                raise OperationFailure("no such transaction", 251, labels)

        monkeypatch.setattr(unit_of_work, "_commit", commit_and_fail)
        return lost

    return lose_next


@pytest.fixture
def turns():
    """Counts how often another greenlet has run."""
    count = [0]

    def run():
        while True:
            count[0] += 1
            gevent.sleep(0)

    spawn(run)
    return count


@pytest.fixture
def clock_at(monkeypatch):
    """Stops the clock: `clock_at(seconds)` after the begin of the test; returns that time."""
    begin = clock.now()

    def set_clock(seconds):
        now = begin + timedelta(seconds=seconds)
        monkeypatch.setattr(clock, "now", lambda: now)
        return now

    set_clock(0)
    return set_clock


@pytest.fixture
def at(clock_at, own_history):
    """Stops the clock: `at(days, "08:00")`, days after the next Monday, in the workshop."""
    zone = runtime.current().policy.timezone
    begin = clock.now()
    today = calendar.in_zone(begin, zone).date()
    monday = today + timedelta(days=7 - today.weekday())

    def stop(days, time):
        day = monday + timedelta(days=days)
        local = datetime.fromisoformat(f"{day}T{time}").replace(tzinfo=zone)
        return clock_at((calendar.to_utc(local) - begin).total_seconds())

    return stop


@pytest.fixture
def own_history(app, _empty_collections):
    """Empties the history and the daily figures, which earlier tests have left."""
    app.extensions["realtime"].flush()
    forget_earlier_tests()


@pytest.fixture
def setting(app):
    """Changes settings for one test: `setting(MAX_PAGE_SIZE=5)`."""
    before = dict(app.config)
    yield app.config.update
    app.config.clear()
    app.config.update(before)


@pytest.fixture
def set_policy(app):
    """Changes the policy for one test: `set_policy(delete_policy="cascade")`."""
    runtime_of_app = app.extensions["runtime"]
    before = runtime_of_app.policy

    def change(**values):
        runtime_of_app.policy = replace(before, **values)

    yield change
    runtime_of_app.policy = before


@pytest.fixture
def workshop(app, _empty_collections):
    """Stores records directly, for tests that are about something else."""
    return Workshop()


def _client(role):
    @pytest.fixture(name=role)
    def client(server, workshop):
        worker = workshop.worker_with(role)
        return Api(server, identity.issue(worker.pk), worker)

    return client


admin = _client("admin")
manager = _client("manager")
worker = _client("worker")


@pytest.fixture
def anonymous(server, workshop):
    """A client without a token."""
    return Api(server)


@pytest.fixture
def client_with_keys(server, workshop):
    """Creates a client whose role has just these keys: `client_with_keys("a:view")`."""

    def create(*keys):
        worker = workshop.worker(role=workshop.role(permissions=list(keys)))
        return Api(server, identity.issue(worker.pk), worker)

    return create


@pytest.fixture
def screen():
    """Opens screens: `screen(api, "join_dashboard")`; they are closed afterwards."""
    opened = []

    def open_screen(api, *joins, transports=("websocket",)):
        made = Screen(api, transports)
        opened.append(made)
        return made.join(*joins)

    yield open_screen
    for one in opened:
        one.close()


@pytest.fixture
def scrape(anonymous):
    """Reads the metrics: `scrape().sum("scans_total")`."""
    return lambda: Metrics(anonymous.get("/metrics").text)
