"""Which processes of the service run on a store, from their start to their end.

Each has a lease of its own, which it renews whether anybody uses it or not. A restore,
which must not replace the data below a running service, asks for them.
"""

from mongoengine.connection import get_db

from glassflow.core.process import clock
from glassflow.core.store import lease
from glassflow.core.store.connection import StoreCollection

PREFIX = "service "  # of their ids among the leases


def register(owner: str) -> None:
    """Store, or renew, that a process runs. Raises `PyMongoError`."""
    until = clock.now() + lease.DURATION
    values = {"$set": {"owner": owner, "until": until}}
    _leases().update_one({"_id": PREFIX + owner}, values, upsert=True)


def remove(owner: str) -> None:
    """Store that a process has ended. Raises `PyMongoError`."""
    _leases().delete_one({"_id": PREFIX + owner})


def running() -> list[str]:
    """Return the owners of the processes that run; those that have gone are removed.

    One that was killed counts for up to a minute, unless it was of this machine.
    """
    found = []
    for row in _leases().find({"_id": {"$regex": f"^{PREFIX}"}}):
        if lease.has_ended(row, lease.DURATION):
            remove(row["owner"])
        else:
            found.append(row["owner"])
    return found


def _leases() -> StoreCollection:
    return get_db()[lease.COLLECTION]
