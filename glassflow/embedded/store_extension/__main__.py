"""The program of the embedded store: SecantusDB, extended if it is the known version.

SPDX-License-Identifier: GPL-2.0-only

Takes the arguments of `secantusd-py`, and with `--auth` the password of its only user in
the variable `GLASSFLOW_STORE_PASSWORD` (`embedded/process.py`). Prints the stacks of all threads on SIGUSR1, so
that the log tells where a store hung (`embedded/process.py`).
"""

import faulthandler
import gc
import os
import signal
import sys
from importlib.metadata import version

#: The version that the extension replaces methods of.
EXTENDED_VERSION = "0.7.0b3"
#: Objects that are made before the youngest are searched for garbage. A read of some
#: thousand documents took three times as long with Python's 700: nearly all that it makes
#: is in use until its end, and was searched again and again.
GC_THRESHOLD = 100_000


def main() -> int:
    """Install the extension and run SecantusDB; return its exit code."""
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    found = version("SecantusDB")
    if found == EXTENDED_VERSION:
        # imported here: other versions may lack what these modules replace
        from glassflow.embedded.store_extension import parts

        parts.install()
    else:
        print(
            f"The extension of the store is for SecantusDB {EXTENDED_VERSION} and is "
            f"not loaded: this is {found}.",
            file=sys.stderr,
            flush=True,
        )
    from secantus import cli

    from glassflow.embedded.store_extension import users

    if password := os.environ.pop("GLASSFLOW_STORE_PASSWORD", ""):
        users.install(password)

    gc.set_threshold(GC_THRESHOLD, *gc.get_threshold()[1:])
    gc.freeze()  # what is loaded stays to the end
    return int(cli.main() or 0)


if __name__ == "__main__":
    sys.exit(main())
