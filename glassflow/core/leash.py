"""Run a program that ends when the process that started it ends, however that ends.

Used as a script: `python leash.py PARENT_PID PROGRAM ARGUMENT...`. The wish to be told
of the parent's death survives the exec, so nothing of this file stays in memory. A
script of its own, because what runs between fork and exec must not share our locks.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def on_leash(command: list[str]) -> list[str]:
    """Give the command that runs this one on a leash of the present process."""
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


def main(arguments: list[str]) -> None:
    """Ask for SIGTERM at the parent's death, then become the program."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    except AttributeError:
        pass  # only Linux has it; elsewhere a killed parent leaves the program behind
    if os.getppid() != int(arguments[0]):
        sys.exit("the parent ended before the program began")
    os.execv(arguments[1], arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
