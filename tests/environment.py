"""The environment of the tests, and of all programs that they start.

`prepare()` removes every variable that is not in `ALLOWED` from the environment of the test
process, before anything is imported that reads it. So the programs that tests start get
these variables and what the test names, wherever the tests run.

It also sets `RUN` to this run of the tests. Each program that a test starts inherits it,
and so do the programs that that one starts. Where a run was killed, the next one ends the
programs that still run: `end_leftovers()`.
"""

import contextlib
import os
import signal
from pathlib import Path

#: The run that a program belongs to: the id of its first process, and when that started.
RUN = "GLASSFLOW_TEST_RUN"
ALLOWED = frozenset(
    {
        # how to find and start programs
        "PATH",
        "LD_LIBRARY_PATH",
        "VIRTUAL_ENV",
        "PYTHONDONTWRITEBYTECODE",
        # the user, temporary files, and the terminal
        "HOME",
        "USER",
        "LOGNAME",
        "TMPDIR",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "TERM",
        "COLUMNS",
        "NO_COLOR",
        "FORCE_COLOR",
        # what the Makefile, `.ci/run` and docs/testing.md set
        "FUZZ_EXAMPLES",
        "GLASSFLOW_DAYS",
        "GLASSFLOW_LONG_TESTS",
        "GLASSFLOW_RECORD_EXAMPLES",
        "GLASSFLOW_RECORD_PICTURES",
        "GLASSFLOW_REQUIRE_OPTIONAL_TOOLS",
        "KILLS_SEED",
        "TEST_MONGODB_URI",
        RUN,
    }
)
ALLOWED_PREFIXES = ("PYTEST_", "COV_", "COVERAGE_")
PROCESSES = Path("/proc")


def prepare():
    """Remove the variables that are not allowed, name this run, and let Ctrl-C end it.

    A shell script starts programs in the background so that they ignore SIGINT, and they
    pass that on to the programs that they start.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in set(os.environ) - ALLOWED:
        if not name.startswith(ALLOWED_PREFIXES):
            del os.environ[name]
    if not is_running(os.environ.get(RUN, "")):
        os.environ[RUN] = f"{os.getpid()}-{_start_time(os.getpid())}"


def end_leftovers():
    """Kill the programs of runs that have ended; return their process ids.

    Does nothing on systems without /proc.
    """
    killed = []
    for folder in PROCESSES.glob("[0-9]*"):
        pid, run = int(folder.name), _run_of(folder)
        if run and pid != os.getpid() and not is_running(run):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
    return killed


def is_running(run):
    """Return whether the first process of a run is still running."""
    pid, _, started = run.partition("-")
    return bool(started) and started == _start_time(pid)


def _run_of(folder):
    """Return the run that a process belongs to, or None."""
    try:
        variables = (folder / "environ").read_bytes().split(b"\0")
    except OSError:  # it has ended, or belongs to another user
        return None
    name = f"{RUN}=".encode()
    return next(
        (one[len(name) :].decode() for one in variables if one.startswith(name)), None
    )


def _start_time(pid):
    """Return when a process started, in ticks since the machine did, or "" if it has ended.

    An id alone is not enough: a later process can have the same one.
    """
    try:
        fields = (PROCESSES / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    state, started = fields[0], fields[19]  # fields 3 and 22 of proc(5)
    return "" if state in "ZX" else started
