"""Which question a process asks the store at each poll while it has nothing to publish.

A poll is one command.
"""

from collections.abc import Callable
from enum import Enum, auto

from glassflow.core.events import outbox_batches
from glassflow.core.events.publisher_lease import PublisherLease


class Poll(Enum):
    """A question to the store."""

    OUTBOX = auto()  # has another process stored something to publish?
    LOG = auto()  # has another process published something?
    LEASE = auto()  # is the lease free?
    RENEW = auto()  # the lease, which this process holds


# The holder publishes alone, so it polls the log only in case two hold the lease, and
# for what the holder before has published last. The lease outlasts all of a turn.
AS_HOLDER = (Poll.LOG, *[Poll.OUTBOX] * 3, Poll.RENEW, *[Poll.OUTBOX] * 3)
AS_OTHER = (*[Poll.LOG] * 3, Poll.LEASE)


class PollSchedule:
    """Takes turns in the questions; `poll_log` asks the one about the log."""

    def __init__(self, lease: PublisherLease, *, poll_log: Callable[[], None]) -> None:
        self._lease = lease
        self._poll_log = poll_log
        self._was_holder = False
        self._turn = 0

    def next(self) -> bool:
        """Ask the next question; return whether there may be something to publish.

        Without the lease, that may be because it is free now. Raises `PyMongoError`.
        """
        holder = self._lease.is_held
        if holder != self._was_holder:
            self._was_holder, self._turn = holder, 0
        polls = AS_HOLDER if holder else AS_OTHER
        poll, self._turn = polls[self._turn], (self._turn + 1) % len(polls)
        if not holder and self._lease.may_be_free():
            poll = Poll.LEASE
        match poll:
            case Poll.OUTBOX:
                return bool(outbox_batches.pending(1))
            case Poll.LEASE:
                return True  # publishing acquires the lease first
            case Poll.LOG:
                self._poll_log()
            case Poll.RENEW:
                self._lease.renew()
        return False
