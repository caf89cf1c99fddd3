"""JSON as the service speaks it, for REST and for sockets alike."""

from datetime import UTC, datetime
from typing import Any

import orjson
from bson import ObjectId

_OPTIONS = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_NON_STR_KEYS


def iso(moment: datetime) -> str:
    """Write a moment as ISO 8601 UTC with milliseconds and `Z`; naive means UTC."""
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return moment.isoformat(timespec="milliseconds") + "Z"


def _other(value: Any) -> Any:
    if isinstance(value, ObjectId):
        return str(value)
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def encode(value: Any) -> bytes:
    """Encode a value as UTF-8 JSON; ids become strings, moments ISO 8601."""
    return orjson.dumps(value, default=_other, option=_OPTIONS)


def dumps(value: Any, **_: Any) -> str:
    """Encode as text; takes and ignores the options that the socket library gives."""
    return encode(value).decode()


def loads(text: str | bytes, **_: Any) -> Any:
    """Decode JSON; refuses NaN, Infinity and broken Unicode with `ValueError`."""
    return orjson.loads(text)
