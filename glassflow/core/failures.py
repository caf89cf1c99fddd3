"""What lies behind an error: MongoEngine wraps what the driver raised."""

from collections.abc import Iterator


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Walk from an error to those behind it, the error itself first."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
