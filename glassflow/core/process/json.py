"""The JSON encoder and decoder of the REST API and of the sockets."""

from datetime import UTC, datetime
from typing import Any

import orjson
from bson import ObjectId

_OPTIONS = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_NON_STR_KEYS


def iso(time: datetime) -> str:
    """Format a time as ISO 8601 UTC with milliseconds and `Z`; naive means UTC."""
    if time.tzinfo is not None:
        time = time.astimezone(UTC).replace(tzinfo=None)
    return time.isoformat(timespec="milliseconds") + "Z"


def parse_iso(text: str) -> datetime:
    """Return the time, naive UTC, that `iso` has formatted."""
    return datetime.fromisoformat(text).astimezone(UTC).replace(tzinfo=None)


def _default(value: Any) -> Any:
    if isinstance(value, ObjectId):
        return str(value)
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} is not JSON serializable")


def encode(value: Any) -> bytes:
    """Encode a value as UTF-8 JSON; ids become strings, times ISO 8601.

    Raises `TypeError` for a value without a JSON form.
    """
    return orjson.dumps(value, default=_default, option=_OPTIONS)


def dumps(value: Any, **_: Any) -> str:
    """Encode a value as text; ignores the options that the socket library passes."""
    return encode(value).decode()


def loads(text: str | bytes, **_: Any) -> Any:
    """Decode JSON; raises `ValueError` for NaN, Infinity and invalid Unicode too."""
    return orjson.loads(text)


def canonical(text: bytes) -> bytes:
    """Return JSON in one form, whatever its spaces and the order of its members.

    What is no JSON is returned as it is.
    """
    try:
        return orjson.dumps(orjson.loads(text), option=orjson.OPT_SORT_KEYS)
    except ValueError:
        return text
