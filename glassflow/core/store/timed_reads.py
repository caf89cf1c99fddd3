"""Long reads without a limit of their whole time: each batch has one."""

from collections.abc import Iterator
from typing import Any

import pymongo

from glassflow.core.process import deadlines


def in_time(found: Any) -> Iterator[bytes]:
    """Yield the batches of a cursor (`find_raw_batches`); a store that hangs ends it.

    Raises `PyMongoError` where one of them takes longer than EXPORT_PART_TIMEOUT_S.
    """
    while True:
        with pymongo.timeout(deadlines.EXPORT_PART_TIMEOUT_S):
            batch = next(found, None)
        if batch is None:
            return
        yield batch
