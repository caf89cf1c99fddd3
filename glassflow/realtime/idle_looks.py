"""What a process asks the store while it has nothing to publish: one command each time."""

from collections.abc import Callable
from enum import Enum, auto

from glassflow.core.events import outbox_batches
from glassflow.core.events.publisher_lease import PublisherLease


class Look(Enum):
    """A question to the store."""

    OUTBOX = auto()  # has another process stored something to publish?
    LOG = auto()  # has another process published something?
    LEASE = auto()  # is the lease free?
    RENEW = auto()  # the lease, which this process holds


# The holder publishes alone, so it looks at the log only in case two hold the lease, and
# for what the holder before has published last. The lease outlasts all of a turn.
AS_HOLDER = (Look.LOG, *[Look.OUTBOX] * 3, Look.RENEW, *[Look.OUTBOX] * 3)
AS_OTHER = (*[Look.LOG] * 3, Look.LEASE)


class IdleLooks:
    """Takes turns in the questions, `look_at_log` being the one about the log."""

    def __init__(
        self, lease: PublisherLease, *, look_at_log: Callable[[], None]
    ) -> None:
        self._lease = lease
        self._look_at_log = look_at_log
        self._was_holder = False
        self._turn = 0

    def next(self) -> bool:
        """Ask the next question; return whether there may be something to publish.

        Without the lease, that may be because it is free now. Raises `PyMongoError`.
        """
        holder = self._lease.is_held
        if holder != self._was_holder:
            self._was_holder, self._turn = holder, 0
        looks = AS_HOLDER if holder else AS_OTHER
        look, self._turn = looks[self._turn], (self._turn + 1) % len(looks)
        if not holder and self._lease.may_be_free():
            look = Look.LEASE
        match look:
            case Look.OUTBOX:
                return bool(outbox_batches.pending(1))
            case Look.LEASE:
                return True  # who publishes asks for the lease first
            case Look.LOG:
                self._look_at_log()
            case Look.RENEW:
                self._lease.renew()
        return False
