"""The process of the floor: runs the operations that it reads, and prints their times.

One line of JSON for each: `{"operation", "items", "concurrency"}` in, milliseconds out.
"""

from gevent import monkey

monkey.patch_all()  # as the service does, before anything else is imported

import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable, Iterator, Mapping  # noqa: E402
from typing import Any  # noqa: E402

import gevent  # noqa: E402
import orjson  # noqa: E402
from bson import ObjectId  # noqa: E402

from bench.floor import operations  # noqa: E402
from bench.floor.store import FloorStore  # noqa: E402

Operation = Callable[[Mapping[str, Any]], None]


def main(uri: str, worker: str) -> None:
    """Serve until the input ends."""
    store = FloorStore(uri)
    store.prepare()
    known = operations.build(store, ObjectId(worker))
    print("ready", flush=True)
    for line in iter(sys.stdin.readline, ""):
        order = orjson.loads(line)
        times = _run(known[order["operation"]], order["items"], order["concurrency"])
        store.wait_until_published()
        print(orjson.dumps(times).decode(), flush=True)


def _run(operation: Operation, items: list[Any], concurrency: int) -> list[float]:
    waiting, times = iter(items), []

    def work(waiting: Iterator[Any]) -> None:
        for item in waiting:
            started = time.perf_counter()
            operation(item)
            times.append((time.perf_counter() - started) * 1000)

    gevent.joinall(
        [gevent.spawn(work, waiting) for _ in range(concurrency)], raise_error=True
    )
    return times


if __name__ == "__main__":
    main(*sys.argv[1:])
