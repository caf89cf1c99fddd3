"""glassflow with one more route, which tells how many commands the store was sent.

Started by `bench.table.trips` under gunicorn, instead of `wsgi:app`. Counting costs
processor time, so that is measured without it.
"""

from gevent import monkey

monkey.patch_all()  # before anything else is imported

from flask import Response, jsonify  # noqa: E402
from pymongo import monitoring  # noqa: E402


class Counter(monitoring.CommandListener):
    """Counts the commands of all clients of this process."""

    def __init__(self) -> None:
        self.commands = 0

    def started(self, event: monitoring.CommandStartedEvent) -> None:
        """Count a command."""
        self.commands += 1

    def succeeded(self, event: monitoring.CommandSucceededEvent) -> None:
        """Nothing: it is counted already."""

    def failed(self, event: monitoring.CommandFailedEvent) -> None:
        """Nothing: it is counted already."""


counter = Counter()
monitoring.register(counter)  # before the application makes its client

from wsgi import app  # noqa: E402

__all__ = ["app"]


@app.get("/bench/commands")
def count() -> Response:
    """Return the number of commands since the start."""
    return jsonify(commands=counter.commands)
