"""Compare what a client sends back of a record with what is stored."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

ABSENT = object()
UNSET: tuple[object, ...] = (None, "", [], ABSENT)


def differing_paths(
    paths: Iterable[str], body: Mapping[str, Any], stored: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the dotted paths at which a body has another value than the stored record.

    `stored` is the record as JSON. A reference may be sent as an expanded record.
    """
    for path in sorted(paths):
        if _differs(_at(body, path), _at(stored, path)):
            yield path


def _at(record: Any, path: str) -> Any:
    """Return the member at a dotted path, or `ABSENT`."""
    for name in path.split("."):
        record = record.get(name, ABSENT) if isinstance(record, Mapping) else ABSENT
    return record


def _differs(sent: Any, stored: Any) -> bool:
    """Return whether a sent value differs; all that means unset is equal."""
    if sent is ABSENT:
        return False
    if isinstance(sent, list) and isinstance(stored, list):
        return [_id_or_value(one) for one in sent] != stored
    if sent in UNSET and stored in UNSET:
        return False
    return bool(_id_or_value(sent) != stored)


def _id_or_value(value: Any) -> Any:
    return value.get("_id", value) if isinstance(value, Mapping) else value
