"""Cheaper conditions under gevent: `threading.Condition` with a plain lock.

Before it notifies, a condition asks whether its lock is held. Of a plain lock it finds
that out by trying to take it, and gevent runs other greenlets whenever such a try fails.
The connection pool of the driver notifies two conditions after each command, so each
command took two turns of the event loop more, with the lock of the pool held.
"""

from gevent.thread import LockType


def patch() -> None:
    """Let gevent's locks tell conditions whether they are held.

    The answer is that of the standard library's own question. Conditions that exist
    already do not change, so call this before the driver is imported.
    """
    LockType._is_owned = (
        LockType.locked
    )  # the name that `threading.Condition` looks for
