"""Programs that tests start get a known environment, and end with the run of the tests."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import environment
from waiting import wait_until

TESTS = Path(__file__).parent
#: A run of tests in whose process `sleep` is started: it prints the id of `sleep`.
RUN_OF_TESTS = """
import environment, subprocess
environment.prepare()
print(subprocess.Popen(["sleep", "600"]).pid, flush=True)
input()
"""


@pytest.fixture
def run_of_tests():
    """Another run of tests; its process and the id of the program that it started."""
    with subprocess.Popen(
        [sys.executable, "-c", RUN_OF_TESTS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(TESTS), environment.RUN: ""},
    ) as run:
        program = int(run.stdout.readline())
        yield run, program
        run.kill()
    environment.end_leftovers()


def test_tests_run_without_the_variables_of_whoever_starts_them():
    script = "import environment, os; environment.prepare(); print(*sorted(os.environ))"
    given = {"JWT_SECRET": "x", "WORKERS": "9", "TEST_MONGODB_URI": "mongodb://x"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | given | {"PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        check=True,
    )
    left = set(done.stdout.split())
    assert {"PATH", "TEST_MONGODB_URI", environment.RUN} <= left
    assert not left & {"JWT_SECRET", "WORKERS", "PYTHONPATH"}


def test_programs_end_with_sigint_in_a_run_that_was_started_in_the_background():
    script = (
        "import environment, subprocess, sys; environment.prepare();"
        "print(subprocess.call([sys.executable, '-c',"
        " 'import os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(60)'],"
        " stderr=subprocess.DEVNULL))"
    )
    in_background = f"trap '' INT; exec {sys.executable} -c \"$0\""
    done = subprocess.run(
        ["sh", "-c", in_background, script],
        env=os.environ | {"PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) == -signal.SIGINT


def test_programs_of_a_killed_run_are_ended_at_the_next_start(run_of_tests):
    run, program = run_of_tests
    assert program not in environment.end_leftovers()  # its run still goes on
    assert _is_running(program)
    run.kill()
    run.wait()
    assert program in environment.end_leftovers()
    wait_until(lambda: not _is_running(program))


def test_later_process_with_the_same_id_is_not_taken_for_the_run(run_of_tests):
    run, _ = run_of_tests
    mine = os.environ[environment.RUN]
    pid, _, started = mine.partition("-")
    assert environment.is_running(mine)
    assert not environment.is_running(f"{pid}-{int(started) - 1}")
    run.kill()
    run.wait()
    assert not environment.is_running(f"{run.pid}-{started}")
    assert not environment.is_running("")


def _is_running(pid):
    """Return whether a process runs; one that has ended and was not waited for does not."""
    return bool(environment._start_time(pid))
