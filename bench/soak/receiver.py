"""A webhook's receiver during a soak: which events it got, and in which order."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

POLL_INTERVAL_S = 0.1
PERSONAL = "user:"  # the rooms whose events webhooks do not get


class Receiver:
    """Answers 200 on a port of this machine from its creation until `stop`."""

    def __init__(self) -> None:
        self.seqs: list[int] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                receiver.seqs.append(json.loads(self.rfile.read(length))["seq"])
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments: Any) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()

    def problems(self, log: Iterable[dict[str, Any]], timeout_s: float) -> list[str]:
        """Wait for all events of a log since the webhook was made; describe what is wrong.

        An event that was being delivered when a process died comes again, in order.
        """
        expected = _since_the_webhook(log)
        deadline = time.monotonic() + timeout_s
        while not expected <= set(self.seqs) and time.monotonic() < deadline:
            time.sleep(POLL_INTERVAL_S)
        found = []
        if missing := expected - set(self.seqs):
            found.append(f"the webhook lacks {len(missing)} of {len(expected)} events")
        if self.seqs != sorted(self.seqs):
            found.append("the webhook got events out of order")
        return found


def _since_the_webhook(log: Iterable[dict[str, Any]]) -> set[int]:
    rows = list(log)
    made = next(row["seq"] for row in rows if row["event"] == "webhook:updated")
    return {
        row["seq"]
        for row in rows
        if row["seq"] >= made
        and not all(room.startswith(PERSONAL) for room in row["rooms"])
    }
