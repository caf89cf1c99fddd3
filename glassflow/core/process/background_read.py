"""Reads that outlive the request which needs them, if they take long."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

import pymongo

from glassflow.core.process import deadlines

T = TypeVar("T")


class StillReading(Exception):
    """A read has not ended yet; it goes on."""


class BackgroundRead(threading.Thread, Generic[T]):
    """A read on a thread of its own, of `FIGURES_TIMEOUT_S` at most."""

    def __init__(self, name: str, read: Callable[[], T]) -> None:
        super().__init__(name=name, daemon=True)
        self._read = read
        self._found: list[T] = []
        self._error: Exception | None = None
        # Others may wait for it before its thread has started, which `join` forbids.
        self._ended = threading.Event()

    def run(self) -> None:
        """Read."""
        try:
            with pymongo.timeout(deadlines.FIGURES_TIMEOUT_S):
                self._found = [self._read()]
        except Exception as error:  # raised where the result is waited for
            self._error = error
        finally:
            self._ended.set()

    def result(self, wait_s: float) -> T:
        """Return what was read; raises what the read raised.

        Raises `StillReading` if it has not ended within `wait_s` seconds.
        """
        self._ended.wait(wait_s)
        if self._error is not None:
            raise self._error
        if not self._found:
            raise StillReading
        return self._found[0]
