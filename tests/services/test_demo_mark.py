"""The demo workshop is added to a store without work only, and never a second time."""

import pytest

from clients import Api
from factories import PASSWORD
from glassflow.demo_store import work as demo_work
from glassflow.models import BY_NAME
from glassflow.services import seeding

DEMO_WORKERS = {"admin", "manager", "somchai", "malee", "anan", "kanya"}
OWN_WORKER = ("create-worker", "--username=ann", f"--password={PASSWORD}", "--name=Ann")

pytestmark = pytest.mark.slow


@pytest.fixture
def flask(app, monkeypatch):
    """Run a command with the setting `DEMO`: `flask("prepare", demo=0)` gives its output."""

    def run(*arguments, demo=1, exit_code=0):
        monkeypatch.setitem(app.config, "DEMO", bool(demo))
        done = app.test_cli_runner().invoke(args=list(arguments))
        assert done.exit_code == exit_code, (done.output, done.exception)
        return done.output

    return run


@pytest.fixture(autouse=True)
def worked(monkeypatch):
    """Counts how often the two weeks of work were done, which would take long."""
    done = []
    monkeypatch.setattr(demo_work, "work", lambda: done.append(True) or True)
    return done


def usernames():
    return {row["username"] for row in BY_NAME["Worker"].collection().find()}


def count(name):
    return BY_NAME[name].collection().count_documents({})


def login(server, username, password):
    body = {"username": username, "password": password}
    return Api(server).post("/api/auth/login", body)


def killed_after(step, flask, monkeypatch):
    """Start with a demo, and die in the step after the named one of `seeding`."""
    with monkeypatch.context() as killed:
        killed.setattr(seeding, step, lambda: 1 / 0)
        assert "added" in flask("prepare", exit_code=1)


def test_workshop_that_began_without_a_demo_never_gets_one(flask, server, worked):
    assert "log in as admin / " in flask("prepare", demo=0)
    flask(*OWN_WORKER, "--role=admin")
    ann = Api(server, login(server, "ann", PASSWORD).data["token"])
    assert ann.post("/api/customers", {"name": "First customer"}).status == 201
    output = flask("prepare", demo=1)
    assert usernames() == {"admin", "ann"}
    assert (count("Customer"), count("Station"), worked) == (1, 0, [])
    assert "manager1234" not in output
    assert login(server, "manager", "manager1234").status == 401
    refused = flask("demo", "clear", "--yes", exit_code=1)
    assert "not begun as a demo workshop" in refused
    assert count("Customer") == 1


@pytest.mark.parametrize("made", ["worker", "customer", "template"])
def test_no_demo_beside_a_single_record_that_no_start_made(flask, workshop, made):
    flask("seed", "templates")
    getattr(workshop, made)()
    flask("prepare")
    assert not usernames() & DEMO_WORKERS
    assert (count("Material"), count("Station")) == (0, 0)


def test_demo_is_added_beside_the_roles_and_templates_of_a_killed_start(flask, worked):
    flask("seed", "templates")
    output = flask("prepare")
    assert "manager / manager1234" in output
    assert usernames() == DEMO_WORKERS
    assert (count("Station"), worked) == (8, [True])


@pytest.mark.parametrize("step", ["seed_demo", "seed_pricing"])
def test_start_that_is_killed_is_finished_by_the_next_one(
    flask, monkeypatch, worked, step
):
    killed_after(step, flask, monkeypatch)
    flask("prepare")
    assert usernames() == DEMO_WORKERS
    assert (count("Station"), count("Customer"), count("Inventory")) == (8, 15, 32)
    assert worked == [True]
    flask("prepare")
    assert worked == [True]


@pytest.mark.parametrize("between", ["another worker", "a start without a demo"])
def test_killed_start_is_not_finished_beside_work(flask, monkeypatch, worked, between):
    killed_after("seed_demo", flask, monkeypatch)
    if between == "another worker":
        flask(*OWN_WORKER, "--role=worker")
    else:
        flask("prepare", demo=0)
    flask("prepare")
    assert (count("Station"), count("Customer"), worked) == (0, 0, [])


def test_deleted_demo_worker_does_not_return_and_demo_with_work_is_not_cleared(
    flask, server
):
    flask("prepare")
    admin = Api(server, login(server, "admin", "admin1234").data["token"])
    (manager,) = admin.get("/api/workers?username=manager").data
    assert admin.delete(f"/api/workers/{manager['_id']}").status == 200
    output = flask("prepare")
    assert usernames() == DEMO_WORKERS - {"manager"}
    assert "demo workshop with published passwords" in output
    # nothing but the demo; the process of the tests itself is a running service
    running = flask("demo", "clear", "--yes", exit_code=1)
    assert "uses this store: stop it first" in running
    assert "Aborted" in flask("demo", "clear", exit_code=1)
    assert admin.post("/api/customers", {"name": "Real customer"}).status == 201
    (demo_customer,) = admin.get("/api/customers?sort=createdAt&limit=1").data
    path = f"/api/customers/{demo_customer['_id']}"
    assert admin.patch(path, {"name": "Another real one"}).status == 200
    refused = flask("demo", "clear", "--yes", exit_code=1)
    assert "added or changed (customers 2)" in refused
    asked = flask("demo", "clear", "--all", exit_code=1)
    assert "customers 16" in asked
    assert count("Customer") == 16
