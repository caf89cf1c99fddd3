"""Leases: what one process at a time does, by a document of the store.

A lease keeps work from being done twice at once; it makes nothing correct. After a long
pause of its holder, or with clocks that differ, two processes may hold it, so whatever is
done under one must stay right when it is repeated or done twice at once.
"""

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

from mongoengine.connection import get_db
from pymongo.errors import DuplicateKeyError, PyMongoError

from glassflow.core.process import clock, deadlines, time_limit
from glassflow.core.store.connection import StoreCollection

COLLECTION = "leases"
DURATION = timedelta(seconds=60)
RENEW_INTERVAL_S = DURATION.total_seconds() / 4
POLL_INTERVAL_S = 0.2


def new_owner() -> str:
    """Return a name for a holder of leases in this process; not before a fork."""
    return f"{socket.gethostname()}/{os.getpid()}/{os.urandom(4).hex()}"


def is_dead(owner: str) -> bool:
    """Return whether an owner was a process of this machine that no longer exists.

    Then nobody has to wait for the end of its lease. Where the process ids of two
    containers are mistaken for each other, the lease merely changes hands.
    """
    host, _, rest = owner.rpartition("/")[0].rpartition("/")
    if host != socket.gethostname() or not rest.isdigit():
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    return False


def has_ended(row: Mapping[str, Any], duration: timedelta) -> bool:
    """Return whether a lease of this duration is over, by its time or its holder's death."""
    now = clock.now()
    # An end in the far future comes from a wrong clock.
    held = now < row["until"] <= now + 2 * duration
    return not held or is_dead(row["owner"])


def store(
    collection: Any, row: Mapping[str, Any] | None, changed: Mapping[str, Any]
) -> bool:
    """Store a lease, `_id` included, unless another process has changed it since `row`."""
    if row is None:
        try:
            collection.insert_one(dict(changed))
        except DuplicateKeyError:
            return False
        return True
    unchanged = {"_id": row["_id"], "owner": row["owner"], "until": row["until"]}
    values = {name: value for name, value in changed.items() if name != "_id"}
    return bool(collection.update_one(unchanged, {"$set": values}).matched_count)


@contextmanager
def held(name: str, *, on_wait: Callable[[str], None]) -> Iterator[None]:
    """Hold the lease of this name inside the block; wait for it as long as it takes.

    `on_wait` is called once, with the owner, if another process holds it. A thread renews
    it while the block runs. Raises `PyMongoError` when the store is away.
    """
    mine = {"_id": name, "owner": new_owner()}
    _wait_for(name, mine["owner"], on_wait)
    # of the database that is in use now: the block may use another one (a restore does)
    leases, done = _leases(), threading.Event()
    renewing = threading.Thread(target=_renew, args=(leases, mine, done), daemon=True)
    renewing.start()
    try:
        yield
    finally:
        done.set()
        renewing.join()
        seconds = deadlines.AFTER_EFFECT_TIMEOUT_S  # the caller's limit may have ended
        with suppress(PyMongoError), time_limit.extended(seconds):
            leases.delete_one(mine)


def _wait_for(name: str, owner: str, on_wait: Callable[[str], None]) -> None:
    reported = False
    while not _take(name, owner):
        row = _leases().find_one({"_id": name})
        if row and not reported and not has_ended(row, DURATION):
            on_wait(row["owner"])
            reported = True
        time.sleep(POLL_INTERVAL_S)


def _take(name: str, owner: str) -> bool:
    row = _leases().find_one({"_id": name})
    if row and not has_ended(row, DURATION):
        return False
    values = {"_id": name, "owner": owner, "until": clock.now() + DURATION}
    return store(_leases(), row, values)


def _renew(leases: Any, mine: Mapping[str, str], done: threading.Event) -> None:
    while not done.wait(RENEW_INTERVAL_S):
        with suppress(PyMongoError):  # the next turn tries again
            leases.update_one(mine, {"$set": {"until": clock.now() + DURATION}})


def _leases() -> StoreCollection:
    return get_db()[COLLECTION]
