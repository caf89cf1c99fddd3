"""Runs of pytest with `--second-chance`, over small test files, with two workers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parent
OPTIONS = "-n 2 --max-worker-restart 1 -p no:randomly --second-chance"
#: No plugins that these runs do not need: each of their processes would load them.
LIGHT = "-p no:schemathesis -p no:anyio -p no:hypothesispytest -p no:pytest_cov"
CONFTEST = """
import second_chance

def pytest_addoption(parser):
    second_chance.add_option(parser)

def pytest_configure(config):
    second_chance.register(config)
"""
#: `first()` is true in the first run of a test, and false in the second one.
HEADER = """
import os, time
from pathlib import Path
import pytest

def first(name):
    marker = Path(__file__).with_name(name + ".ran")
    if marker.exists():
        return False
    marker.touch()
    return True

def test_fine():
    pass
"""
FAILS_ONCE = """
def test_once():
    print("printed by", "the test")
    assert not first("once"), "not yet"
"""
FAILS_ALWAYS = """
def test_always():
    assert 1 == 2
"""
#: Tests that fail the first time, each in its own way.
ONCE = {
    "in the test": FAILS_ONCE,
    "in a fixture": """
@pytest.fixture
def weak():
    assert not first("setup"), "not yet"

def test_once(weak):
    pass
""",
    "after the test": """
@pytest.fixture
def weak():
    yield
    assert not first("teardown"), "not yet"

def test_once(weak):
    pass
""",
    "by a crash of its worker": """
def test_once():
    if first("crash"):
        os._exit(3)
""",
    "by a timeout": """
@pytest.mark.timeout(1)
def test_once():
    if first("timeout"):
        time.sleep(30)
""",
}


@pytest.fixture
def run_tests(tmp_path):
    """Runs tests in a process: `run_tests(source)`; returns its exit code and output."""

    def run(source, *options):
        (tmp_path / "conftest.py").write_text(CONFTEST)
        (tmp_path / "pytest.ini").write_text(f"[pytest]\naddopts = {LIGHT}\n")
        (tmp_path / "test_it.py").write_text(HEADER + source)
        given = {key: text for key, text in os.environ.items() if key[:7] != "PYTEST_"}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *OPTIONS.split(), *options],
            cwd=tmp_path,
            env=given | {"PYTHONPATH": str(TESTS)},
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout

    return run


@pytest.mark.parametrize("source", ONCE.values(), ids=ONCE)
def test_run_passes_if_the_failed_test_passes_alone(run_tests, source):
    code, output = run_tests(source)
    assert code == 0, output
    flaky = [line for line in output.splitlines() if line.startswith("flaky: ")]
    assert len(flaky) == 1, output
    assert flaky[0].startswith("flaky: test_it.py::test_once: ")
    last = output.rstrip().splitlines()[-1]
    assert " passed" in last, output
    assert " flaky" in last, output
    assert " failed" not in last, output


def test_reason_and_output_of_the_first_failure_are_told(run_tests):
    _, output = run_tests(FAILS_ONCE)
    assert "printed by the test" in output
    assert "flaky: test_it.py::test_once: AssertionError: not yet" in output
    assert ">       assert not first(" in output  # the source of the failed test


def test_run_fails_if_a_test_fails_twice(run_tests):
    code, output = run_tests(FAILS_ALWAYS + FAILS_ONCE)
    assert code == 1, output
    assert "flaky: test_it.py::test_once: " in output
    assert "failed again, alone: test_it.py::test_always" in output
    assert "1 failed" in output.rstrip().splitlines()[-1]


def test_test_that_is_skipped_the_second_time_has_not_passed(run_tests):
    code, output = run_tests("""
def test_once():
    if not first("skip"):
        pytest.skip()
    assert False
""")
    assert code == 1, output
    assert "flaky" not in output


def test_four_failures_are_a_failure_and_nothing_is_repeated(run_tests):
    code, output = run_tests("""
@pytest.mark.parametrize("name", "abcd")
def test_once(name):
    assert not first(name)
""")
    assert code == 1, output
    assert "4 failed, 1 passed" in output.rstrip().splitlines()[-1]
    assert "second chance" not in output


def test_three_failures_are_repeated(run_tests):
    code, output = run_tests("""
@pytest.mark.parametrize("name", "abc")
def test_once(name):
    assert not first(name)
""")
    assert code == 0, output
    assert "1 passed, 3 flaky" in output.rstrip().splitlines()[-1]


def test_error_of_the_collection_fails_the_run(run_tests):
    code, output = run_tests("import nothing_of_this_name")
    assert code not in (0, pytest.ExitCode.NO_TESTS_COLLECTED), output
    assert "second chance" not in output


def test_run_without_tests_fails(run_tests):
    code, output = run_tests("", "-k", "nothing_of_this_name")
    assert code == pytest.ExitCode.NO_TESTS_COLLECTED, output
