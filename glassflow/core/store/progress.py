"""How far a long command is that reads or writes all documents."""

from collections.abc import Callable, Iterable, Iterator

from glassflow.core.store.backup_file import split

#: Called with a step, how many documents it is through with, and how many there are.
Progress = Callable[[str, int, int], None]


def silent(step: str, done: int, of: int) -> None:
    """Show nothing."""


def counted(
    batches: Iterable[bytes], progress: Progress, step: str, of: int
) -> Iterator[bytes]:
    """Yield the batches of a step, and report its documents."""
    done = 0
    for batch in batches:
        yield batch
        done += sum(1 for _ in split(batch))
        progress(step, done, of)
