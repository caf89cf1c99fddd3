"""The exceptions that use cases raise.

Each class is one kind of refusal. It carries what a client needs to explain it: a
`message` for people, a `code` for programs and the `details`. `glassflow.web.errors` maps
each class to an HTTP status.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypedDict

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual


class FieldFault(TypedDict):
    """What is wrong with one field of the input; its name is dotted if it is nested."""

    field: str
    message: Bilingual


class Refusal(Exception):
    """A rule forbids the request; nothing has been changed."""

    code: str = ""

    def __init__(
        self,
        message: Bilingual,
        *,
        code: str | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.details: dict[str, Any] = dict(details or {})

    @property
    def errors(self) -> object:
        """The `errors` member of the response: the code with its details, or None."""
        return {"code": self.code, **self.details} if self.code else None


@contextmanager
def of_item(index: int) -> Iterator[None]:
    """Add the index of an item to the details of a refusal that the block raises."""
    try:
        yield
    except Refusal as refusal:
        refusal.details["index"] = index
        raise


class Invalid(Refusal):
    """The input is invalid; `faults` lists every fault as `{field, message}`."""

    def __init__(
        self,
        faults: Sequence[FieldFault],
        message: Bilingual = texts.VALIDATION_FAILED,
    ) -> None:
        super().__init__(message)
        self.faults: list[FieldFault] = [fault.copy() for fault in faults]

    @property
    def errors(self) -> object:
        """All faults, in the order of the fields."""
        return self.faults


class UnknownReference(Refusal):
    """An id in the body refers to no record."""


class Unauthenticated(Refusal):
    """The caller is not authenticated."""


class Forbidden(Refusal):
    """The caller is authenticated, but lacks the permission."""

    def __init__(self, message: Bilingual = texts.FORBIDDEN) -> None:
        super().__init__(message)


class PasswordChangeRequired(Forbidden):
    """The caller has to change the password before anything else."""

    code = "PASSWORD_CHANGE_REQUIRED"

    def __init__(self) -> None:
        super().__init__(texts.PASSWORD_CHANGE_REQUIRED)


class NotFound(Refusal):
    """The record does not exist."""


class Conflict(Refusal):
    """The record's state, its dependents or a concurrent change forbid the change."""


class Stale(Refusal):
    """Somebody else has changed the record; `version` is the one that it has now."""

    code = "STALE"

    def __init__(self, version: int) -> None:
        super().__init__(texts.STALE, details={"version": version})
        self.version = version


class IfMatchRequired(Refusal):
    """A change has to name the `version` that it changes; this is the present one."""

    code = "IF_MATCH_REQUIRED"

    def __init__(self, version: int) -> None:
        super().__init__(texts.IF_MATCH_REQUIRED, details={"version": version})
        self.version = version


class TooMany(Refusal):
    """The request is about more records than can be changed, or printed, at once."""

    code = "TOO_MANY"

    def __init__(self, *, maximum: int) -> None:
        message = texts.TOO_MANY.format(maximum=maximum)
        super().__init__(message, details={"maximum": maximum})


class Unsupported(Refusal):
    """The body is of a media type that is not read here."""


class Contention(Conflict):
    """Others kept changing the same records; nothing is decided about the request."""

    text = texts.CONTENTION

    def __init__(self) -> None:
        super().__init__(self.text)


class InProgress(Contention):
    """The request with this Idempotency-Key is being carried out."""

    code = "IDEMPOTENCY_IN_PROGRESS"
    text = texts.IDEMPOTENCY_IN_PROGRESS


class OutcomeUnknown(Conflict):
    """The request with this Idempotency-Key has begun, and how it ended is not known."""

    code = "OUTCOME_UNKNOWN"

    def __init__(self) -> None:
        super().__init__(texts.OUTCOME_UNKNOWN)


class TooManyAttempts(Refusal):
    """The rate limit is exceeded; `retry_after` is in seconds."""

    def __init__(self, message: Bilingual, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class TooManyConnections(TooManyAttempts):
    """The worker has as many connections as one account may have."""

    code = "TOO_MANY_CONNECTIONS"


class TookTooLong(Refusal):
    """The time limit of the request has ended before its work.

    `is_long_work` is whether the limit had been lengthened for many records: then the
    request would hardly succeed a moment later.
    """

    code = "TOOK_TOO_LONG"

    def __init__(self, *, is_long_work: bool) -> None:
        super().__init__(texts.TOOK_TOO_LONG)
        self.is_long_work = is_long_work


class StoreUnavailable(Refusal):
    """The store does not answer, or cannot do what it is asked."""

    code = "STORE_UNAVAILABLE"

    def __init__(self) -> None:
        super().__init__(texts.STORE_AWAY)


class Busy(Refusal):
    """The service has more to do than it can do in time."""

    code = "BUSY"

    def __init__(self, message: Bilingual = texts.BUSY) -> None:
        super().__init__(message)
