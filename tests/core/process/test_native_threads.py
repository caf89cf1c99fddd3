"""Functions on native threads: their errors reach the caller, and only the caller."""

from functools import partial
from pathlib import Path

import pytest
from gevent.lock import BoundedSemaphore

import glassflow
from glassflow.core.process import native_threads

PACKAGE = Path(glassflow.__file__).parent
RUNS = {
    "run": native_threads.run,
    "run_in_turn": partial(native_threads.run_in_turn, BoundedSemaphore(1), 1),
    "run_apart": native_threads.run_apart,
}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_error_of_a_function_is_raised_to_its_caller_and_not_printed(run, capfd):
    with pytest.raises(ValueError, match="invalid literal"):
        run(int, "no number")
    assert run(int, "12") == 12
    assert capfd.readouterr().err == ""


def test_no_other_module_uses_the_pools_of_gevent():
    """They print the traceback of an error that leaves a thread."""
    users = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if "threadpool" in path.read_text("utf-8")
    }
    assert users == {"core/process/native_threads.py"}
