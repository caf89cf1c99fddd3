"""Which version of a record a caller expects to change (If-Match, RFC 9110 section 13.1).

The check must be in the transaction of the change: of two callers who have read the same
version, only one may change it. So the expectation is set around the use case, and what
loads the record to change or delete it checks it: `records.load`, `deletion.delete`.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from bson import ObjectId

from glassflow.domain.errors import IfMatchRequired, Stale


class _Expectation(NamedTuple):
    kind: str
    record_id: ObjectId
    versions: Collection[int] | None  # None: the caller has to name one


_expected: ContextVar[_Expectation | None] = ContextVar("expected", default=None)


@contextmanager
def expecting(
    kind: str,
    record_id: ObjectId,
    versions: Collection[int] | None,
    *,
    must_name: bool = False,
) -> Iterator[None]:
    """Let the block change a record only while it has one of these versions.

    `kind` is the name of the record's model. None allows any version, or none if a
    version must be named.
    """
    is_free = versions is None and not must_name
    wanted = None if is_free else _Expectation(kind, record_id, versions)
    token = _expected.set(wanted)
    try:
        yield
    finally:
        _expected.reset(token)


def check(kind: str, record_id: ObjectId, version: int | None) -> None:
    """Raise `Stale` if another version of this record is expected.

    Raises `IfMatchRequired` if the caller has to name one.
    """
    expected = _expected.get()
    if expected is None or (expected.kind, expected.record_id) != (kind, record_id):
        return
    if expected.versions is None:
        raise IfMatchRequired(version or 0)
    if (version or 0) not in expected.versions:
        raise Stale(version or 0)
