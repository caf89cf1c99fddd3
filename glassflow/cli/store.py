"""The store that a command works on: the running one, or its own for its own time."""

import atexit
import os
from contextlib import ExitStack

from glassflow.core import embedded_store
from glassflow.settings import load_settings

borrowed: list[str] = []


def open_for_command() -> None:
    """Name a store for this process, if it is a `flask` command that has none.

    Called before the application is made. A store that is started here ends with the
    process. Raises `StoreError` when it cannot be started.
    """
    if os.environ.get("FLASK_RUN_FROM_CLI") != "true":
        return
    settings = load_settings()
    if settings["MONGODB_URI"]:
        return
    stack = ExitStack()
    atexit.register(stack.close)
    uri = stack.enter_context(embedded_store.open_store(settings))
    os.environ["MONGODB_URI"] = uri
    borrowed.append(uri)
