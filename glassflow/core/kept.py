"""Values that this process keeps for a short time instead of asking the store again."""

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from glassflow.core.bounded_dict import BoundedDict

KEPT_S = 30.0
MAX_VALUES = 2000  # the values that were used least recently are forgotten first


@dataclass(slots=True)
class _Kept:
    value: Any
    expires_at: float  # on the monotonic clock


_values: BoundedDict[Hashable, _Kept] = BoundedDict(MAX_VALUES)
_being_computed: dict[Hashable, threading.Lock] = {}


def value(key: Hashable, compute: Callable[[], Any]) -> Any:
    """Return the kept value of a key, or compute it.

    Callers that need the same value at once wait for one computation.
    """
    if (found := peek(key)) is not None:
        return found
    lock = _being_computed.setdefault(key, threading.Lock())
    try:
        with lock:
            found = peek(key)
            if found is None:
                found = compute()
                put(key, found)
            return found
    finally:
        _being_computed.pop(key, None)


def peek(key: Hashable) -> Any:
    """Return the kept value of a key; None if there is none, or it is too old."""
    found = _values.get(key)
    if found is None or found.expires_at < time.monotonic():
        return None
    _values.move_to_end(key)
    return found.value


def put(key: Hashable, new: Any) -> None:
    """Keep a value for `KEPT_S`."""
    _values[key] = _Kept(new, time.monotonic() + KEPT_S)


def correct(key: Hashable, new: Any) -> None:
    """Replace a kept value, without keeping it for longer."""
    if key in _values:
        _values[key].value = new


def forget(key: Hashable) -> None:
    """Forget the value of a key."""
    _values.pop(key, None)


def clear() -> None:
    """Forget all values, as after the store was emptied."""
    _values.clear()
