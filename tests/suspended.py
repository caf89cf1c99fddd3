"""A process that is suspended for the length of a block."""

import os
import signal
from contextlib import contextmanager
from pathlib import Path

from waiting import wait_until


@contextmanager
def suspended(pid):
    """Suspend a process with all its threads while the block runs.

    SIGSTOP is delivered when a thread of the process gets the processor; on a busy
    machine the others run on until then.
    """
    os.kill(pid, signal.SIGSTOP)
    try:
        wait_until(lambda: all(_is_stopped(one) for one in _threads(pid)))
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def _threads(pid):
    return Path(f"/proc/{pid}/task").iterdir()


def _is_stopped(thread):
    # after the name in parentheses, which may itself contain any character
    return (thread / "stat").read_text().rpartition(") ")[2].startswith("T")
