"""`python -m bench.metrics_costs TURNS`: measures for `bench.metrics`, and prints JSON.

With and without metrics take turns; the least processor time of each counts.
"""

# ruff: noqa: E402
from __future__ import annotations

from gevent import monkey

monkey.patch_all()  # as in a worker process

import json
import logging.config
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask
from pymongo import MongoClient

from config.logging import logging_config
from glassflow.app import create_app
from glassflow.core.process import metrics
from glassflow.core.process.store_calls import StoreCalls
from glassflow.embedded import store as embedded_store
from glassflow.settings import load_settings
from glassflow.web import request_log

CALLS = 20  # in a turn: short ones are disturbed less by other load
SERIES = 2000  # of requests: so many routes, methods and statuses in a scrape
SCRAPES = 10


def measure(turns: int) -> dict[str, float]:
    """Return the microseconds of each row."""
    with tempfile.TemporaryDirectory() as data_dir:
        store = embedded_store.start(data_dir)
        try:
            given = {"MONGODB_URI": store.uri, "DATA_DIR": data_dir}
            settings = load_settings("testing", given)
            commands = _of_commands(turns, store.uri)
            return _of_requests(turns, settings) | commands | _of_scrapes()
        finally:
            store.stop()


def _of_requests(turns: int, settings: Mapping[str, Any]) -> dict[str, float]:
    """`GET /api/health`, which asks the store for nothing."""
    unmeasured = create_app(settings)
    unmeasured.before_request_funcs[None].remove(request_log._begin)
    unmeasured.after_request_funcs[None].remove(request_log._end)
    plain, measured = _sender(unmeasured), _sender(create_app(settings))
    without, counted = _in_turns(turns, plain, measured)
    rows = {
        "`GET /api/health` through Flask, without": without,
        "more for its metrics": counted - without,
    }
    for form in ("text", "json"):
        with open(os.devnull, "w") as sink:
            _log_to(sink, {**settings, "ACCESS_LOG": True, "LOG_FORMAT": form})
            without, logged = _in_turns(turns, plain, measured)
        rows[f"more for its metrics and its log line as {form}"] = logged - without
    return rows


def _sender(app: Flask) -> Callable[[], object]:
    client = app.test_client()
    return lambda: client.get("/api/health")


def _log_to(stream: Any, settings: Mapping[str, Any]) -> None:
    """Log as the service does, to another stream."""
    found = logging_config(settings)
    found["handlers"]["stderr"]["stream"] = stream
    logging.config.dictConfig(found)


def _of_commands(turns: int, uri: str) -> dict[str, float]:
    """One `find` by id on the embedded store, seen by a listener or not."""
    with (
        MongoClient[dict[str, Any]](uri) as plain,
        MongoClient[dict[str, Any]](uri, event_listeners=[StoreCalls()]) as heard,
    ):
        plain.bench.panes.insert_one({"_id": 1, "name": "Glass"})
        panes, heard_panes = plain.bench.panes, heard.bench.panes
        without, counted = _in_turns(
            turns,
            lambda: panes.find_one({"_id": 1}),
            lambda: heard_panes.find_one({"_id": 1}),
        )
    return {
        "`find` by id, without": without,
        "more for the metrics of a command": counted - without,
    }


def _of_scrapes() -> dict[str, float]:
    for serial in range(SERIES):
        metrics.requests.labels("GET", f"/api/{serial}", "200").observe(0.01)
    took = min(map(_seconds_of_scrape, range(SCRAPES))) * 1e6
    return {f"a scrape with {SERIES} series of requests": took}


def _seconds_of_scrape(_: int) -> float:
    begin = time.process_time()
    metrics.exposition()
    return time.process_time() - begin


def _in_turns(turns: int, *measured: Callable[[], object]) -> list[float]:
    """Return the microseconds of one call of each: the least of its turns."""
    least = [float("inf")] * len(measured)
    for _ in range(turns):
        for index, call in enumerate(measured):
            begin = time.process_time()
            for _ in range(CALLS):
                call()
            least[index] = min(least[index], time.process_time() - begin)
    return [seconds / CALLS * 1e6 for seconds in least]


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
