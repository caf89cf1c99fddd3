"""Reads that see the whole store as it is at one moment, while others write."""

from collections.abc import Iterator
from contextlib import contextmanager

from mongoengine.connection import get_connection
from pymongo.read_concern import ReadConcern

from glassflow.core.store import transactions
from glassflow.core.store.connection import is_embedded

SNAPSHOT = ReadConcern("snapshot")


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all `find` and `aggregate` of the block see the same moment.

    On MongoDB in a session for snapshot reads, which lasts for five minutes; a transaction
    lasts for one. The embedded store ignores the option of such sessions and returns torn
    data (measured), but its transactions do not. Nothing is written, so no process waits.
    """
    client = get_connection()
    if is_embedded():
        with transactions.open_transaction(read_concern=SNAPSHOT) as session:
            yield
            session.commit_transaction()
        return
    with client.start_session(snapshot=True) as session, session.bind():
        yield
