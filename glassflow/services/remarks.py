"""Remarks about the values of a request: warnings, or faults if the caller prefers so.

The request sets the preference, because a remark that needs the store is made by the use
case, before it stores anything.
"""

from collections.abc import Sequence
from contextvars import ContextVar

from glassflow.domain.errors import FieldFault, Invalid

_is_strict: ContextVar[bool] = ContextVar("is_strict", default=False)


def prefer_faults(is_strict: bool) -> None:
    """Set whether remarks are faults for what follows in this context."""
    _is_strict.set(is_strict)


def refuse_if_strict(remarks: Sequence[FieldFault]) -> None:
    """Raise `Invalid` for remarks that are faults."""
    if remarks and _is_strict.get():
        raise Invalid(remarks)
