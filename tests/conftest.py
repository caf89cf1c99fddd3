"""The stage of the tests: a real store, a real server, and workers who are logged in.

One store and one server a test process; every test begins with an empty workshop that
has only the three system roles and a worker in each.
"""

from gevent import monkey

monkey.patch_all()  # before anything else is imported

import gc

import gevent
import pytest
from pymongo.errors import OperationFailure

from clients import Api
from factories import Workshop
from glassflow import app as application
from glassflow.app import create_app
from glassflow.core import counters, embedded_store, unit_of_work
from glassflow.models import ALL, ensure_indexes
from glassflow.services import identity
from glassflow.settings import load_settings
from server import serve

PATIENCE = {
    (module, name): getattr(module, name)
    for module, name in (
        (unit_of_work, "PATIENCE"),
        (counters, "PATIENCE"),
        (application, "REQUEST_PATIENCE"),
    )
}


def pytest_configure():
    """Let xdist's own thread reach us: gevent gives up waiting with nothing else to do."""
    gevent.spawn(_keep_awake)


def _keep_awake():
    while True:
        gevent.sleep(0.05)


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """The address of a real store on files of its own."""
    running = embedded_store.start(str(tmp_path_factory.mktemp("data")))
    yield running.uri
    running.stop()


@pytest.fixture(scope="session")
def app(store):
    """The application, on the store of this test process.

    It has more patience than a real one, if less than the clients here: what a test
    finds is to depend on the rules, not on what else the machine does.
    """
    for (module, name), seconds in PATIENCE.items():
        setattr(module, name, 4 * seconds)
    made = create_app(load_settings("testing", env={"MONGODB_URI": store}))
    ensure_indexes()
    return made


@pytest.fixture(scope="session")
def server(app):
    """The address of the application served over real HTTP and sockets."""
    url, stop = serve(app)
    yield url
    stop()


@pytest.fixture(scope="module", autouse=True)
def _collected(request):
    """What a module leaves open is its own fault, not that of a later test, by chance."""
    yield
    if request.node.get_closest_marker("slow"):
        gc.collect()


@pytest.fixture(autouse=True)
def _fresh(request):
    """Empty the workshop before each test that uses the store."""
    if "app" in request.fixturenames:
        request.getfixturevalue("app")
        for model in ALL:
            model._get_collection().delete_many({})


@pytest.fixture
def usual_patience(app, monkeypatch):
    """The patience that a real service has, for tests of what comes after it."""
    for (module, name), seconds in PATIENCE.items():
        monkeypatch.setattr(module, name, seconds)


@pytest.fixture
def lose_an_answer(monkeypatch):
    """Lets the answer to the next commit get lost: `lose_an_answer(meanwhile)`.

    The store then asks for the whole once again, as one does that was started anew
    between a commit and its repetition. Gives a list that is not empty afterwards.
    """

    def begin(meanwhile=lambda: None):
        labels = {"errorLabels": ["TransientTransactionError"]}
        commit, lost = unit_of_work._commit, []

        def lose(session, deadline):
            commit(session, deadline)
            if not lost:
                lost.append(True)
                meanwhile()
                raise OperationFailure("no such transaction", 251, labels)

        monkeypatch.setattr(unit_of_work, "_commit", lose)
        return lost

    return begin


@pytest.fixture
def setting(app):
    """Change settings for one test: `setting(MAX_PAGE_SIZE=5)`."""
    before = dict(app.config)
    yield app.config.update
    app.config.clear()
    app.config.update(before)


@pytest.fixture
def workshop(app, _fresh):
    """Makes records straight in the store, for tests that are about something else."""
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
def nobody(server, workshop):
    """A client without a token."""
    return Api(server)


@pytest.fixture
def holder(server, workshop):
    """Makes a client whose role has just these keys: `holder("orders:view")`."""

    def make(*keys):
        found = workshop.worker(role=workshop.role(permissions=list(keys)))
        return Api(server, identity.issue(found.pk), found)

    return make
