"""One line of the log a second for the requests that are refused as busy, with their ids.

Under overload there are hundreds a second: a line for each would cost what refusing saves.
"""

import logging

import gevent

log = logging.getLogger(__name__)
INTERVAL_S = 1.0

_ids: list[str] = []  # of the requests that were refused since the last line


def report_refused(request_id: str) -> None:
    """Let the next line name a refused request."""
    if not _ids:
        gevent.spawn_later(INTERVAL_S, _write)
    _ids.append(request_id)


def _write() -> None:
    log.warning("%d requests refused as busy: %s", len(_ids), " ".join(_ids))
    _ids.clear()
