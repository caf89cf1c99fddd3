"""Long computations on gevent's pool of native threads, where they block no greenlet.

Pass plain values and return plain values: the store, the request and the runtime belong
to the greenlet that waits.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, ParamSpec, TypeVar

import gevent
from gevent.hub import Hub
from gevent.lock import BoundedSemaphore
from gevent.threadpool import ThreadPool

from glassflow.core.process import time_limit

P = ParamSpec("P")
T = TypeVar("T")

MAX_APART = 20  # threads for functions that may hang, apart from the common pool


class NoTurn(Exception):
    """All turns were taken for too long."""


def run(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function on a thread of the pool; raises what the function raises.

    The pool itself would print the traceback of what leaves its thread.
    """
    return _returned(gevent.get_hub().threadpool, function, args, kwargs)


def run_in_turn(
    turns: BoundedSemaphore,
    timeout_s: float,
    function: Callable[P, T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Run a function on a thread of the pool, when it is the caller's turn.

    The time does not count against the request's limit on the store. Raises `NoTurn`
    after `timeout_s` in the queue, and what the function raises.
    """
    with time_limit.paused():
        if not turns.acquire(timeout=timeout_s):
            raise NoTurn
        try:
            return run(function, *args, **kwargs)
        finally:
            turns.release()


def run_apart(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function that may hang for longer than its caller waits.

    A thread cannot be interrupted: the function goes on when its caller has given up. So
    it does not run on the common pool. Raises what the function raises.
    """
    return _returned(_threads_apart(gevent.get_hub()), function, args, kwargs)


@cache
def _threads_apart(hub: Hub) -> ThreadPool:
    return ThreadPool(MAX_APART, hub=hub)


def _returned(
    pool: ThreadPool, function: Callable[..., T], args: Any, kwargs: Any
) -> T:
    result, error = pool.apply(_caught, (function, args, kwargs))
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]


def _caught(function: Callable[..., Any], args: Any, kwargs: Any) -> tuple[Any, Any]:
    try:
        return function(*args, **kwargs), None
    except Exception as error:
        return None, error
