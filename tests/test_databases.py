"""The tests run on the MongoDB that TEST_MONGODB_URI names, and leave nothing there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pymongo import MongoClient

ROOT = Path(__file__).resolve().parents[1]
#: One file that needs a store, and one that needs the embedded store.
FILES = ("tests/core/store/test_counters.py", "tests/realtime/test_hung_store.py")


def run_tests(uri):
    """Run `FILES` on a MongoDB; return the finished process."""
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, *FILES],
        cwd=ROOT,
        env=os.environ | {"TEST_MONGODB_URI": uri},
        capture_output=True,
        text=True,
    )


def databases_of_tests(client):
    """The names of the databases that tests have made on a store."""
    names = client.list_database_names()
    return [name for name in names if name.startswith("glassflow_test")]


@pytest.mark.long
def test_tests_run_on_the_named_mongodb_and_drop_their_databases(store):
    with MongoClient(store) as client:
        before = databases_of_tests(client)
        done = run_tests(store)
        assert databases_of_tests(client) == before
    assert done.returncode == 0, done.stdout
    passed, skipped = done.stdout.rpartition("\n")[0].splitlines()[-1].split(",")[:2]
    assert "passed" in passed
    assert "skipped" in skipped
    assert "embedded_store: TEST_MONGODB_URI is set" in done.stdout


@pytest.mark.slow
def test_an_unusable_mongodb_ends_the_run_with_one_sentence():
    done = run_tests("mongo://x")
    assert done.returncode == 2
    assert "TEST_MONGODB_URI: MONGODB_URI makes no sense to the driver" in done.stdout
