"""What the workshop's rules can answer besides yes.

Each class is one kind of refusal, and carries what a screen needs to explain it: a
`message` for people, a `code` for programs and the `facts` behind it. Which HTTP
status a kind wears is decided in one table, in `glassflow.web.errors`.
"""

from collections.abc import Mapping, Sequence
from typing import Any


class Refusal(Exception):
    """A rule of the workshop says no; nothing has been changed."""

    code: str = ""

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.facts: dict[str, Any] = dict(facts or {})

    @property
    def errors(self) -> object:
        """The `errors` member of the answer: the code with its facts, or nothing."""
        return {"code": self.code, **self.facts} if self.code else None


class Invalid(Refusal):
    """What was sent has faults; `faults` lists them all as `{field, message}`."""

    def __init__(
        self,
        faults: Sequence[Mapping[str, str]],
        message: str = "Validation failed",
    ) -> None:
        super().__init__(message)
        self.faults = [dict(fault) for fault in faults]

    @property
    def errors(self) -> object:
        """All the faults, in the order of the fields."""
        return self.faults


class UnknownReference(Refusal):
    """An id in the body points at no record."""


class Unauthenticated(Refusal):
    """Nobody is known to be asking."""


class Forbidden(Refusal):
    """The one who asks is known, and may not."""

    def __init__(self, message: str = "Not authorized for this action") -> None:
        super().__init__(message)


class NotFound(Refusal):
    """There is no such record."""


class Conflict(Refusal):
    """The record exists, but its state or its dependents forbid the change."""


class TooManyAttempts(Refusal):
    """Too often in too short a time; `retry_after` is in seconds."""

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after
