"""Greenlets that work in the background for as long as the process runs."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import gevent

from glassflow import runtime

NAME = "background"


def start(function: Callable[[], None]) -> gevent.Greenlet:
    """Run a function in a greenlet, with the runtime of the caller's application.

    Of the caller's context it has nothing else: it is mostly started by a request or a
    handshake, whose environ, and so whose socket, it would keep alive.
    """
    greenlet = runtime.run_detached(gevent.spawn, runtime.bind(function))
    greenlet.name = NAME
    return greenlet


class BackgroundWork(ABC):
    """Work of one greenlet, which is started once in each process: not before a fork."""

    _greenlet: Any = None

    def start(self) -> None:
        """Start in this process, unless that has been done."""
        if self._greenlet is None:
            self._greenlet = start(self._run)

    def stop(self) -> None:
        """Stop at once; the process that takes over does the rest."""
        if self._greenlet is not None:
            self._greenlet.kill(block=False)

    @abstractmethod
    def _run(self) -> None:
        """Do the work, until it is stopped."""
