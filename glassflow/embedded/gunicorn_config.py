"""gunicorn's configuration below the parent process, with the embedded store.

It is `config/gunicorn.py` and two hooks more. gunicorn executes this file at every
reload, and so does `importlib.reload` with the other one.
"""

import importlib
from typing import Any

from config import gunicorn as plain
from config import gunicorn_hooks

globals().update(vars(importlib.reload(plain)))


def on_starting(server: Any) -> None:
    """Check nothing: the parent process has checked, and started the store."""
    gunicorn_hooks.begin(plain.settings, server)


def post_fork(server: Any, worker: Any) -> None:
    """Record in a new worker whether it is the only one."""
    worker.alone = not server.WORKERS


def post_worker_init(worker: Any) -> None:
    """Check the data at the start; end what a killed worker has left open later on."""
    if worker.age <= plain.workers:
        # imported here, as below
        from glassflow.embedded.data_check import exit_if_unusable

        exit_if_unusable()
    if worker.alone or worker.age > plain.workers:
        # imported here: the master must not import the driver
        from glassflow.embedded.orphans import end_orphaned_transactions

        end_orphaned_transactions(alone=worker.alone)
