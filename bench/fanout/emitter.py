"""glassflow with two more routes, which emit without a change, as the Node server does.

Started by `bench.fanout.servers` under gunicorn, instead of `wsgi:app`.
"""

from gevent import monkey

monkey.patch_all()  # before anything else is imported

import time  # noqa: E402
from typing import Any  # noqa: E402

import gevent  # noqa: E402
from flask import Response, jsonify, request  # noqa: E402

from glassflow.core.process import clock  # noqa: E402
from glassflow.core.process.json import iso  # noqa: E402
from wsgi import app  # noqa: E402

__all__ = ["app"]

EVENT = "material:updated"
ROOM = "inventory|materials:view"
payload: dict[str, Any] = {}


@app.post("/bench/payload")
def set_payload() -> Response:
    """Set the payload to emit."""
    payload.update(request.get_json())
    return jsonify(success=True)


@app.post("/bench/emit")
def emit() -> Response:
    """Emit the payload `times` times, `every` so many seconds, numbered from `first`."""
    gevent.spawn(_emit_all, **request.get_json())
    return jsonify(success=True)


def _emit_all(first: int, times: int, every: float) -> None:
    server = app.extensions["socketio"].server
    for number in range(first, first + times):
        meta = {"id": f"bench-{number}", "seq": number, "at": iso(clock.now())}
        data = {**payload["data"], "name": f"bench-{number}"}
        body = {**payload, "data": data, "sent": time.monotonic_ns()}
        server.emit(EVENT, (body, meta), to=ROOM, ignore_queue=True)
        gevent.sleep(every)
