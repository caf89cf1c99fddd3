"""glassflow with two more routes for load programs: commands to the store, and emits.

Started under gunicorn instead of `wsgi:app`. Nothing else differs: the commands are those
that the metrics of the service count anyway. With `BENCH_PAGES=written` the modules of the
pages are served one by one, as where `make pages` has not run.
"""

from gevent import monkey

monkey.patch_all()  # before anything else is imported

import os  # noqa: E402
import time  # noqa: E402

import gevent  # noqa: E402
from flask import Response, jsonify, request  # noqa: E402

from glassflow.core.process import clock, metrics  # noqa: E402
from glassflow.core.process.json import iso  # noqa: E402
from glassflow.pages import files  # noqa: E402
from wsgi import app  # noqa: E402

__all__ = ["app"]

EVENT = "material:updated"
ROOM = "inventory|materials:view"

if os.environ.get("BENCH_PAGES") == "written":
    files.JOINED = files.ROOT / "nowhere"


@app.get("/bench/commands")
def commands() -> Response:
    """Return by command how many this process has sent, and their seconds."""
    found: dict[str, dict[str, float]] = {}
    for metric in metrics.store_seconds.collect():
        for sample in metric.samples:
            kind = sample.name.rpartition("_")[2]
            if kind in ("count", "sum"):
                found.setdefault(sample.labels["command"], {})[kind] = sample.value
    return jsonify(found)


@app.post("/bench/emit")
def emit() -> Response:
    """Emit `data` so many `times`, `every` so many seconds."""
    gevent.spawn(_emit_all, **request.get_json())
    return jsonify(success=True)


def _emit_all(data: dict[str, object], times: int, every: float) -> None:
    server = app.extensions["socketio"].server
    for seq in range(times):
        meta = {"id": f"bench-{seq}", "seq": seq, "at": iso(clock.now())}
        body = {"action": "updated", "data": data, "sent": time.monotonic_ns()}
        server.emit(EVENT, (body, meta), to=ROOM, ignore_queue=True)
        gevent.sleep(every)
