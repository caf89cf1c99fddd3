"""The time limits add up: a client gets its answer in time."""

import ast
from pathlib import Path

import glassflow
from glassflow.core.process import deadlines


def limits():
    """The values as they are written, which the fixture `app` multiplies in tests."""
    source = deadlines.__spec__.loader.get_source(deadlines.__name__)
    values = {}
    exec(compile(source, deadlines.__file__, "exec"), values)
    return values


def test_a_request_ends_before_the_client_gives_up():
    limit = limits()
    names = ("GATE_TIMEOUT_S", "REQUEST_TIMEOUT_S", "ABORT_GRACE_S")
    spent = sum(limit[name] for name in names)
    spent += limit["LOCK_RELEASE_TIMEOUT_S"]  # after a deletion
    assert spent < limit["ANSWER_TIMEOUT_S"]
    assert limit["STORE_SELECTION_TIMEOUT_MS"] <= limit["REQUEST_TIMEOUT_S"] * 1000


def test_a_lost_race_is_known_before_the_request_times_out():
    limit = limits()
    assert limit["UNIT_OF_WORK_TIMEOUT_S"] < limit["REQUEST_TIMEOUT_S"]
    assert 0 < limit["LAST_ATTEMPT_S"] < limit["UNIT_OF_WORK_TIMEOUT_S"]


def test_the_lock_of_a_deletion_outlives_the_deletion():
    limit = limits()
    assert limit["LOCK_TTL_S"] >= 2 * limit["REQUEST_TIMEOUT_S"]


def test_every_time_limit_names_its_unit():
    names = [name for name in limits() if name.isupper()]
    assert names
    assert all(name.endswith(("_S", "_MS")) for name in names)


def limits_given_to_the_driver():
    """The names and numbers in the arguments of `pymongo.timeout`, with their file."""
    package = Path(glassflow.__file__).parent
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and ast.unparse(node.func) == "pymongo.timeout"
            ):
                yield path.relative_to(package), node.args[0]


def test_every_limit_that_the_driver_is_given_is_one_of_these():
    given = list(limits_given_to_the_driver())
    names = {ast.unparse(node) for _, node in given}
    assert "deadlines.REQUEST_TIMEOUT_S" in names  # the search finds them
    constants = [
        f"{path}: {ast.unparse(node)}"
        for path, node in given
        if isinstance(node, ast.Constant)
        or (isinstance(node, ast.Name) and node.id.isupper())
        or (
            isinstance(node, ast.Attribute)
            and node.attr.isupper()
            and ast.unparse(node) not in {f"deadlines.{name}" for name in limits()}
        )
    ]
    assert constants == []
