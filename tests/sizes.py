"""How large the tests are that repeat something: usual sizes, and those of `make test-long`.

GLASSFLOW_LONG_TESTS=1 in the environment chooses the long ones.
"""

import os

LONG = os.environ.get("GLASSFLOW_LONG_TESTS") == "1"


def size(usual, long):
    """Return the size of this run."""
    return long if LONG else usual
