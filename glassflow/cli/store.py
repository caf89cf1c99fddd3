"""The store that a `flask` command uses where MONGODB_URI is not set."""

import atexit
import os
from contextlib import ExitStack

from glassflow.settings import load_settings

_embedded_uri = ""
_is_own = False


def embedded_uri() -> str:
    """Return the URI of the embedded store that this command uses; "" if it does not."""
    return _embedded_uri


def is_own() -> bool:
    """Return whether this command has started the store, so that no service uses it."""
    return _is_own


def open_for_command() -> None:
    """Set MONGODB_URI for a `flask` command: the running store, or a new one.

    Called before the application is created. A store that is started here stops when
    the process ends. Raises `StoreError` when it cannot be started.
    """
    global _embedded_uri, _is_own
    settings = load_settings()
    if settings["MONGODB_URI"]:
        return
    # imported here: where MONGODB_URI is set nothing of the embedded store is loaded
    from glassflow.embedded.store import is_owner, open_store

    stack = ExitStack()
    atexit.register(stack.close)
    _embedded_uri = stack.enter_context(open_store(settings))
    _is_own = is_owner(settings["DATA_DIR"])
    os.environ["MONGODB_URI"] = _embedded_uri
