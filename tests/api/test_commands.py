"""The `flask` commands: clear output, and a second run that changes nothing."""

import re

import pytest

from glassflow.cli.docs import DOCS, permission_page
from glassflow.cli.doctor import masked


@pytest.fixture
def flask(app):
    """Run a command: `flask("seed", "roles")` gives its result."""
    return lambda *args: app.test_cli_runner().invoke(args=list(args))


def worker_command(**changes):
    given = {"username": "nida", "password": "secret1", "name": "Nida", "role": "admin"}
    options = [(f"--{name}", value) for name, value in (given | changes).items()]
    return ["create-worker", *(word for option in options for word in option)]


def test_seeding_says_how_many_were_added_and_how_many_were_there(flask):
    assert flask("seed", "roles").output == "roles: 3 added, 0 already there\n"
    assert flask("seed", "roles").output == "roles: 0 added, 3 already there\n"


@pytest.mark.slow
def test_seeding_all_twice_adds_once(flask):
    first, second = flask("seed", "all"), flask("seed", "all")
    assert first.exit_code == second.exit_code == 0
    assert "customers: 15 added, 0 already there" in first.output
    assert "admin / admin1234" in first.output
    assert set(re.findall(r"(\d+) added", second.output)) == {"0"}
    assert "admin1234" not in second.output


def test_creating_a_worker_twice_says_so(flask):
    assert flask(*worker_command()).output == "worker nida added, with the role admin\n"
    again = flask(*worker_command())
    assert again.exit_code == 0
    assert again.output == "worker nida is there already; nothing is changed\n"


@pytest.mark.parametrize("fault", [{"password": "12345"}, {"role": "chief"}])
def test_creating_a_worker_with_a_fault_is_one_sentence(flask, fault):
    result = flask(*worker_command(**fault))
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert "Traceback" not in result.output


def test_an_admin_gets_a_password_that_is_shown_once(flask):
    result = flask("seed", "admin")
    assert re.search(r"log in as admin / \S{12,}", result.output)
    assert flask("seed", "admin").output == "admin: 0 added, 1 already there\n"


def test_indexes_are_made_once(flask):
    flask("indexes")
    assert flask("indexes").output.startswith("indexes: 0 added, ")


def test_the_doctor_is_content_with_a_seeded_store(flask):
    flask("seed", "admin")
    result = flask("doctor")
    assert result.exit_code == 0, result.output
    for row in ("store", "transactions", "indexes", "queue", "profile"):
        assert re.search(rf"^ok +{row} ", result.output, re.MULTILINE)
    assert "SecantusDB" in result.output


def test_the_doctor_fails_when_nobody_can_log_in(flask):
    result = flask("doctor")
    assert result.exit_code == 1
    assert re.search(r"^WRONG +admin ", result.output, re.MULTILINE)


def test_the_doctor_fails_when_the_queue_does_not_answer(flask, setting):
    flask("seed", "admin")
    setting(REDIS_URL="redis://:hush@127.0.0.1:1/0")
    result = flask("doctor")
    assert result.exit_code == 1
    assert re.search(r"^WRONG +queue ", result.output, re.MULTILINE)
    assert "hush" not in result.output


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("JWT_SECRET", "hush", "***"),
        ("MONGODB_URI", "mongodb://me:hush@a,b/x?y=hush", "mongodb://***@a,b/x"),
        ("REDIS_URL", "redis://localhost:6379", "redis://localhost:6379"),
        ("PORT", "8000", "8000"),
    ],
)
def test_secrets_are_never_shown(name, value, shown):
    assert masked(name, value) == shown


def test_the_page_of_permissions_is_the_one_that_the_code_prints(app):
    """If this fails: `flask docs` prints it anew."""
    assert (DOCS / "permissions.md").read_text("utf-8") == permission_page(app)
