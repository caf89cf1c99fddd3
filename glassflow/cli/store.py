"""The store that a `flask` command uses where MONGODB_URI is not set."""

import atexit
import os
from typing import Any

from glassflow.settings import load_settings

_embedded_uri = ""
_own: Any = None


def embedded_uri() -> str:
    """Return the URI of the embedded store that this command uses; "" if it does not."""
    return _embedded_uri


def own() -> Any:
    """Return the `OwnStore` that this command has started, which no service uses.

    None if it uses another one.
    """
    return _own


def open_for_command() -> None:
    """Set MONGODB_URI for a `flask` command: the running store, or a new one.

    Called before the application is created. A store that is started here stops when
    the process ends. Raises `StoreError` when it cannot be started.
    """
    global _embedded_uri, _own
    settings = load_settings()
    if settings["MONGODB_URI"]:
        return
    # imported here: where MONGODB_URI is set nothing of the embedded store is loaded
    from glassflow.embedded.own_store import OwnStore
    from glassflow.embedded.store import find

    found = find(settings["DATA_DIR"])
    if found is None:
        _own = OwnStore(settings["DATA_DIR"])
        atexit.register(_own.stop)
        found = _own.uri
    _embedded_uri = os.environ["MONGODB_URI"] = found
