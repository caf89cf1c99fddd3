"""Sharing the event loop: long work lets other greenlets run in between.

Each process serves everybody with one event loop. A greenlet that computes for half a
second without waiting for anything keeps all other requests and sockets waiting.
"""

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

import gevent
from gevent.lock import BoundedSemaphore

T = TypeVar("T")

SLICE_S = 0.005  # how long a greenlet works before others may
_one_in_a_turn = BoundedSemaphore()


def yield_to_hub() -> None:
    """Let other greenlets run, also those whose sockets have become ready meanwhile.

    `gevent.sleep(0)` does not do for that: it runs only greenlets that are ready already,
    and gevent looks at the sockets after fifty such turns. Of all greenlets that call this,
    one goes on in each turn of the loop: three hundred streams that have something to
    send take no longer turns than one.
    """
    hub = gevent.get_hub()
    with _one_in_a_turn, hub.loop.timer(0) as timer:
        hub.wait(timer)


def yielding(items: Iterable[T]) -> Iterator[T]:
    """Iterate over items, and let other greenlets run after each `SLICE_S`.

    For loops that compute. Not where the code relies on running alone until its end.
    """
    begun = time.monotonic()
    for item in items:
        yield item
        if time.monotonic() - begun >= SLICE_S:
            yield_to_hub()
            begun = time.monotonic()
