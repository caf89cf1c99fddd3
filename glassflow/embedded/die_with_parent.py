"""Run a program that is terminated when its parent process ends, however that ends.

Used as a script: `python die_with_parent.py PARENT_PID PROGRAM ARGUMENT...`.
PR_SET_PDEATHSIG survives execv, so no wrapper process stays. It is a script, because
code that runs between fork and exec (`preexec_fn`) could wait for a lock for ever.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def dies_with_parent(command: list[str]) -> list[str]:
    """Return the command that runs this one and ends it with the current process.

    Linux sends the signal when the *thread* that started the program ends, so start it
    from the main thread.
    """
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


def main(arguments: list[str]) -> None:
    """Request SIGTERM at the parent's death, then become the program."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    except AttributeError:
        pass  # only Linux has it; elsewhere the program survives a killed parent
    if os.getppid() != int(arguments[0]):
        sys.exit("the parent process ended before the program started")
    os.execv(arguments[1], arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
