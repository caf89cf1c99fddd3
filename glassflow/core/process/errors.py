"""Errors of units of work, and wrapped ones: MongoEngine wraps those of the driver."""

from collections.abc import Iterator


class RolledBack(Exception):
    """Ends a unit of work on purpose: nothing is stored, and nothing has failed."""


def cause_chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, then its cause (or context), and so on to the first error."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
