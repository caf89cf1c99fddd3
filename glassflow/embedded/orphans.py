"""Transactions and locks that a killed worker left open in the embedded store."""

import logging

from mongoengine.connection import get_connection
from pymongo.errors import PyMongoError

from glassflow.core.store import reference_locks

log = logging.getLogger(__name__)


def end_orphaned_transactions(*, alone: bool) -> None:
    """End all open transactions; with `alone`, release all reference locks too.

    For a worker process that starts. Without it, an orphaned transaction would lock its
    documents until the store's own limit, a minute. Transactions of other live workers
    are aborted too, and their units of work retry. Reference locks of live workers must
    stay, so they are released only when no other worker runs.
    """
    client = get_connection()
    try:
        client.admin.command("killAllSessions", [])
        if alone:
            reference_locks.clear_all()
    except PyMongoError as error:
        log.warning("could not end orphaned transactions: %s", error)
